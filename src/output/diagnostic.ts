/** Says what a check came to. */
import type { Diagnostic } from "../files/diagnostic.ts";

export type { Diagnostic } from "../files/diagnostic.ts";

/** What a check came to. */
export interface CheckReport {
  /** How many files were checked. */
  readonly files: number;
  /** How many courses they hold. */
  readonly courses: number;
  readonly diagnostics: readonly Diagnostic[];
}
