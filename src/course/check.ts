/** Checks one course against every rule of api.md that can be known locally. */
import { isObject, type PlainObject } from "../base/values.ts";
import { checkKey, reportUnknownKeys } from "./check-shape.ts";
import { ownSlug, paidContent, plainDescriptions, unusedImage } from "./course-rules.ts";
import { FIELDS, type Field, PROVIDER_FIELD, PROVIDER_KEY, WRITABLE_FIELDS } from "./fields.ts";
import type { Problem, Report } from "./problem.ts";
import type { KnownKeys, Rule } from "./shape.ts";

const COURSE_RULES: readonly Rule[] = [plainDescriptions, paidContent, unusedImage, ownSlug];

const KNOWN: KnownKeys = {
  owner: "a course",
  names: new Set([...FIELDS.map(({ name }) => name), PROVIDER_KEY]),
  offered: [...WRITABLE_FIELDS.map(({ name }) => name), PROVIDER_KEY],
};

/** What a course is checked for. */
export interface CheckOptions {
  /**
   * `create` (the default): every required field must be there. `patch`: only the fields given
   * must be right, and null clears a field.
   */
  readonly mode?: "create" | "patch";
  /** How many problems are enough; all of them if it is left out. */
  readonly most?: number;
}

/**
 * Every problem of one course, by path: unknown keys first, then the fields in the document's order. An empty list means
 * that the course obeys all rules that can be known without the service (cli.md sections 7 and 11).
 *
 * @param course what a course file holds, as plain data
 */
export function checkCourse(course: unknown, options: CheckOptions = {}): Problem[] {
  const { mode = "create", most = Number.POSITIVE_INFINITY } = options;
  const problems: Problem[] = [];
  const report: Report = (problem) => {
    problems.push({ severity: "error", at: "value", ...problem });
    if (problems.length >= most) throw new Enough();
  };
  try {
    checkWhole(course, mode, report);
  } catch (thrown) {
    if (!(thrown instanceof Enough)) throw thrown;
  }
  return problems;
}

/** Ends a check that has found enough: a hostile course may have millions of problems. */
class Enough extends Error {}

function checkWhole(course: unknown, mode: "create" | "patch", report: Report): void {
  if (!isObject(course)) {
    report({ rule: "not-a-course", path: [], message: "a course is a mapping of fields" });
    return;
  }
  reportUnknownKeys(course, KNOWN, [], report);
  checkProviderKeys(course, report);
  for (const field of FIELDS) checkField(course, field, mode, report);
  for (const rule of COURSE_RULES) rule.check(course, [], report);
}

/** Two ways to name the provider say the same thing twice, or two different things. */
function checkProviderKeys(course: PlainObject, report: Report): void {
  const provider = Object.hasOwn(course, PROVIDER_KEY) ? course[PROVIDER_KEY] : undefined;
  if (provider === undefined || provider === null) return;
  if (isGiven(course, "provider_id")) {
    report({
      rule: "provider-twice",
      at: "key",
      path: [PROVIDER_KEY],
      message: "provider and provider_id both name the provider: keep one of them",
    });
  }
  checkKey(course, PROVIDER_FIELD, [], report);
}

function checkField(
  course: PlainObject,
  field: Field,
  mode: "create" | "patch",
  report: Report,
): void {
  const given = isGiven(course, field.name);
  if (field.readOnly) {
    if (given) reportReadOnly(field.name, report);
    return;
  }
  if (mode === "patch" && !Object.hasOwn(course, field.name)) return;
  if (field.name === "provider_id" && !given && isGiven(course, PROVIDER_KEY)) return;
  checkKey(course, field, [], report);
}

function reportReadOnly(name: string, report: Report): void {
  report({
    rule: "read-only",
    severity: "warning",
    at: "key",
    path: [name],
    message: `${name} is set by the service alone and is not sent`,
  });
}

function isGiven(course: PlainObject, name: string): boolean {
  return Object.hasOwn(course, name) && course[name] !== null && course[name] !== undefined;
}
