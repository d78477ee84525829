/** Plans updates: merges the values from files and flags with the courses in the catalog. */

import { CatalogError, LIST_COURSES } from "../../base/errors.ts";
import { truncateJson } from "../../base/text.ts";
import { formatPath, type PlainObject, valueAt } from "../../base/values.ts";
import { flagError } from "../../cli/assignments.ts";
import type { Context } from "../../cli/context.ts";
import { stopAtErrors } from "../../cli/course-files.ts";
import { type Assignment, assign, orderAssignments } from "../../core/assign.ts";
import { FileCourse, type Found, locateError, placeFound } from "../../core/located.ts";
import { planChange, refuseStep, type Step } from "../../core/step.ts";
import { causedSince } from "../../course/check.ts";
import { EXTERNAL_KEY } from "../../course/field-names.ts";
import type { Located } from "../../course/located.ts";
import type { Problem } from "../../course/problem.ts";
import type { CellPart } from "../../files/course-file.ts";
import { withValue } from "./drafts.ts";
import type { UpdateTarget } from "./update-targets.ts";

/**
 * The step of each course: an update, or refused if the course does not exist.
 *
 * @param nested the values that flags set inside fields, such as `prices[0].price`
 * @throws CatalogError if a change breaks a rule; problems of files are reported first
 */
export async function planUpdates(
  targets: readonly UpdateTarget[],
  nested: readonly Assignment[],
  context: Context,
): Promise<Step[]> {
  const found: Found[] = [];
  const steps: Step[] = [];
  for (const { from, course: remote } of targets) {
    if (remote === undefined) {
      steps.push(await refuseMissing(from));
      continue;
    }
    const { value, problems } = mergeParts(remote, from);
    found.push(...problems.map((problem) => ({ from, problem })));
    const wanted = mergeNested(remote, value, nested);
    steps.push(planChange(withValue(from, wanted), remote, { partial: true }));
  }
  const refused = steps.flatMap((step) => (step.action === "refused" ? (step.error ?? []) : []));
  if (found.length > 0) await stopAtErrors(await placeFound(found), refused, context);
  return steps;
}

/** The refused step of a course that does not exist, with its place in the file. */
async function refuseMissing(from: Located): Promise<Step> {
  const { value } = from;
  const field = ["id", EXTERNAL_KEY, "url"].find((name) => typeof value[name] === "string") ?? "id";
  const message = `no course has the ${field} ${truncateJson(value[field])}`;
  const error = new CatalogError("missing", message, { advice: LIST_COURSES });
  const { name, url } = value;
  const id = typeof value.id === "string" ? value.id.toLowerCase() : "";
  return refuseStep({ id, name, url, from }, "update", await locateError(error, from, [field]));
}

/** The given fields, completed where a row has only parts of a field, and the errors that the parts cause. */
function mergeParts(remote: PlainObject, from: Located) {
  const parts = from instanceof FileCourse ? (from.source.parts ?? []) : [];
  if (parts.length === 0) return { value: from.value, problems: [] };
  const base = { ...from.value, ...pickChanged(remote, parts) };
  let value: PlainObject = base;
  for (const part of toAssignments(parts, remote)) {
    try {
      value = assign(value, [part], "null");
    } catch (thrown) {
      if (!(thrown instanceof CatalogError)) throw thrown;
      const { path } = part;
      const problem = { rule: "required", severity: "error", at: "value", path } as const;
      return { value, problems: [{ ...problem, message: thrown.message }] };
    }
  }
  return { value, problems: findErrors(base, value) };
}

/** The parts, ordered so that lists grow and shrink at their ends, without removals of values that are absent. */
function toAssignments(parts: readonly CellPart[], remote: PlainObject): readonly Assignment[] {
  const index = ({ path }: Assignment): number =>
    Number(path.find((step) => typeof step === "number") ?? 0);
  const made = parts
    .filter(({ path, value }) => (value ?? valueAt(remote, path) ?? null) !== null)
    .map(({ path, value }) => ({ path, value: value ?? undefined, origin: formatPath(path) }));
  return orderAssignments(made.sort((one, other) => index(one) - index(other)));
}

/** The given fields, and the complete fields inside which the assignments change a value. */
function mergeNested(
  remote: PlainObject,
  given: PlainObject,
  nested: readonly Assignment[],
): PlainObject {
  if (nested.length === 0) return given;
  const base = { ...pickChanged(remote, nested), ...given };
  const course = assign(base, nested, "null");
  const caused = findErrors(base, course);
  if (caused.length > 0) throw flagError(caused, nested);
  return course;
}

function pickChanged(course: PlainObject, changes: readonly Pick<CellPart, "path">[]): PlainObject {
  const fields = new Set(changes.map(({ path }) => String(path[0])));
  return Object.fromEntries([...fields].map((field) => [field, course[field]]));
}

/** The errors that changes cause. Other errors are in the catalog already, so the service accepts them. */
function findErrors(base: PlainObject, changed: PlainObject): Problem[] {
  const caused = causedSince(base, { mode: "patch" })(changed);
  return caused.filter(({ severity }) => severity === "error");
}
