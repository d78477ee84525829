/** What can be typed behind a command, and what was. */

/** One flag of a command. */
export interface Flag {
  /** The long name, without dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What its value is called in the help: `<uuid>`. A flag without one is true or absent. */
  readonly value?: string;
  /** May be given several times. */
  readonly repeatable?: boolean;
  readonly description: string;
}

/** One positional word, or several of them. */
export interface Argument {
  readonly name: string;
  readonly required?: boolean;
  readonly variadic?: boolean;
  readonly description: string;
}

/** What was typed, by the flags' long names. */
export interface Words {
  readonly arguments: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  /** Those of the arguments that stood behind `--`; undefined when there was none. */
  readonly behindDashes: readonly string[] | undefined;
}
