/** Describes the arguments and flags of a command, and reads their values from a command line. */
import { usageError } from "../base/errors.ts";
import { requireChoice } from "../base/suggest.ts";
import { isUuid } from "../base/values.ts";

/** What completion offers for a value; for `command`, the words of another command line. */
type Completes =
  | "course-file"
  | "file"
  | "@file"
  | "folder"
  | "course"
  | "provider"
  | "run"
  | "profile"
  | "columns"
  | "languages"
  | "field-path"
  | "assignment"
  | "report"
  | "command";

export interface Flag {
  /** The long name, without dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /**
   * The name of its value in the help: `<uuid>`, or `[rule]` if the value may be left out. A flag
   * without a value is true.
   */
  readonly value?: string;
  /** The values it accepts, if there are few; with `parse`, those that completion offers. */
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  /**
   * Reads the value; without it, the value is one of `choices`, or any text.
   *
   * @throws CatalogError of kind `usage` for a bad value
   */
  readonly parse?: (text: string, flag: string) => unknown;
  /** May be given several times. */
  readonly repeatable?: boolean;
  /** It has an effect only together with one of these flags. */
  readonly needs?: readonly string[];
  /** Flags that it cannot be combined with, because they would have no effect. */
  readonly excludes?: readonly string[];
  /** Whether no help, document or completion names it: an old name that still works. */
  readonly isHidden?: boolean;
  /** The heading that the help lists it under; "Flags" by default. */
  readonly group?: string;
  readonly description: string;
}

/** The flags that help, documents and completion name. */
export function listedFlags(flags: readonly Flag[] = []): readonly Flag[] {
  return flags.filter(({ isHidden = false }) => !isHidden);
}

/** The name of a value with few choices in the help: `<a|b>`. */
export function alternatives(choices: readonly string[]): string {
  return `<${choices.join("|")}>`;
}

/** One positional argument, or several. */
export interface Argument {
  readonly name: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  readonly description: string;
}

/** What a command line says: the arguments as typed, and the values of the command's own flags. */
export interface ParsedArguments<Flags extends readonly Flag[] = readonly []> {
  readonly arguments: readonly string[];
  readonly values: FlagValues<Flags>;
  /** The words after `--`, which are arguments, too; undefined without `--`. */
  readonly passthrough: readonly string[] | undefined;
}

/**
 * The values of flags by their names in camel case: `dry-run` is `dryRun`. Without those of the course's
 * fields, whose names are not in the types.
 */
export type FlagValues<Flags extends readonly Flag[]> = {
  readonly [Each in Flags[number] as string extends Each["name"]
    ? never
    : CamelCase<Each["name"]>]: FlagValue<Each>;
};

/** Whether a flag was given if it has no value; otherwise its value, or the list of its values. */
type FlagValue<Each extends Flag> = Each extends { readonly repeatable: true }
  ? readonly SingleValue<Each>[]
  : Each extends { readonly value: string }
    ? SingleValue<Each> | (Each["value"] extends `[${string}` ? true : never) | undefined
    : boolean;

type SingleValue<Each extends Flag> = Each extends {
  readonly parse: (text: string, flag: string) => infer Value;
}
  ? Value
  : Each extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : string;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The name of a flag's value in `ParsedArguments`: `dryRun` of `dry-run`. */
export function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** The `parse` of a flag whose value is a whole number of at least `minimum`. */
export function wholeNumber(minimum: number): (text: string, flag: string) => number {
  return (text, flag) => {
    const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
    if (value >= minimum && Number.isSafeInteger(value)) return value;
    throw usageError(
      `--${flag} must be a whole number of at least ${minimum}, not ${JSON.stringify(text)}`,
    );
  };
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A duration such as `90s`, `10m` or `2h` in milliseconds; without a unit, seconds. */
export function parseDuration(text: string, flag: string): number {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const value = Number(amount) * UNITS[unit as keyof typeof UNITS];
  if (value <= LONGEST_DELAY) return value;
  throw usageError(
    `--${flag} must be a duration of at most 24 days, such as 90s, 10m or 2h, not ${JSON.stringify(text)}`,
  );
}

/** The longest delay of a timer, in milliseconds. */
export const LONGEST_DELAY = 2 ** 31 - 1;

/** The values of a flag that is true or false. */
export const BOOLEANS = ["true", "false"] as const;

/** The `parse` of such a flag. */
export function parseBoolean(text: string, flag: string): boolean {
  const problem = `--${flag} must be true or false, not ${JSON.stringify(text)}`;
  return requireChoice(text, BOOLEANS, problem) === "true";
}

/** The `parse` of a flag whose value an unset variable must not leave empty. */
export function nonEmpty(text: string, flag: string): string {
  const trimmed = text.trim();
  if (trimmed !== "") return trimmed;
  throw usageError(`--${flag} must not be empty`);
}

/** The `parse` of a flag that names a file to write. */
export function newFile(file: string, flag: string): string {
  if (file !== "" && file !== "-") return file;
  throw usageError(`--${flag} needs the name of a file`);
}

/** A UUID in lower case. @param what its name in the error: `the course id`, `--id` */
export function parseUuid(text: string, what: string): string {
  const trimmed = text.trim();
  if (isUuid(trimmed)) return trimmed.toLowerCase();
  throw usageError(
    `${what} must be a UUID, not ${JSON.stringify(trimmed)}`,
    'A UUID looks like 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10; "catalog courses ls -o id" lists those of your courses.',
  );
}
