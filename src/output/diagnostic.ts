/** Says what a finding about a course file is, as it is shown. */
import type { Path } from "../base/values.ts";

/** What is wrong, and where. Lines and columns count from 1, in UTF-16 units; the end is past. */
export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: "error" | "warning";
  readonly rule: string;
  readonly message: string;
  /** What was probably meant. */
  readonly suggestion?: string;
  readonly path: Path;
  /** The line on which it starts. */
  readonly source?: string;
}

/** What a check came to. */
export interface CheckReport {
  /** How many files were checked. */
  readonly files: number;
  /** How many courses they hold. */
  readonly courses: number;
  readonly diagnostics: readonly Diagnostic[];
}
