/** Compares three versions of a course: at the base, in the file, and in the catalog (docs/how-to/work-in-a-team.md). */
import { CatalogError } from "../base/errors.ts";
import { listSome, pluralize } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { diffCourses, differingFields } from "../course/difference.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import { courseLabel } from "../course/problem.ts";
import type { CourseIndex } from "./identify.ts";
import { isWrite, narrowUpdate, pickFields, refuseStep, type Side, type Step } from "./step.ts";

/** The values of `--on-drift`: what happens to fields that were changed on both sides. */
export const DRIFT_CHOICES = ["stop", "keep", "overwrite"] as const;

type DriftChoice = (typeof DRIFT_CHOICES)[number];

/**
 * For each field: where it was changed since the base. For example, the base `{ name: "A", pace: "self_paced" }`, the
 * file `{ name: "B", pace: "self_paced" }` and the catalog `{ name: "A", pace: "instructor_paced" }` give
 * `{ name: "file", pace: "catalog" }`.
 *
 * @param names of fields in which the file and the catalog differ
 */
export function compareVersions(
  names: readonly string[],
  base: PlainObject,
  file: PlainObject,
  catalog: PlainObject,
): Record<string, Side> {
  const before = pickFields(base, names);
  const namesOf = (other: PlainObject): ReadonlySet<string> =>
    new Set(differingFields(before, pickFields(other, names)).map(({ name }) => name));
  const [inFile, inCatalog] = [namesOf(file), namesOf(catalog)];
  return Object.fromEntries(
    names.map((name) => [
      name,
      inCatalog.has(name) ? (inFile.has(name) ? "both" : "catalog") : "file",
    ]),
  );
}

/** Adds to a step where its fields were changed since the base. @param base the course at the base, if it existed */
export function compareStep(step: Step, base: PlainObject | undefined): Step {
  if (!isWrite(step)) return step;
  switch (step.action) {
    case "create": {
      if (base === undefined) return step;
      const names = Object.keys(step.body).filter((name) => name !== "id");
      const changedIn = compareVersions(names, base, step.body, {});
      return { ...step, compared: { changedIn, base, event: "deleted" } };
    }
    case "update": {
      if (base === undefined) return step;
      const names = Object.keys(step.body);
      const changedIn = compareVersions(names, base, step.body, step.before);
      return { ...step, compared: { changedIn, base } };
    }
    case "delete": {
      const isSet = ({ name }: { readonly name: string }): boolean =>
        name !== "id" && (step.before[name] ?? null) !== null;
      const set = WRITABLE_FIELDS.filter(isSet).map(({ name }) => name);
      if (base === undefined) {
        const changedIn = Object.fromEntries(set.map((name) => [name, "catalog" as const]));
        return { ...step, compared: { changedIn, base: {}, event: "added" } };
      }
      // A file need not have all fields, so only the fields that it had at the base can have changed.
      const names = Object.keys(base).filter((name) => name !== "id");
      const changedIn = compareVersions(names, base, {}, step.before);
      const isChanged = Object.values(changedIn).some((side) => side !== "file");
      const event = isChanged ? { event: "changed" as const } : {};
      return { ...step, compared: { changedIn, base, ...event } };
    }
  }
}

/** Whether the file and the catalog changed the same since the base, so that the user must decide. */
export function hasDrift(step: Step): boolean {
  if (!isWrite(step) || step.compared === undefined) return false;
  const { event, changedIn } = step.compared;
  return event !== undefined || Object.values(changedIn).includes("both");
}

/**
 * The step that is sent. What changed only in the catalog is left there, unless everything is overwritten; what
 * changed on both sides is left with `keep`. With `stop`, it remains, so that the run can show and refuse it.
 */
