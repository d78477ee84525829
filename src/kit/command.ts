/** What a command is: one object, its flags as data, `parse` apart from `run`. */
import type { Context } from "./context.ts";

/** One flag of a command. */
export interface Flag {
  /** The long name, without dashes. */
  readonly name: string;
  /** One letter. */
  readonly short?: string;
  /** What its value is called in the help: `<uuid>`. A flag without one is true or absent. */
  readonly value?: string;
  readonly choices?: readonly string[];
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
  /** Whether `--` stood before the arguments. */
  readonly dashes: boolean;
}

/** An example for the help: what it shows, and the line to type. */
export interface Example {
  readonly says: string;
  readonly line: string;
}

/** A command. `Input` is what `parse` makes of the words. */
export interface Command<Input> {
  readonly description?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  readonly examples: readonly Example[];
  /** Typed words to typed values, without any I/O. @throws CatalogError of kind `usage` */
  readonly parse: (words: Words) => Input;
  /**
   * Does it. Failures of single items go to `context.messages`; a failure of the whole is thrown.
   * A number that it resolves with is the exit code.
   */
  readonly run: (input: Input, context: Context) => Promise<number | undefined> | Promise<void>;
}

/** A command whose input is its own affair. */
export type AnyCommand = Command<unknown>;

/** Declares a command; the input's type is inferred from `parse`. */
export function command<Input>(definition: Command<Input>): AnyCommand {
  // `run` only ever gets what `parse` of the same object made.
  return definition as AnyCommand;
}
