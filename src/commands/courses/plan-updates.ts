/** Finds the courses that `update` changes, and merges the values from files and flags with those in the catalog. */
import { CatalogError, LIST_COURSES } from "../../base/errors.ts";
import { truncateJson } from "../../base/text.ts";
import { type FoundValue, formatPath, type PlainObject, valueAt } from "../../base/values.ts";
import { flagError } from "../../cli/assignments.ts";
import type { Context } from "../../cli/context.ts";
import { resolveCourses } from "../../cli/course-arguments.ts";
import { stopAtErrors, stopAtFound } from "../../cli/course-files.ts";
import { readCatalog, readProviders } from "../../cli/work.ts";
import { type Assignment, assign, orderAssignments } from "../../core/assign.ts";
import { type CourseIndex, describeMismatch, type Match } from "../../core/identify.ts";
import { FileCourse, type Found, locateError, placeFound } from "../../core/located.ts";
import { planChange, refuseStep, type Step } from "../../core/step.ts";
import { causedProblems } from "../../course/check.ts";
import { EXTERNAL_KEY } from "../../course/field-names.ts";
import type { Located } from "../../course/located.ts";
import type { Problem } from "../../course/problem.ts";
import type { Provider } from "../../course/provider.ts";
import type { Course } from "../../course/request-body.ts";
import { type DraftSources, resolveDrafts, withValue } from "./drafts.ts";

/** The new values for a course, and the course in the catalog; undefined if there is none. */
interface Target {
  readonly from: Located;
  readonly course: Course | undefined;
}

/** The fields that can name the course of a description. */
const NAMES = ["id", EXTERNAL_KEY, "url"];

/** The courses that words on the command line name. All get the fields of the flags. */
export async function findNamed(
  words: readonly string[],
  drafts: readonly Located[],
  sources: DraftSources,
  context: Context,
): Promise<Target[]> {
  const courses = await resolveCourses(words, context);
  if (courses.length === 0) return [];
  const resolved = await resolveDrafts(drafts, sources, context);
  return resolved.flatMap((from) => courses.map((course) => ({ from, course })));
}

/** Every course of files, found by its id, key or url. @throws CatalogError if it is not clear which course one means */
export async function findDescribed(
  drafts: readonly Located[],
  sources: DraftSources,
  context: Context,
): Promise<Target[]> {
  const isNamed = ({ value }: Located) => NAMES.some((name) => typeof value[name] === "string");
  const message = "id, key and url are missing; update needs one of them to find the course";
  const missing = { severity: "error", rule: "required", at: "parent", path: ["id"] } as const;
  const unnamed = drafts.filter((from) => !isNamed(from));
  await stopAtFound(
    unnamed.map((from) => ({ from, problem: { ...missing, message } })),
    context,
  );
  const resolved = await resolveDrafts(drafts, sources, context);
  const providers = await readProviders(context);
  const { index } = await readCatalog(context);
  const targets: Target[] = [];
  const unclear: Found[] = [];
  for (const from of resolved) {
    const match = findCourse(from.value, index, providers);
    if ("found" in match) targets.push({ from, course: match.found });
    else unclear.push(describeMismatch(from, match));
  }
  await stopAtFound(unclear, context);
  return targets;
}

/** The course that a description means. A key without a provider is looked for with each provider. */
function findCourse(
  description: PlainObject,
  index: CourseIndex,
  providers: readonly Provider[],
): Match<Course> {
  const { id, provider_id, [EXTERNAL_KEY]: key } = description;
  const isOpen = id === undefined && provider_id === undefined;
  const candidates = isOpen ? index.findByKey(key, providers) : [];
  const [found, ...others] = candidates;
  if (found === undefined) return index.identify(description);
  return others.length === 0 ? { found } : { candidates };
}

/**
 * The step of each course: an update, or refused if the course does not exist.
 *
 * @param nested the values that flags set inside fields, such as `prices[0].price`
 * @throws CatalogError if a change breaks a rule; problems of files are reported first
 */
export async function planUpdates(
  targets: readonly Target[],
  nested: readonly Assignment[],
  context: Context,
): Promise<Step[]> {
  const found: Found[] = [];
  const refused: CatalogError[] = [];
  const steps: Step[] = [];
  for (const { from, course } of targets) {
    if (course === undefined) {
      const error = await describeMissing(from);
      const { id, name, url } = from.value;
      const facts = { id: typeof id === "string" ? id.toLowerCase() : "", name, url, from };
      refused.push(error);
      steps.push(refuseStep(facts, "update", error));
      continue;
    }
    const { value, problems } = mergeParts(course, from, nested);
    found.push(...problems.map((problem) => ({ from, problem })));
    steps.push(planChange(withValue(from, value), course, { partial: true }));
  }
  if (found.length > 0) {
    for (const error of refused) await context.messages.fail(error);
    await stopAtErrors(await placeFound(found), context);
  }
  return steps;
}

/** The error of a course that does not exist, at its place in the file. */
async function describeMissing(from: Located): Promise<CatalogError> {
  const field = NAMES.find((name) => typeof from.value[name] === "string") ?? "id";
  const message = `no course has the ${field} ${truncateJson(from.value[field])}`;
  const error = new CatalogError("missing", message, { advice: LIST_COURSES });
  return await locateError(error, from, [field]);
}

/**
 * The given fields, completed where a row or a flag has only a part of a field, and the errors that parts of a row
 * cause. @throws CatalogError for errors that flags cause
 */
function mergeParts(remote: Course, from: Located, nested: readonly Assignment[]) {
  const cells = from instanceof FileCourse ? (from.source.parts ?? []) : [];
  const parts = toAssignments(cells, remote);
  const given = { ...pickChanged(remote, nested), ...from.value, ...pickChanged(remote, cells) };
  let value = given;
  for (const part of parts) {
    try {
      value = assign(value, [part], "null");
    } catch (thrown) {
      if (!(thrown instanceof CatalogError)) throw thrown;
      const problem = { rule: "required", severity: "error", at: "value" } as const;
      return { value, problems: [{ ...problem, path: part.path, message: thrown.message }] };
    }
  }
  const problems = parts.length === 0 ? [] : findErrors(given, value);
  if (nested.length === 0) return { value, problems };
  const course = assign(value, nested, "null");
  const caused = findErrors(value, course);
  if (caused.length > 0) throw flagError(caused, nested);
  return { value: course, problems };
}

/** The parts, ordered so that lists grow and shrink at their ends, without removals of values that are absent. */
function toAssignments(
  parts: readonly FoundValue<unknown>[],
  remote: PlainObject,
): readonly Assignment[] {
  const index = ({ path }: Assignment): number =>
    Number(path.find((step) => typeof step === "number") ?? 0);
  const made = parts
    .filter(({ path, value }) => (value ?? valueAt(remote, path) ?? null) !== null)
    .map(({ path, value }) => ({ path, value: value ?? undefined, origin: formatPath(path) }));
  return orderAssignments(made.sort((one, other) => index(one) - index(other)));
}

function pickChanged(
  course: PlainObject,
  changes: readonly Pick<FoundValue<unknown>, "path">[],
): PlainObject {
  const fields = new Set(changes.map(({ path }) => String(path[0])));
  return Object.fromEntries([...fields].map((field) => [field, course[field]]));
}

/** The errors that changes cause. Other errors are in the catalog already, so the service accepts them. */
function findErrors(base: PlainObject, changed: PlainObject): Problem[] {
  const caused = causedProblems(base, changed, { mode: "patch" });
  return caused.filter(({ severity }) => severity === "error");
}
