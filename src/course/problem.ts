/** Says what a broken rule looks like: by path, without any place in a text. */
import type { Path } from "../base/values.ts";

/** Every rule that a course file can break, as the closed list that diagnostics name. */
export const RULES = [
  "syntax",
  "encoding",
  "too-deep",
  "too-many-aliases",
  "too-large",
  "unreadable",
  "no-course",
  "not-a-course",
  "duplicate-key",
  "duplicate-id",
  "duplicate-url",
  "required",
  "blank",
  "type",
  "choice",
  "unknown-key",
  "read-only",
  "own-slug",
  "slug-form",
  "uuid",
  "url",
  "language-code",
  "currency-code",
  "amount",
  "number-range",
  "whole-number",
  "price-subscription",
  "certificate-price",
  "video-source",
  "rating-scale",
  "rating-value",
  "rating-type",
  "markup",
  "paid-content",
  "unused-image",
  "provider-twice",
  "provider-unknown",
  "provider-owned",
  "url-host",
  "url-other-provider",
  "other-id",
  "same-course",
  "several-courses",
  "too-many",
  "service",
] as const;

export type RuleId = (typeof RULES)[number];

export type Severity = "error" | "warning";

/** One broken rule of one course. */
export interface Problem {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** From the course to the value; for a missing key, the path that the key would have. */
  readonly path: Path;
  /** Whether the value, its key, or (for a missing key) the enclosing mapping is meant. */
  readonly at: "value" | "key" | "parent";
  /** One clause without a full stop, naming the field. */
  readonly message: string;
  /** What was probably meant, as it would be written. */
  readonly suggestion?: string;
  /** What helps to mend it and is too long for the message: one sentence each. */
  readonly notes?: readonly string[];
}

/** Takes one problem; severity is `error` and `at` is `value` unless said otherwise. */
export type Report = (
  problem: Omit<Problem, "severity" | "at"> & Partial<Pick<Problem, "severity" | "at">>,
) => void;
