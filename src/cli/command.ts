/** Declares commands: each is one object, with flags as data and `parse` separate from `run`; and the exit codes. */

import { CatalogError, type ErrorKind } from "../base/errors.ts";
import type { Printed } from "../output/formats.ts";
import type { Argument, Flag, Typed } from "./arguments.ts";
import type { Context, StopSignal } from "./context.ts";
import type { Stages } from "./work.ts";

/** The codes of a run that a signal stopped. */
export const STOP_CODES = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
} as const satisfies Record<StopSignal, number>;

/** The exit code of each kind of error. In a run with several kinds, the first in this order decides. */
const CODES = {
  interrupted: 130,
  cancelled: 2,
  usage: 2,
  record: 2,
  auth: 4,
  unreachable: 6,
  file: 3,
  missing: 5,
  rejected: 1,
  stale: 1,
  output: 1,
  internal: 1,
  drift: 7,
} as const satisfies Record<ErrorKind, number>;

const PRECEDENCE = Object.keys(CODES) as ErrorKind[];

/** The exit code of a run with errors of these kinds; 0 for none. */
export function exitCode(kinds: readonly ErrorKind[]): number {
  const worst = PRECEDENCE.find((kind) => kinds.includes(kind));
  return worst === undefined ? 0 : CODES[worst];
}

/** Ends a run without a message, because its failures were already reported. */
export class ReportedError extends CatalogError {
  constructor(kind: ErrorKind) {
    super(kind, "");
  }
}

/** A command. `Input` is what `parse` makes of the command line; without `parse`, what was typed. */
interface Definition<Input, Flags extends readonly Flag[]> {
  readonly description?: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: Flags;
  /** What it prints in the format of `--output`; by default, nothing. */
  readonly output?: Printed;
  /** Whether its output may contain the API key, which other commands mask. */
  readonly showsKey?: boolean;
  /** Command lines for the help, by what they do: an imperative without a period. */
  readonly examples: Readonly<Record<string, string>>;
  /** Turns arguments and flags into the input, without I/O. @throws CatalogError of kind `usage` */
  parse?(typed: Typed<Flags>): Input;
  /** What it prints for this input; by default, its `output`. */
  printed?(input: Input): Printed | undefined;
  /** What to do instead of `--output` where it prints nothing. */
  readonly instead?: string;
  /**
   * Runs the command. It reports failures of single courses to `context.messages`. A command with reports works in
   * stages, which yield what the reports contain.
   *
   * @returns the exit code, if it does not follow from the reported failures
   * @throws CatalogError if the run fails
   */
  run(
    input: Input,
    context: Context,
  ): Promise<number | undefined> | Promise<void> | Stages<number | undefined>;
}

/** A command whose types do not matter. */
export interface AnyCommand extends Omit<Definition<unknown, readonly Flag[]>, "parse"> {
  parse?(typed: Typed): unknown;
}

/** Declares a command; the types of its flags and of its input are inferred. */
export function command<const Flags extends readonly Flag[] = readonly [], Input = Typed<Flags>>(
  // Without `parse`, the input is what was typed.
  definition: Definition<Input, Flags> &
    (Typed<Flags> extends Input ? unknown : { parse: unknown }),
): AnyCommand {
  // Safe without these types: `parse` gets only the values of these flags, and `run` only its result.
  return definition;
}
