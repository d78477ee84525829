/** What `diff` shows, from whichever side it looks. */
import type { PlainObject } from "../../base/values.ts";
import type { RunState } from "../../command-support/run-report.ts";
import type { ReportedPlan, Target } from "../../output/diagnostics.ts";
import type { PlanEntry } from "../../output/plan.ts";

/** The two sides compared, as it is shown. */
export interface Comparison {
  /** What reports say. */
  readonly known: RunState;
  readonly target: Target;
  readonly counts: ReportedPlan["counts"];
  readonly summary: string;
  /** The courses that differ, for people. */
  readonly entries: readonly PlanEntry[];
  /** The same for programs. */
  readonly rows: readonly PlainObject[];
  readonly notices: readonly string[];
  /** What is done after it was shown. */
  readonly finish?: () => Promise<void>;
}
