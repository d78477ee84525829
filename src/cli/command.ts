/** Declares commands: each is one object, with flags as data, and with `parse` separate from `run`. */

import type { Printed } from "../output/formats.ts";
import type { Argument, Flag, ParsedArguments } from "./arguments.ts";
import type { Context } from "./context.ts";
import type { ExitCode } from "./exit-codes.ts";

/** An example for the help. */
export interface Example {
  /** What the command line does, as an imperative without a period. */
  readonly description: string;
  readonly line: string;
}

/** A command. `Input` is what `parse` returns, from arguments and the values of `Flags`. */
interface Definition<Input, Flags extends readonly Flag[]> {
  readonly description?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: Flags;
  /** What it prints in the format of `--output`; by default, nothing. */
  readonly output?: Printed;
  /** Whether its output may contain the API key, which other commands mask. */
  readonly showsKey?: boolean;
  readonly examples: readonly Example[];
  /** Its exit codes besides 0, 2 and the codes of signals. */
  readonly exits: readonly ExitCode[];
  /** Turns arguments and flags into the input, without I/O. @throws CatalogError of kind `usage` */
  parse(typed: ParsedArguments<Flags>): Input;
  /** Whether it prints its `output` for this input; by default, it always does. */
  prints?(input: Input): boolean;
  /**
   * Runs the command. It reports failures of single courses to `context.messages`.
   *
   * @returns the exit code, if it does not follow from the reported failures
   * @throws CatalogError if the run fails
   */
  run(input: Input, context: Context): Promise<number | undefined> | Promise<void>;
}

/** A command whose types do not matter. */
export interface AnyCommand extends Omit<Definition<unknown, readonly Flag[]>, "parse"> {
  parse(typed: ParsedArguments): unknown;
}

/** Declares a command; the types of its flags and of its input are inferred. */
export function command<Input, const Flags extends readonly Flag[] = readonly []>(
  definition: Definition<Input, Flags>,
): AnyCommand {
  // Safe without these types: `parse` gets only the values of these flags, and `run` only the result of `parse`.
  return definition;
}
