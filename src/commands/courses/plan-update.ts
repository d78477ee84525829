/** Finds the courses that `update` changes, and merges the values from files and flags with those in the catalog. */
import { CatalogError, LIST_COURSES, UNRELIABLE_LISTING, usageError } from "../../base/errors.ts";
import { truncateJson } from "../../base/text.ts";
import type { PlainObject } from "../../base/values.ts";
import { type Assignment, assign, flagError } from "../../cli/assignments.ts";
import { ReportedError } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { stopAtErrors } from "../../cli/course-files.ts";
import type { Base } from "../../core/base.ts";
import { type CourseIndex, NAMES } from "../../core/identify.ts";
import { FileCourse, type Found, locateError, placeFound } from "../../core/located.ts";
import { pickFields, planChange, planCreation, type Step } from "../../core/step.ts";
import { type Match, matchDesired } from "../../core/sync.ts";
import { causedProblems } from "../../course/check.ts";
import { courseLabel, type Located, type Problem } from "../../course/problem.ts";
import { type Course, toCreateBody } from "../../course/request-body.ts";
import { withParts } from "../../files/path-keys.ts";
import { withValue } from "./drafts.ts";

const UNNAMED = "id, key and url are missing; update needs one of them to find the course";

/** The courses of files that exist, or that the catalog lost since the base. Reports the others. @throws CatalogError if one is unclear */
export async function findDescribed(
  drafts: readonly Located[],
  index: CourseIndex<Course>,
  base: Base | undefined,
  context: Context,
): Promise<readonly Match<Course>[]> {
  const { matches, unclear } = matchDesired(drafts, index, base);
  const isKnown = ({ course, isUntouched }: Match<Course>) => course !== undefined || isUntouched;
  for (const { from } of matches.filter((match) => !isKnown(match))) {
    if (!index.isReliable) {
      throw usageError(UNRELIABLE_LISTING, "Nothing was sent. Run the command again.");
    }
    const name = NAMES.find((each) => typeof from.value[each] === "string");
    const message = name && `no course has the ${name} ${truncateJson(from.value[name])}`;
    const kind = message === undefined ? "file" : "missing";
    const error = new CatalogError(kind, message ?? UNNAMED, { advice: LIST_COURSES });
    await context.messages.fail(await locateError(error, from, [name ?? "id"]));
  }
  await stopAtErrors(await placeFound(unclear), context);
  return matches.filter(isKnown);
}

/**
 * The update of each course; the creation of one that the catalog lost since the base.
 *
 * @param nested the values that flags set inside fields, such as `prices[0].price`
 * @throws CatalogError if a change breaks a rule
 */
export async function planUpdates(
  targets: readonly Match<Course>[],
  nested: readonly Assignment[],
  context: Context,
): Promise<Step[]> {
  const found: Found[] = [];
  const steps = targets.map(({ from, id, course }): Step => {
    if (course === undefined) return planCreation(from, toCreateBody(from.value, id));
    const { value, problems } = mergeParts(course, from, nested);
    found.push(...problems.map((problem) => ({ from, problem })));
    return planChange(withValue(from, value), course, { partial: true });
  });
  await stopAtErrors(await placeFound(found), context);
  // A file that names no course is an error like an argument that names none: no course is changed.
  if (context.messages.kinds.length > 0) throw new ReportedError("missing");
  return steps;
}

/**
 * The given fields, completed where a row or a flag has only a part of a field, and the errors that parts of a row
 * cause. @throws CatalogError for errors that flags cause
 */
function mergeParts(remote: Course, from: Located, nested: readonly Assignment[]) {
  const parts = from instanceof FileCourse ? (from.source.parts ?? []) : [];
  const presentOf = (paths: readonly Pick<Assignment, "path">[]): PlainObject =>
    pickFields(
      remote,
      paths.map(({ path: [field] }) => String(field)),
    );
  const given = { ...presentOf(nested), ...from.value, ...presentOf(parts) };
  const value = withParts(given, parts);
  const problems = parts.length === 0 ? [] : findErrors(given, value);
  if (nested.length === 0) return { value, problems };
  const course = assign(value, nested, "null");
  const caused = findErrors(value, course);
  if (caused.length > 0) throw flagError(caused, nested, `${courseLabel(remote)}: `);
  return { value: course, problems };
}

/**
 * The errors that changes cause, and the parts that they leave incomplete, because a path or a cell shows nothing of the
 * rest. Other errors are in the catalog already, so the service accepts them.
 */
function findErrors(base: PlainObject, changed: PlainObject): Problem[] {
  const caused = causedProblems(base, changed, "patch");
  const counted = caused.filter(
    ({ severity, rule }) => severity === "error" || rule === "incomplete",
  );
  return counted.map((problem) => ({ ...problem, severity: "error" }));
}
