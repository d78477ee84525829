/** What fixing a text results in. */
import type { Path } from "../base/values.ts";
import type { RuleId } from "../course/problem.ts";
import type { Range } from "./position.ts";

/** A fix that was applied, where its problem was. */
export interface AppliedFix extends Range {
  readonly rule: RuleId;
  readonly path: Path;
  /** What was written, or the key of a renamed entry. */
  readonly old: unknown;
  readonly new: unknown;
}

export interface FixedText {
  readonly text: string;
  readonly fixes: readonly AppliedFix[];
}

/** Whether another course has a value that must be unique. */
export type IsTaken = (field: string, value: unknown) => boolean;
