/** The flags that every command accepts. */
import { usageError } from "../base/errors.ts";
import { joinList, splitList } from "../base/text.ts";
import { capabilitiesOf, FORMATS, type Format, JSON_FORMAT } from "../output/formats.ts";
import {
  CONFIG_CHOICE,
  DOCUMENTED_SETTINGS,
  describedSetting,
  SETTINGS,
  type SettingName,
} from "../settings/table.ts";
import { camelCase, type Flag, type FlagValues } from "./arguments.ts";

const RUN_FLAGS = [
  {
    name: CONFIG_CHOICE.flag,
    value: CONFIG_CHOICE.placeholder,
    completes: "file",
    description: CONFIG_CHOICE.description,
  },
  {
    name: "wait-for-service",
    value: "<seconds>",
    parse: parseWait,
    description: "wait up to this long for the service to start",
  },
  { name: "insecure-http", description: "allow unencrypted http:// to other machines" },
  {
    name: "output",
    short: "o",
    value: "<format>",
    choices: FORMATS,
    description: `output format: ${joinList(FORMATS)}`,
  },
  { name: "json", description: "same as --output json" },
  {
    name: "fields",
    value: "<a,b,c>",
    completes: "columns",
    parse: parseFields,
    description: "fields to show, in this order",
  },
  { name: "no-color", description: "print without colors" },
  { name: "quiet", short: "q", description: "print nothing but errors" },
  { name: "verbose", short: "v", description: "log each request to standard error" },
] as const satisfies readonly Flag[];

/** The flags of every command: first the flags for the connection, then the flags for the output. */
export const GLOBAL_FLAGS: readonly Flag[] = [...settingFlags(), ...RUN_FLAGS];

function settingFlags(): Flag[] {
  return DOCUMENTED_SETTINGS.flatMap((setting) => {
    if (setting.flag === undefined) return [];
    return {
      name: setting.flag,
      value: setting.placeholder ?? "<string>",
      // Checked here, so that an invalid value is an error even if the command does not need the setting.
      parse: (text, name) => {
        setting.parse(text, `--${name}`);
        return text;
      },
      description: describedSetting(setting),
    };
  });
}

/** The global flags, parsed. */
export interface GlobalOptions {
  /** The values of the flags that set a setting, as typed. */
  readonly settings: Partial<Readonly<Record<SettingName, string>>>;
  readonly config?: string | undefined;
  readonly insecureHttp: boolean;
  /** How many seconds to wait until the service responds. */
  readonly waitForService: number;
  readonly format?: Format | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The options in the values of global flags: `{noColor: true, output: "csv"}`. @throws CatalogError of kind `usage` */
export function toGlobalOptions(values: Readonly<Record<string, unknown>>): GlobalOptions {
  const run = values as FlagValues<typeof RUN_FLAGS>;
  const { json, output, noColor, waitForService = 0, ...others } = run;
  const settings = Object.entries(SETTINGS).flatMap(([name, setting]) => {
    const value = "flag" in setting ? values[camelCase(setting.flag)] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...others,
    settings: Object.fromEntries(settings),
    waitForService,
    format: json ? requireJson(output) : output,
    color: !noColor,
  };
}

/** Rejects a format, for a command that prints no data. @throws CatalogError of kind `usage` */
export function requireNoFormat(command: string, { format }: GlobalOptions): void {
  if (format !== undefined) throw usageError(`--output is not available for ${command}`);
}

/** Rejects a workbook, for a command that prints no courses. @throws CatalogError of kind `usage` */
export function requireOtherFormat(command: string, { format }: GlobalOptions): void {
  if (format === undefined || capabilitiesOf(format).isWorkbook !== true) return;
  throw usageError(
    `--output ${format} is not available for ${command}`,
    "Only courses ls and courses get print workbooks. Use another format. For example: --output csv",
  );
}

function parseWait(text: string): number {
  if (/^\d{1,5}(\.\d+)?$/.test(text)) return Number(text);
  const given = JSON.stringify(text);
  throw usageError(`--wait-for-service must be a number of seconds, not ${given}`);
}

function requireJson(format: Format | undefined): Format {
  if (format === undefined || format === JSON_FORMAT) return JSON_FORMAT;
  throw usageError(`--json cannot be combined with --output ${format}`);
}

function parseFields(text: string): readonly string[] {
  const fields = splitList(text);
  if (fields.length === 0) throw usageError("missing <a,b,c> after --fields");
  return [...new Set(fields)];
}
