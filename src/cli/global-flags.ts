/** The flags that every command accepts. */
import { usageError } from "../base/errors.ts";
import { formatSuggestion, joinList, requireChoice, splitList, suggest } from "../base/text.ts";
import { parsePath } from "../base/values.ts";
import {
  FORMATS,
  type Format,
  hasJsonMessages,
  type Printed,
  ROW_FORMATS,
} from "../output/formats.ts";
import { describedSetting, SETTINGS, type Setting, type SettingValues } from "../settings/table.ts";
import { camelCase, type Flag, type FlagValues } from "./arguments.ts";

const RUN_FLAGS = [
  { name: "insecure-http", description: "allow unencrypted http:// to other machines" },
  {
    name: "output",
    short: "o",
    value: "<format>",
    description: `output format: ${joinList(FORMATS)}`,
  },
  { name: "json", description: "same as --output json; errors and other messages are also JSON" },
  {
    name: "fields",
    value: "<a,b,c>",
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
  return Object.values<Setting>(SETTINGS).flatMap((setting) => {
    const [name, value] = setting.flag ?? [];
    if (name === undefined || value === undefined) return [];
    // Parsed here, so that an invalid value is an error even if the command does not need the setting.
    return { name, value, parse: setting.parse, description: describedSetting(setting) };
  });
}

/** The global flags, parsed. */
export interface GlobalOptions
  extends Pick<
    FlagValues<typeof RUN_FLAGS>,
    "insecureHttp" | "output" | "fields" | "quiet" | "verbose"
  > {
  /** The values of the flags that set a setting. */
  readonly settings: SettingValues;
  /** The format of rows that `--output` or `--json` selects; undefined for one of text. */
  readonly format?: Format | undefined;
  /** The columns that the rows may have. */
  readonly columns?: readonly string[] | undefined;
  /** Whether messages are JSON lines. */
  readonly json: boolean;
  readonly color: boolean;
}

/**
 * The options in the values of global flags. @param command its path: `courses ls`
 *
 * @param printed what the command prints; undefined for nothing
 * @param instead what to do instead of `--output`, if it prints nothing
 * @throws CatalogError of kind `usage` for a format that the command does not print, or fields that it does not have
 */
export function globalOptions(
  values: Readonly<Record<string, unknown>>,
  command: string,
  printed: Printed | undefined,
  instead = "Omit --output. To get errors as JSON, pass --json.",
): GlobalOptions {
  const { noColor, ...others } = values as FlagValues<typeof RUN_FLAGS>;
  const { output, json, fields } = others;
  const settings = Object.entries(SETTINGS).flatMap(([name, setting]) => {
    const value = "flag" in setting ? values[camelCase(setting.flag[0])] : undefined;
    // A flag without a value is false if it is not given.
    return value === undefined || value === false ? [] : [[name, value]];
  });
  if (output !== undefined) {
    if (printed === undefined)
      throw usageError(`--output is not available for ${command}`, instead);
    requireChoice(output, printed.formats, `--output of ${command}`);
  }
  if (json && output !== undefined && output !== "json") {
    throw usageError(`--json cannot be combined with --output ${output}`);
  }
  const wanted = json && printed !== undefined ? "json" : output;
  const format = ROW_FORMATS.find((each) => each === wanted);
  if (fields !== undefined) requireFields(fields, format, command, printed);
  return {
    ...others,
    settings: Object.fromEntries(settings),
    format,
    columns: printed?.columns,
    json: json || hasJsonMessages(format),
    color: !noColor,
  };
}

/** Requires that each name is a column, or a path in one, such as `prices[0].currency`. @throws CatalogError of kind `usage` */
function requireFields(
  fields: readonly string[],
  format: Format | undefined,
  command: string,
  { columns, onRequest = false, hasPath = () => true, suggestPath }: Partial<Printed> = {},
): void {
  if (columns === undefined) throw usageError(`--fields is not available for ${command}`);
  if (onRequest && format === undefined) {
    throw usageError("--fields needs --output or --json", "Add --json.");
  }
  if (format === "id") throw usageError("--fields cannot be combined with --output id");
  const columnOf = (name: string): string => String(parsePath(name)?.[0] ?? name);
  const isKnown = (name: string): boolean =>
    columns.includes(columnOf(name)) && hasPath(parsePath(name) ?? [name]);
  const unknown = fields.find((name) => !isKnown(name));
  if (unknown === undefined) return;
  const column = columnOf(unknown);
  const list = `Available fields: ${columns.join(", ")}.`;
  const advice = columns.includes(column)
    ? formatSuggestion(suggestPath?.(parsePath(unknown) ?? []), `See: catalog explain ${column}`)
    : suggest(column, columns, list);
  throw usageError(`unknown field ${JSON.stringify(unknown)} in --fields`, advice);
}

function parseFields(text: string): readonly string[] {
  const fields = splitList(text);
  if (fields.length === 0) throw usageError("missing <a,b,c> after --fields");
  return [...new Set(fields)];
}
