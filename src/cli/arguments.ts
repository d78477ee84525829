/** The types of a command's arguments and flags, and parsers for their values. */
import { usageError } from "../base/errors.ts";
import { STANDARD_INPUT } from "../base/io.ts";
import { joinList, requireChoice } from "../base/text.ts";
import { isUuid } from "../base/values.ts";
import { REPORT_FORMATS, type ReportFormat } from "../output/formats.ts";
import { SETTINGS } from "../settings/table.ts";

export interface Flag {
  readonly name: string;
  readonly short?: string;
  /** The name of its value in the help: `<uuid>`, or `[rule]` for an optional value. Without a name and choices, it has no value. */
  readonly value?: string;
  /** The values that it accepts, if there are few. With `parse`, only completion uses them. */
  readonly choices?: readonly string[];
  /** Parses the value. Without a parser, it is one of `choices`, or any text. @param origin `--limit` @throws CatalogError of kind `usage` */
  readonly parse?: (text: string, origin: string) => unknown;
  readonly repeatable?: boolean;
  /** What the command does with the file or folder that its value names. A file that is read is never written. */
  readonly file?: "read" | "written";
  /** A flag without which it would be misunderstood. */
  readonly needs?: string;
  /** Flags that cannot be combined with it. A flag that only has no effect is accepted. */
  readonly excludes?: readonly string[];
  /** Its heading in the help; "Flags" by default. */
  readonly group?: string;
  readonly description: string;
}

/** The flag of every command that changes something. */
export const DRY_RUN_FLAG = {
  name: "dry-run",
  description: "show what would change; change nothing",
} as const satisfies Flag;

export const MAX_DELETES_FLAG = {
  name: "max-deletes",
  value: "<n or p%>",
  parse: SETTINGS.maxDeletes.parse,
  description:
    "with --prune: refuse to delete more than this (default: 5 or 10%, whichever is larger)",
} as const satisfies Flag;

/** The flag of commands that list data. Some shells destroy the bytes of a workbook that is redirected. */
export const FILE_FLAG = {
  name: "out",
  value: "<file>",
  parse: newFile,
  file: "written",
  description: "write JSON, NDJSON, YAML, CSV or XLSX, by the extension, to this file",
} as const satisfies Flag;

/** One requested report. */
export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

/** Makes the flag of a command that writes reports in these formats. */
export function reportFlag(formats: readonly ReportFormat[]) {
  const example = "For example: --report html=courses.html";
  return {
    name: "report",
    value: "<format=file>",
    choices: formats.map((format) => `${format}=`),
    repeatable: true,
    file: "written",
    parse: (text: string): ReportTarget => {
      const [, word = text, file = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
      const format = requireChoice(word, formats, "the format of --report", example);
      if (!/^\s*$|^-$|[/\\]$/.test(file)) return { format, file };
      throw usageError(`--report ${text} must name a file`, example);
    },
    description: `also write a report to a file: ${joinList(formats)}`,
  } as const satisfies Flag;
}

export const REPORT_FLAG = reportFlag(REPORT_FORMATS);

/** The name of a flag's value in the help: `<uuid>`, `<yaml|json>`. A flag without a value has none. */
export function valueName({ value, choices }: Flag): string | undefined {
  return value ?? (choices && `<${choices.join("|")}>`);
}

/** An argument without a flag or, if it is variadic, any number of them. */
export interface Argument {
  readonly name: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
  /** Whether its words are those of another program, which may be empty. */
  readonly isForeign?: boolean;
  readonly description: string;
}

/** What a command line says: the values of the command's flags, and the words that are not flags. */
export type Typed<Flags extends readonly Flag[] = readonly []> = FlagValues<Flags> & {
  /** The arguments. */
  readonly words: readonly string[];
  /** The words after `--`, which `words` also contains; undefined without `--`. */
  readonly passthrough: readonly string[] | undefined;
};

/**
 * The values of flags by their names in camel case: `dry-run` is `dryRun`. The flags of course fields are missing
 * from this type, because their names come from the schema.
 */
export type FlagValues<Flags extends readonly Flag[]> = {
  readonly [Each in Flags[number] as string extends Each["name"]
    ? never
    : CamelCase<Each["name"]>]: FlagValue<Each>;
};

/** For a flag without a value: whether it was given. For other flags: the value, or the list of values. */
type FlagValue<Each extends Flag> = Each extends { readonly repeatable: true }
  ? readonly SingleValue<Each>[]
  : Each extends { readonly value: `[${string}` }
    ? SingleValue<Each> | true | undefined
    : Each extends { readonly value: string } | { readonly choices: readonly string[] }
      ? SingleValue<Each> | undefined
      : boolean;

type SingleValue<Each extends Flag> = Each extends {
  readonly parse: (text: string, origin: string) => infer Value;
}
  ? Value
  : Each extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The name of a flag's value in `Typed`: `dryRun` of `dry-run`. */
export function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The `parse` of a flag whose value must not be empty: a script may pass a variable that is not set. */
export function nonEmpty(text: string, origin: string): string {
  const trimmed = text.trim();
  if (trimmed !== "") return trimmed;
  throw usageError(`${origin} must not be empty`);
}

/** The `parse` of a flag that names a file to write. */
export function newFile(file: string, origin: string): string {
  if (file !== "" && file !== "-") return file;
  throw usageError(`${origin} must be the name of a file, not ${JSON.stringify(file)}`);
}

/** The `parse` of a flag whose value is a UUID, which it makes lowercase. */
export function parseUuid(text: string, origin: string): string {
  const trimmed = text.trim();
  if (isUuid(trimmed)) return trimmed.toLowerCase();
  throw usageError(`${origin} must be a UUID, not ${JSON.stringify(trimmed)}`);
}

/** Refuses a second `-`, and an empty word, among any number of words. @throws CatalogError of kind `usage` */
export function checkWords(words: readonly string[]): void {
  if (words.filter((word) => word === STANDARD_INPUT).length > 1) {
    throw usageError("standard input can be read only once", "Pass - only once.");
  }
  if (words.every((word) => word.trim() !== "")) return;
  throw usageError('an argument must not be ""', "It may be a shell variable that is not set.");
}
