/** What can be typed behind a command, and what was. */

/**
 * What a word may be, where completion can help: names of files, things that the service, the
 * settings or the table of fields know; of `command`, the words of another command.
 */
export type Completes =
  | "course-file"
  | "file"
  | "@file"
  | "folder"
  | "course"
  | "provider"
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
  /** What its value is called in the help: `<uuid>`. A flag without one is true or absent. */
  readonly value?: string;
  /** The values it takes, where these are a closed list. */
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  /** May be given several times. */
  readonly repeatable?: boolean;
  /** The heading under which the help lists it, where it is not its command's own. */
  readonly group?: string;
  readonly description: string;
}

/** What a value out of a closed list is called in the help: `<a|b>`. */
export function alternatives(choices: readonly string[]): string {
  return `<${choices.join("|")}>`;
}

/** One positional word, or several of them. */
export interface Argument {
  readonly name: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  readonly description: string;
}

/** What was typed, by the flags' long names. */
export interface ParsedArguments {
  readonly arguments: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** Those of the arguments that stood behind `--`; undefined when there was none. */
  readonly passthrough: readonly string[] | undefined;
}
