/** Describes the arguments and flags of a command, and what was parsed from a command line. */

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

/** One flag of a command. */
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
