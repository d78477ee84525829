/** The rules, and the problems that report them by path, without positions in a file. */
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
  "lost-text",
  "typographic-quotes",
  "mojibake",
  "mojibake-part",
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
  "number-range",
  "whole-number",
  "price-subscription",
  "certificate-price",
  "video-source",
  "rating-scale",
  "rating-value",
  "rating-type",
  "markup",
  "shortcode",
  "same-descriptions",
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
  "possible-move",
  "course-exists",
  "too-many",
  "mapping",
  "service",
  "stale",
] as const;

export type RuleId = (typeof RULES)[number];

/** The errors of courses that the service would accept: people may decide otherwise about them. */
export const OWN_ERRORS: ReadonlySet<RuleId> = new Set(["placeholder", "mojibake"]);

/** Whether the service rejects a course with this problem. */
export function isRejected({ severity, rule }: Problem): boolean {
  return severity === "error" && !OWN_ERRORS.has(rule);
}

export type Severity = "error" | "warning";

/** One broken rule of one course. */
export interface Problem {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** From the course to the value; for a missing key, the path that the key would have. */
  readonly path: Path;
  /** Where the problem is: the value, its key, or (of a missing key) the enclosing object. */
  readonly at: "value" | "key" | "parent";
  /** One clause without a full stop, naming the field. */
  readonly message: string;
  /** A replacement, as it would be written. */
  readonly suggestion?: string | undefined;
  /** The change that the suggestion describes, if no other can be right. */
  readonly fix?: Fix | undefined;
  /** Help that is too long for the message: one sentence each. */
  readonly notes?: readonly string[] | undefined;
}

/** A change of a course: another value at a path, or another name of the key at its end. */
export type Fix =
  | { readonly path: Path; readonly value: unknown }
  | { readonly path: Path; readonly name: string };
