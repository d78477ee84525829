/** What a command is: one object, its flags as data, `parse` apart from `run`. */

import type { Argument, Flag, ParsedArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";

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
  /** What `--fields` may name, where it shows rows. */
  readonly columns?: readonly string[];
  /** Whether it is there to show a key, which no other command does. */
  readonly showsKey?: boolean;
  readonly examples: readonly Example[];
  /** How it may end beside 0, 2 and by a signal, as its help says. */
  readonly exits: readonly ExitCode[];
  /** Typed words to typed values, without any I/O. @throws CatalogError of kind `usage` */
  readonly parse: (words: ParsedArguments) => Input;
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
