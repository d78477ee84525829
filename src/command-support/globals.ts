/** The flags that every command accepts. */
import { usageError } from "../base/errors.ts";
import { joinList, splitList } from "../base/text.ts";
import { FORMATS, type Format, JSON_FORMAT } from "../output/formats.ts";
import {
  CONFIG_CHOICE,
  DOCUMENTED_SETTINGS,
  describedSetting,
  SETTINGS,
  type SettingName,
} from "../settings/table.ts";
import { type CommandWords, type Flag, parseFlags } from "./arguments.ts";

/** The global flags that set no setting. */
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
    description: "how long to retry refused connections before the first request succeeds",
  },
  { name: "insecure-http", description: "allow http:// to a host other than this machine" },
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
    description: "fields to show (any output format)",
  },
  { name: "no-color", description: "no colors" },
  { name: "no-pager", description: "print long output without a pager" },
  { name: "quiet", short: "q", description: "print only errors to standard error" },
  { name: "verbose", short: "v", description: "log each request to standard error" },
] as const satisfies readonly Flag[];

/** The flags of every command, as data: first those of the connection, then those of the output. */
export const GLOBAL_FLAGS: readonly Flag[] = [...settingFlags(), ...RUN_FLAGS];

/** The flags that print something instead of running a command. */
export const PROGRAM_FLAGS: readonly Flag[] = [
  { name: "help", short: "h", description: "print help" },
  { name: "version", short: "V", description: "print the version" },
];

function settingFlags(): Flag[] {
  return DOCUMENTED_SETTINGS.flatMap((setting) => {
    if (setting.flag === undefined) return [];
    const value = setting.placeholder ?? "<string>";
    const completes = setting === SETTINGS.profile ? { completes: "profile" as const } : {};
    return [{ name: setting.flag, value, ...completes, description: describedSetting(setting) }];
  });
}

/** The global flags, parsed. */
export interface GlobalOptions {
  /** The values of the flags that set a setting, as typed. */
  readonly settings: Partial<Readonly<Record<SettingName, string>>>;
  readonly config?: string | undefined;
  readonly insecureHttp: boolean;
  /** Seconds. */
  readonly waitForService: number;
  /** The requested output format. */
  readonly format?: Format | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Parses the global flags. @throws CatalogError of kind `usage` for a bad value */
export function parseGlobals(flags: CommandWords["flags"]): GlobalOptions {
  const {
    output,
    json,
    noColor,
    noPager: _,
    waitForService = 0,
    ...values
  } = parseFlags(flags, RUN_FLAGS);
  return {
    ...values,
    settings: settingValues(flags),
    waitForService,
    format: json ? requireJson(output) : output,
    color: !noColor,
  };
}

function settingValues(flags: CommandWords["flags"]): GlobalOptions["settings"] {
  const given: Partial<Record<SettingName, string>> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const flag = "flag" in setting ? setting.flag : undefined;
    const text = flag === undefined ? undefined : flags[flag];
    if (typeof text !== "string") continue;
    // A bad value is an error even for a command that does not need the setting.
    setting.parse(text, `--${flag}`);
    given[name as SettingName] = text;
  }
  return given;
}

function parseWait(text: string): number {
  if (/^\d{1,5}(\.\d+)?$/.test(text)) return Number(text);
  throw usageError(`--wait-for-service must be a number of seconds: ${text}`);
}

function requireJson(format: Format | undefined): Format {
  if (format === undefined || format === JSON_FORMAT) return JSON_FORMAT;
  throw usageError(`--json cannot be combined with --output ${format}`);
}

function parseFields(text: string): readonly string[] {
  const fields = splitList(text);
  if (fields.length === 0) throw usageError("--fields is empty");
  return [...new Set(fields)];
}