export function settleStep(step: Step, choice: DriftChoice): Step {
  const { compared } = step;
  if (compared === undefined || choice === "overwrite") return step;
  if (step.action !== "update") {
    if (choice === "stop" || compared.event === undefined || !isWrite(step)) return step;
    return refuseStep(step, step.action, undefined, "skipped");
  }
  const isLeft = (name: string): boolean => {
    const side = compared.changedIn[name];
    return side === "catalog" || (side === "both" && choice === "keep");
  };
  const names = Object.keys(step.body).filter(isLeft);
  // The values of the catalog are the new ones, because they stay.
  const left = diffCourses(pickFields(step.before, names), pickFields(step.body, names));
  if (left.length === 0) return step;
  return { ...narrowUpdate(step, (name) => !isLeft(name)), compared: { ...compared, left } };
}

/** The refusal of steps of which the file and the catalog changed the same; undefined without such steps. */
function refuseDrift(steps: readonly Step[]): CatalogError | undefined {
  const drifted = steps.filter(hasDrift);
  if (drifted.length === 0) return undefined;
  const courses = pluralize(drifted.length, "course");
  const message = `${courses} changed in the catalog since the base: ${nameChanged(drifted)}; nothing was sent`;
  return new CatalogError("drift", message, {
    advice:
      "To keep what changed in the catalog, pass --on-drift keep. To send the values of the files, pass --on-drift overwrite.",
  });
}

/** The names of the courses, each with its fields that changed in the catalog: `"Weaving" (6f0f…): price`. */
function nameChanged(steps: readonly Step[]): string {
  return listSome(
    steps.map((step) => {
      const { event = "changed", changedIn = {} } = step.compared ?? {};
      const fields = Object.keys(changedIn).filter((name) => changedIn[name] !== "file");
      return `${courseLabel(step)}: ${event === "changed" ? fields.join(", ") : event}`;
    }),
  );
}

/** The courses of `--base`, which may have no id. */
export type BaseCourses = CourseIndex<PlainObject>;

/** The course with an id at the base, or else the one with the key or url of a description. */
export function findAtBase(
  id: string,
  descriptions: readonly PlainObject[],
  base: BaseCourses,
): PlainObject | undefined {
  const found = base.find(id);
  if (found !== undefined) return found;
  for (const { id: _, ...others } of descriptions) {
    const meaning = base.identify(others);
    // A course with another id at the base is another course.
    if (meaning.is === "found" && meaning.course.id === undefined) return meaning.course;
  }
  return undefined;
}

/** The steps that are sent, why they must not be, and what is left in the catalog. @param base undefined without `--base` */
export function settleDrift(
  planned: readonly Step[],
  base: BaseCourses | undefined,
  choice: DriftChoice,
): {
  readonly steps: readonly Step[];
  readonly refusal: CatalogError | undefined;
  readonly notices: readonly string[];
} {
  if (base === undefined) return { steps: planned, refusal: undefined, notices: [] };
  const compared = planned.map((step) => {
    const described = [step.from?.value, step.action === "delete" ? step.before : undefined];
    return compareStep(step, findAtBase(step.id, described.filter(isObject), base));
  });
  const steps = compared.map((step) => settleStep(step, choice));
  const refusal = choice === "stop" ? refuseDrift(steps) : undefined;
  return { steps, refusal, notices: describeBase(compared, steps) };
}

/** What is left in the catalog, and how many courses the base lacks. */
function describeBase(compared: readonly Step[], settled: readonly Step[]): string[] {
  const unknown = compared.filter(
    (step) => step.action === "update" && step.compared === undefined,
  );
  const left = settled.filter((step) => step.compared?.left !== undefined);
  const skipped = settled.filter(
    (step, index) => step.action !== compared[index]?.action && step.action === "refused",
  );
  const kept = [...left, ...skipped];
  const are = unknown.length === 1 ? "is" : "are";
  const its = unknown.length === 1 ? "its" : "their";
  return [
    ...(unknown.length === 0
      ? []
      : [
          `${pluralize(unknown.length, "course")} ${are} not in the base, so push sends all values of ${its} files.`,
        ]),
    ...(kept.length === 0 ? [] : [`Kept what changed in the catalog: ${nameChanged(kept)}.`]),
  ];
}
