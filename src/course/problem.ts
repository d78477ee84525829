/** The rules of courses, the problems of a course, and a course with the place that describes it. */

import { type Place, usageError } from "../base/errors.ts";
import { escapeLine, suggest, truncate, truncateJson } from "../base/text.ts";
import { asText, formatPath, type Path, type PlainObject } from "../base/values.ts";

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
  "duplicate-field": "error",
  "duplicate-key": "error",
  "duplicate-id": "error",
  "duplicate-url": "error",
  "shared-url": "warning",
  required: "error",
  incomplete: "warning",
  blank: "error",
  placeholder: "error",
  "lone-surrogate": "error",
  "inexact-number": "error",
  mojibake: "error",
  "replacement-character": "error",
  "spreadsheet-error": "error",
  markup: "warning",
  "cut-text": "warning",
  "rounded-key": "warning",
  spaces: "warning",
  invisible: "warning",
  type: "error",
  choice: "error",
  "unknown-field": "error",
  "read-only": "warning",
  uuid: "error",
  url: "error",
  "url-credentials": "error",
  "url-entity": "error",
  "language-code": "error",
  "currency-code": "error",
  amount: "error",
  "amount-decimals": "error",
  "number-range": "warning",
  "whole-number": "warning",
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
const OWN_ERRORS: ReadonlySet<RuleId> = new Set([
  "placeholder",
  "mojibake",
  "replacement-character",
  "spreadsheet-error",
  "amount-decimals",
  "url-credentials",
  "url-entity",
]);

/** Whether a rule can be a warning or off: no rule that the service has, or without which a file cannot be read. */
function canLower(rule: RuleId): boolean {
  return SEVERITIES[rule] === "warning" || OWN_ERRORS.has(rule);
}

/** Whether the service rejects a course with this problem. */
export function isRejected({ severity, rule }: Problem): boolean {
  return severity === "error" && !OWN_ERRORS.has(rule);
}

export const LOWERABLE_RULES = RULES.filter(canLower);

/** The rule with this name, for a flag that lowers it. @throws CatalogError of kind `usage` */
export function parseLowerable(name: string, origin: string): RuleId {
  const rule = requireRule(name, "", "A problem ends with its rule, such as [spaces].");
  requireLowerable(rule, origin);
  return rule;
}

/** The rule with this name. @param where the words after the name @throws CatalogError of kind `usage` */
export function requireRule(name: string, where: string, otherwise: string): RuleId {
  const rule = RULES.find((each) => each === name);
  if (rule !== undefined) return rule;
  throw usageError(`unknown rule ${truncateJson(name)}${where}`, suggest(name, RULES, otherwise));
}

/** @throws CatalogError of kind `usage` for a rule that is always an error @param origin what would lower the rule */
export function requireLowerable(rule: RuleId, origin: string): void {
  if (canLower(rule)) return;
  const advice = "Only warnings, and errors that the service would accept, can be turned off.";
  throw usageError(`${origin} cannot lower the rule ${rule}, which is always an error`, advice);
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

/** The filter for levels of rules. */
export function filterFindings(
  levelOf: (rule: RuleId) => Severity | "off" | undefined,
): FindingFilter {
  return (findings) =>
    findings.flatMap((finding) => {
      const { rule, severity } = finding;
      if (!canLower(rule)) return finding;
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

/** The problem of a complete course or, with a span, of a text. */
export function wholeProblem(
  rule: RuleId,
  message: string,
  facts: Partial<Pick<Problem, "path" | "span" | "at" | "notes">> = {},
): Problem {
  return { rule, severity: SEVERITIES[rule], at: "value", path: [], message, ...facts };
}

/** The problem of a text, such as a syntax error. */
export function textProblem(rule: RuleId, message: string, span: Span): Problem {
  return wholeProblem(rule, message, { span });
}

/** Errors of one file, and warnings: more would not help the reader, and would fill the memory. */
export const MAX_FINDINGS = 10_000;

/** A change of a course: another value at a path, or another name for the key at the end of the path. */
export type Fix =
  | { readonly path: Path; readonly value: unknown }
  | { readonly path: Path; readonly name: string };

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
  // A suggestion that does not fit into a sentence does not help to see the difference.
  const isShown = suggestion !== "" && suggestion === truncate(suggestion);
  const problem = wholeProblem(rule, `${formatPath(path)} ${text}`, { path });
  return { ...problem, ...facts, suggestion: isShown ? suggestion : undefined };
}

/** A desired course, and where it is described. */
export interface Located {
  /** The desired fields, after defaults and flags are applied, with `provider_id`. */
  readonly value: PlainObject;
  /** The name of the file; undefined if only flags, arguments or a record describe the course. */
  readonly file: string | undefined;
  /** The line of the file in which the course begins. */
  readonly line: number | undefined;
  /** The place of the value at a path; of the course itself if the value is not in the file. */
  readonly place: (path: Path) => Promise<Place | undefined>;
}

/** A course that comes from flags, arguments or a record. */
export function withoutFile(value: PlainObject): Located {
  return { value, file: undefined, line: undefined, place: async () => undefined };
}

/** `create` requires every required field. `patch` checks only the given fields, and null clears one. */
export type Mode = "create" | "patch";

/** `"Weaving" (6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21)`; only the id of a course without a name. */
export function courseLabel({ name, id }: { name?: unknown; id?: unknown }): string {
  return typeof name !== "string" || name === ""
    ? asText(id)
    : `${escapeLine(JSON.stringify(truncate(name)))} (${asText(id)})`;
}
