/** The rules of courses, and the problems of a course. `files/diagnostic.ts` adds the positions in a file. */
import type { Path } from "../base/values.ts";

/** The id of every rule that a course file can break. */
export const RULES = [
  "syntax",
  "encoding",
  "too-deep",
  "too-many-aliases",
  "too-large",
  "unreadable",
  "no-course",
  "not-a-course",
  "not-read",
  "duplicate-key",
  "duplicate-id",
  "duplicate-url",
  "required",
  "blank",
  "placeholder",
  "lone-surrogate",
  "inexact-number",
  "mojibake",
  "spaces",
  "invisible",
  "too-long",
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
  "amount-decimals",
  "number-range",
  "whole-number",
  "price-subscription",
  "certificate-price",
  "video-source",
  "rating-scale",
  "rating-value",
  "rating-type",
  "markup",
  "same-descriptions",
  "paid-content",
  "unused-image",
  "provider-twice",
  "provider-unknown",
  "provider-owned",
  "url-host",
  "url-other-provider",
  "same-course",
  "lost-characters",
  "other-id",
  "several-courses",
  "possible-move",
  "course-exists",
  "too-many",
  "mapping",
  "service",
  "stale",
] as const;

export type RuleId = (typeof RULES)[number];

/** The errors that the service would accept, so that a config file may turn them off. */
export const OWN_ERRORS: ReadonlySet<RuleId> = new Set([
  "placeholder",
  "mojibake",
  "amount-decimals",
]);

/** Whether the service rejects a course with this problem. */
export function isRejected({ severity, rule }: Problem): boolean {
  return severity === "error" && !OWN_ERRORS.has(rule);
}

export type Severity = "error" | "warning";

/** One broken rule of one course. */
export interface Problem {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** From the course to the value, such as `["prices", 0, "currency"]`; for a missing key, the path that it would have. */
  readonly path: Path;
  /** Where the problem is: at the value, at its key, or, for a missing key, at the object around it. */
  readonly at: "value" | "key" | "parent";
  /** A clause without a full stop that names the field: `pace must not be empty`. */
  readonly message: string;
  /** What to write instead, for `Did you mean "self_paced"?`. */
  readonly suggestion?: string | undefined;
  /** The automatic fix, if only one change can be right. */
  readonly fix?: Fix | undefined;
  /** Sentences with help that is too long for the message. */
  readonly notes?: readonly string[] | undefined;
}

/** A change of a course: another value at a path, or another name for the key at the end of the path. */
export type Fix =
  | { readonly path: Path; readonly value: unknown }
  | { readonly path: Path; readonly name: string };
