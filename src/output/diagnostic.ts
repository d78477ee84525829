/** Says what a check came to. */
import type { Diagnostic } from "../files/diagnostic.ts";

export type { Diagnostic } from "../files/diagnostic.ts";

/** What a check came to. */
export interface CheckReport {
  /** The names of the files, in their order; those that could not be read among them. */
  readonly files: readonly string[];
  /** How many courses they hold. */
  readonly courses: number;
  /** In the order of the files and of their places. */
  readonly diagnostics: readonly Diagnostic[];
  /** What was done with the courses after the check, as sentences of our own. */
  readonly outcome?: readonly string[];
}
