/** Describes commands: one object each, with its flags as data and `parse` separate from `run`. */
import type { Argument, Flag, ParsedArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";

/** An example for the help: what it does, and the command line. */
export interface Example {
  readonly description: string;
  readonly line: string;
}

/** A command. `Input` is what `parse` returns. */
export interface Command<Input> {
  readonly description?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /** The fields that `--fields` accepts, if the command shows rows. */
  readonly columns?: readonly string[];
  /** Whether its output may contain the key, which is masked everywhere else. */
  readonly showsKey?: boolean;
  /** Whether its output is long, so that a terminal shows it in the pager; by default it is not. */
  readonly isLong?: (input: Input) => boolean;
  readonly examples: readonly Example[];
  /** Its exit codes besides 0, 2 and those of signals. */
  readonly exits: readonly ExitCode[];
  /** Turns arguments and flags into typed values, without I/O. @throws CatalogError of kind `usage` */
  readonly parse: (words: ParsedArguments) => Input;
  /**
   * Runs the command. Failures of single items go to `context.messages`; a failure of the run is
   * thrown. If it resolves with a number, that is the exit code.
   */
  readonly run: (input: Input, context: Context) => Promise<number | undefined> | Promise<void>;
}

/** A command whose type of input does not matter. */
export type AnyCommand = Command<unknown>;

/** Declares a command; the type of its input is inferred from `parse`. */
export function command<Input>(definition: Command<Input>): AnyCommand {
  // `run` only ever gets what `parse` of the same object returned.
  return definition as AnyCommand;
}
