/** The rules of courses, and the problems of a course. `files/diagnostic.ts` adds the positions in a file. */
import { formatPath, type Path } from "../base/values.ts";

export type Severity = "error" | "warning";

/** Every rule that a course file can break, with its severity: a warning means content that is valid, but probably not intended. */
export const SEVERITIES = {
  syntax: "error",
  encoding: "error",
  "too-deep": "error",
  "too-many-aliases": "error",
  "too-large": "error",
  unreadable: "error",
  "no-course": "error",
  "not-a-course": "error",
  "not-read": "warning",
  "duplicate-key": "error",
  "duplicate-id": "error",
  "duplicate-url": "error",
  required: "error",
  blank: "error",
  placeholder: "error",
  "lone-surrogate": "error",
  "inexact-number": "error",
  mojibake: "error",
  spaces: "warning",
  invisible: "warning",
  type: "error",
  choice: "error",
  "unknown-key": "error",
  "read-only": "warning",
  uuid: "error",
  url: "error",
  "language-code": "error",
  "currency-code": "error",
  amount: "error",
  "amount-decimals": "error",
  "number-range": "error",
  "whole-number": "error",
  "price-subscription": "error",
  "certificate-price": "error",
  "video-source": "error",
  "rating-scale": "error",
  "rating-value": "error",
  "same-descriptions": "warning",
  "provider-twice": "error",
  "provider-unknown": "error",
  "provider-owned": "error",
  "url-host": "error",
  "url-other-provider": "warning",
  "same-course": "error",
  "lost-characters": "error",
  "other-id": "error",
  "several-courses": "error",
  "possible-move": "warning",
  "course-exists": "error",
  "too-many": "error",
  mapping: "error",
  service: "error",
  stale: "error",
} as const satisfies Readonly<Record<string, Severity>>;

export type RuleId = keyof typeof SEVERITIES;

export const RULES = Object.keys(SEVERITIES) as readonly RuleId[];

/** The errors that the service would accept, so that a config file may turn them off. */
const OWN_ERRORS: ReadonlySet<RuleId> = new Set(["placeholder", "mojibake", "amount-decimals"]);

/** Whether the service rejects a course with this problem. */
export function isRejected({ severity, rule }: Problem): boolean {
  return severity === "error" && !OWN_ERRORS.has(rule);
}

/** A part of a text, from `start` to before `end`, in UTF-16 units from 0. */
export interface Span {
  readonly start: number;
  readonly end: number;
  /** In a table, the name of the cell or row: `cell B2`. */
  readonly cell?: string;
}

/** One broken rule of a course, or of the text of a file. */
export interface Problem {
  readonly rule: RuleId;
  readonly severity: Severity;
  /** From the course to the value, such as `["prices", 0, "currency"]`; for a missing key, the path that it would have. */
  readonly path: Path;
  /** Where the problem is: at the value, at its key, or, for a missing key, at the object around it. */
  readonly at: "value" | "key" | "parent";
  /** The position of a problem of a text; its path is empty. */
  readonly span?: Span | undefined;
  /** A clause without a full stop that names the field: `pace must not be empty`. */
  readonly message: string;
  /** What to write instead, for `Did you mean "self_paced"?`. */
  readonly suggestion?: string | undefined;
  /** The automatic fix, if only one change can be right. */
  readonly fix?: Fix | undefined;
  /** Sentences with help that is too long for the message. */
  readonly notes?: readonly string[] | undefined;
}

/** Returns the problems to report, with the severity that the settings give them. */
export type FindingFilter = <Finding extends Pick<Problem, "rule" | "severity">>(
  findings: readonly Finding[],
) => readonly Finding[];

/** The filter for levels of rules. Errors that the service would reject always remain. */
export function filterFindings(
  levelOf: (rule: RuleId) => Severity | "off" | undefined,
): FindingFilter {
  return (findings) =>
    findings.flatMap((finding) => {
      const { rule, severity } = finding;
      if (severity === "error" && !OWN_ERRORS.has(rule)) return finding;
      const level = levelOf(rule) ?? severity;
      return level === "off" ? [] : { ...finding, severity: level };
    });
}

/** Warnings that need data of the service, so only a command that reads the catalog can report them. */
const ONLINE_WARNINGS: ReadonlySet<RuleId> = new Set(["possible-move", "url-other-provider"]);

/** Whether every command reports a problem; otherwise, only `check` does. */
export function isImportant({ severity, rule }: Pick<Problem, "severity" | "rule">): boolean {
  return severity === "error" || ONLINE_WARNINGS.has(rule);
}

/** The problem of a text, such as a syntax error. */
export function textProblem(rule: RuleId, message: string, span: Span): Problem {
  return { rule, severity: SEVERITIES[rule], at: "value", path: [], span, message };
}

/** A change of a course: another value at a path, or another name for the key at the end of the path. */
export type Fix =
  | { readonly path: Path; readonly value: unknown }
  | { readonly path: Path; readonly name: string };

/** A longer suggestion is omitted, because it does not help to see the difference. */
const LONGEST_SUGGESTION = 200;

/**
 * The problem of the value at a path: `pace must not be empty`.
 *
 * @param text a clause that follows the path
 */
export function problemAt(
  path: Path,
  rule: RuleId,
  text: string,
  facts: Partial<Pick<Problem, "at" | "suggestion" | "fix" | "notes">> = {},
): Problem {
  const { suggestion = "" } = facts;
  const isShown = suggestion !== "" && suggestion.length <= LONGEST_SUGGESTION;
  return {
    rule,
    severity: SEVERITIES[rule],
    at: "value",
    path,
    message: `${formatPath(path)} ${text}`,
    ...facts,
    suggestion: isShown ? suggestion : undefined,
  };
}
