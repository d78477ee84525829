/** The flags that every command takes (cli.md section 2). */
import { usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import { FORMATS, type Format } from "../output/format.ts";
import {
  ALL_SETTINGS,
  CONFIG_CHOICE,
  describedSetting,
  SETTINGS,
  type SettingName,
} from "../settings/table.ts";
import type { Flag, ParsedArguments } from "./arguments.ts";

/** The flags that say which service is asked, and how. */
const CONNECTION_FLAGS: readonly Flag[] = [
  ...settingFlags(),
  {
    name: CONFIG_CHOICE.flag,
    value: CONFIG_CHOICE.placeholder,
    completes: "file",
    description: CONFIG_CHOICE.description,
  },
  { name: "insecure-http", description: "allow http:// to a host that is not this machine" },
];

/** The flags that say what is printed. */
const OUTPUT_FLAGS: readonly Flag[] = [
  {
    name: "output",
    short: "o",
    value: "<format>",
    choices: FORMATS,
    description: `format of the output: ${joinList(FORMATS)}`,
  },
  { name: "json", description: "short for --output json" },
  {
    name: "fields",
    value: "<a,b,c>",
    completes: "columns",
    description: "which fields to show, in every format",
  },
  { name: "no-color", description: "no colors" },
  { name: "quiet", short: "q", description: "no messages on standard error but errors" },
  { name: "verbose", short: "v", description: "tell of each request on standard error" },
];

/** The heading of the flags that say what is printed; `--help` and `--version` stand there, too. */
export const OUTPUT_GROUP = "Output flags";

/** The global flags as data; `--help` and `--version` are the program's own. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  ...CONNECTION_FLAGS.map((flag) => ({ ...flag, group: "Connection flags" })),
  ...OUTPUT_FLAGS.map((flag) => ({ ...flag, group: OUTPUT_GROUP })),
];

/** The flags of the settings that have one. */
function settingFlags(): Flag[] {
  return ALL_SETTINGS.flatMap((setting) => {
    if (setting.flag === undefined) return [];
    const value = setting.placeholder ?? "<text>";
    const completes = setting === SETTINGS.profile ? { completes: "profile" as const } : {};
    return [{ name: setting.flag, value, ...completes, description: describedSetting(setting) }];
  });
}

/** The global flags, parsed. */
export interface GlobalOptions {
  /** Texts of the flags that set a setting. */
  readonly settings: Partial<Readonly<Record<SettingName, string>>>;
  readonly config?: string;
  readonly insecureHttp: boolean;
  /** The format asked for, if one was. */
  readonly format?: Format;
  readonly fields?: readonly string[];
  readonly color: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Reads the global flags. @throws CatalogError of kind `usage` for a bad value */
export function parseGlobals(flags: ParsedArguments["flags"]): GlobalOptions {
  const format = formatOf(flags);
  const fields = typeof flags.fields === "string" ? fieldsOf(flags.fields) : undefined;
  return {
    settings: settingTexts(flags),
    ...(typeof flags.config === "string" ? { config: flags.config } : {}),
    insecureHttp: flags["insecure-http"] === true,
    ...(format === undefined ? {} : { format }),
    ...(fields === undefined ? {} : { fields }),
    color: flags["no-color"] !== true,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true,
  };
}

function settingTexts(flags: ParsedArguments["flags"]): GlobalOptions["settings"] {
  const given: Partial<Record<SettingName, string>> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const flag = "flag" in setting ? setting.flag : undefined;
    const text = flag === undefined ? undefined : flags[flag];
    if (typeof text !== "string") continue;
    // A bad value is told before anything else happens, whether or not the command needs it.
    setting.parse(text, `--${flag}`);
    given[name as SettingName] = text;
  }
  return given;
}

function formatOf(flags: ParsedArguments["flags"]): Format | undefined {
  const { output, json } = flags;
  if (output === undefined) return json === true ? "json" : undefined;
  const format = FORMATS.find((candidate) => candidate === output);
  if (format === undefined) {
    const meant = closest(String(output), FORMATS);
    throw usageError(
      `--output is not one of ${joinList(FORMATS)}: ${output}`,
      meant === undefined ? undefined : `Did you mean ${meant}?`,
    );
  }
  if (json === true && format !== "json") {
    throw usageError(`--json and --output ${format} contradict each other`);
  }
  return format;
}

function fieldsOf(text: string): readonly string[] {
  const fields = text
    .split(",")
    .map((field) => field.trim())
    .filter((field) => field !== "");
  if (fields.length === 0) throw usageError("--fields names no field");
  return [...new Set(fields)];
}
