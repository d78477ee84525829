/** Describes the arguments and flags of a command, and reads their values from a command line. */
import { usageError } from "../base/errors.ts";
import { requireChoice } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";

/** What completion offers for a value; for `command`, the words of another command line. */
export type Completes =
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
  /** The values it accepts, if there are few. */
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  /** May be given several times. */
  readonly repeatable?: boolean;
  /** The heading that the help lists it under; "Flags" by default. */
  readonly group?: string;
  readonly description: string;
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

/** The arguments and flags of a command line; flags by their long names. */
export interface ParsedArguments {
  readonly arguments: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** The words after `--`, which are arguments, too; undefined without `--`. */
  readonly passthrough: readonly string[] | undefined;
}

type Flags = Pick<ParsedArguments, "flags">;

/** The value of a flag, if it was given. */
export function getString({ flags }: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** The value of a flag that names a file to write. @throws CatalogError of kind `usage` */
export function getNewFile(typed: Flags, name: string): string | undefined {
  const file = getString(typed, name);
  if (file === "" || file === "-") throw usageError(`--${name} needs the name of a file`);
  return file;
}

/** The values of a repeatable flag, in the order given. */
export function getStrings({ flags }: Flags, name: string): readonly string[] {
  const value = flags[name];
  return Array.isArray(value) ? value : [];
}

/** Whether a flag without a value was given. */
export function isSet({ flags }: Flags, name: string): boolean {
  return flags[name] === true;
}

/** A whole number of at least `minimum`. @throws CatalogError of kind `usage` */
export function getInteger({ flags }: Flags, name: string, minimum: number): number | undefined {
  const text = getString({ flags }, name);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (value >= minimum && Number.isSafeInteger(value)) return value;
  throw usageError(
    `--${name} must be a whole number of at least ${minimum}, not ${JSON.stringify(text)}`,
  );
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** A duration such as `90s`, `10m` or `2h` in milliseconds; without a unit, seconds. */
export function getDuration({ flags }: Flags, name: string): number | undefined {
  const text = getString({ flags }, name);
  if (text === undefined) return undefined;
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  const value = Number(amount) * UNITS[unit as keyof typeof UNITS];
  if (value <= LONGEST_DURATION) return value;
  throw usageError(
    `--${name} must be a duration of at most 24 days, such as 90s, 10m or 2h, not ${JSON.stringify(text)}`,
  );
}

/** The longest delay of a timer, in milliseconds. */
const LONGEST_DURATION = 2 ** 31 - 1;

/** The values of a flag that is true or false. */
export const BOOLEANS = ["true", "false"] as const;

/** The value of a flag that is `true` or `false`. @throws CatalogError of kind `usage` */
export function getBoolean({ flags }: Flags, name: string): boolean | undefined {
  const text = getChoice({ flags }, { name, choices: BOOLEANS });
  return text === undefined ? undefined : text === "true";
}

/** One of the choices that the flag declares. @throws CatalogError of kind `usage` */
export function getChoice<Choice extends string>(
  { flags }: Flags,
  { name, choices }: { readonly name: string; readonly choices: readonly Choice[] },
): Choice | undefined {
  const text = getString({ flags }, name);
  if (text === undefined) return undefined;
  const problem = `--${name} must be ${joinList(choices)}, not ${JSON.stringify(text)}`;
  return requireChoice(text, choices, problem);
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
