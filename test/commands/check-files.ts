/** The parsed report of `check`. */
import type { RunResult } from "../rig.ts";

export const json = (value: unknown): string => JSON.stringify(value);
/** A problem as `check --json` prints it. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly rule: string;
  readonly message: string;
  readonly suggestion?: string;
}

export interface Report {
  readonly files: number;
  readonly courses: number;
  readonly errors: number;
  readonly warnings: number;
  readonly problems: readonly Finding[];
}
export const parseReport = (ran: RunResult): Report => JSON.parse(ran.stdout) as Report;
