/** The rule for three versions of a course: at the base, in the file, and in the catalog (docs/how-to/work-in-a-team.md). */
import { CatalogError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { diffCourses, differingFields } from "../course/difference.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Located } from "../course/problem.ts";
import { PROVIDER_KEY } from "../course/special-fields.ts";
import { CourseIndex, chooseId, EqualCourse, type Listed } from "./identify.ts";
import { FileCourse } from "./located.ts";
import type { RecordedStep } from "./record.ts";
import {
  type Compared,
  isConflict,
  isWrite,
  narrowUpdate,
  pickFields,
  type Step,
  type Write,
} from "./step.ts";

/** The values of `--on-drift`: what happens to what was changed in the file and in the catalog. */
export const DRIFT_CHOICES = ["stop", "keep", "overwrite"] as const;

type DriftChoice = (typeof DRIFT_CHOICES)[number];

/** The courses of a base, which may have no id. */
export type BaseCourses = CourseIndex<PlainObject>;

/** What courses were before they were changed: those of `--base`, or those that each workbook remembers. */
export interface Base {
  readonly all: BaseCourses;
  /** By the name of the workbook; undefined for `--base`, which is the base of all files. */
  readonly byFile?: ReadonlyMap<string | undefined, BaseCourses>;
}

/**
 * The base of workbooks.
 *
 * @param workbooks what each of them remembers, and the steps of runs that sent something from it since, the oldest first
 * @param now the catalog, which shows whether a step with an unknown result took effect
 */
export function baseOf(
  workbooks: readonly {
    readonly file: string;
    readonly courses: readonly PlainObject[];
    readonly sent: readonly RecordedStep[];
  }[],
  now: CourseIndex,
): Base {
  const lists = workbooks.map(({ file, courses, sent }) => {
    return [file, addSent(courses, sent, now)] as const;
  });
  const indexes = lists.map(([file, courses]) => [file, new CourseIndex(courses)] as const);
  const all = new CourseIndex(lists.flatMap(([, courses]) => courses));
  return { all, byFile: new Map(indexes) };
}

/** The base of a course of a file; of one that no file has, every base. */
export function baseFor(base: Base | undefined, from?: Located): BaseCourses | undefined {
  return base?.byFile === undefined || from === undefined ? base?.all : base.byFile.get(from.file);
}

/** A row of a workbook whose other fields are as they were at the base, so that they change nothing. */
export function completeRow(from: Located, base: Base | undefined): Located {
  const own = from instanceof FileCourse ? from.source.own : undefined;
  if (own === undefined || !(from instanceof FileCourse)) return from;
  const before = findAtBase(baseFor(base, from), chooseId(from.value), from.value);
  if (before === undefined) return from;
  // The provider of the row is resolved.
  const names = [...own.fields.keys()].map((name) =>
    name === PROVIDER_KEY ? "provider_id" : name,
  );
  return new FileCourse(from.source, { ...before, ...pickFields(from.value, names) });
}

/**
 * Where each field was changed since the base. For example, the base `{ name: "A", pace: "self_paced" }`, the file
 * `{ name: "B", pace: "self_paced" }` and the catalog `{ name: "A", pace: "instructor_paced" }` give
 * `{ name: "file", pace: "catalog" }`. Adding or removing a course changes all of its fields.
 *
 * @param names of the fields in which the file and the catalog differ
 * @param file undefined if no file has the course; likewise for the others
 * @returns undefined for a course that a file has and the base lacks
 */
export function compareVersions(
  names: readonly string[],
  base: PlainObject | undefined,
  file: PlainObject | undefined,
  catalog: PlainObject | undefined,
): Compared | undefined {
  if (base === undefined && file !== undefined) return undefined;
  const before = base && pickFields(base, names);
  const changedIn = (version: PlainObject | undefined): ReadonlySet<string> => {
    if (before === undefined || version === undefined) {
      return new Set(before === version ? [] : names);
    }
    return new Set(differingFields(before, pickFields(version, names)).map(({ name }) => name));
  };
  const [inFile, inCatalog] = [changedIn(file), changedIn(catalog)];
  const sides = names.map((name) => {
    return [name, inCatalog.has(name) ? (inFile.has(name) ? "both" : "catalog") : "file"] as const;
  });
  const changed = inCatalog.size > 0 ? "changed" : undefined;
  return {
    changedIn: Object.fromEntries(sides),
    base: base ?? {},
    event: base === undefined ? "added" : catalog === undefined ? "deleted" : changed,
  };
}

function compareStep(step: Write, base: PlainObject | undefined): Compared | undefined {
  const isField = (name: string): boolean => name !== "id";
  switch (step.action) {
    case "create":
      return compareVersions(Object.keys(step.body).filter(isField), base, step.body, undefined);
    case "update":
      return compareVersions(Object.keys(step.body), base, step.body, step.before);
    case "delete": {
      // A file need not have all fields, so only the fields that it had at the base can have changed.
      const set = WRITABLE_FIELDS.map(({ name }) => name).filter(
        (name) => (step.before[name] ?? null) !== null,
      );
      const names = base === undefined ? set : Object.keys(base);
      return compareVersions(names.filter(isField), base, undefined, step.before);
    }
  }
}

/**
 * The rule: what changed only in the file is sent, what changed only in the catalog is left there, and the choice decides
 * what changed in both. With `stop` that remains in the step, so that a plan can show it.
 */
function settleStep(step: Step, base: PlainObject | undefined, choice: DriftChoice): Step {
  const compared = isWrite(step) ? compareStep(step, base) : undefined;
  if (!isWrite(step) || compared === undefined) return step;
  const settled = { ...step, compared };
  if (settled.action !== "update") {
    const isSent = isConflict(settled) ? choice !== "keep" : compared.event === undefined;
    const { id, name, url, from } = step;
    return isSent ? settled : { action: "unchanged", id, name, url, from, compared };
  }
  const isLeft = (name: string): boolean => {
    const side = compared.changedIn[name];
    return side === "catalog" || (side === "both" && choice === "keep");
  };
  const names = Object.keys(settled.body).filter(isLeft);
  // The values of the catalog are the new ones, because they stay.
  const left = diffCourses(pickFields(settled.before, names), pickFields(settled.body, names));
  if (left.length === 0) return settled;
  return { ...narrowUpdate(settled, (name) => !isLeft(name)), compared: { ...compared, left } };
}

/**
 * The course at the base that has an id, or else the key or url of a description.
 *
 * @param descriptions of one course: in a file, in the catalog
 */
export function findAtBase(
  base: BaseCourses | undefined,
  id: unknown,
  ...descriptions: readonly unknown[]
): PlainObject | undefined {
  const found = typeof id === "string" ? base?.find(id) : undefined;
  if (found !== undefined || base === undefined) return found;
  for (const { id: _, ...others } of descriptions.filter(isObject)) {
    const meaning = base.identify(others);
    // A course with another id at the base is another course.
    if (meaning.is === "found" && meaning.course.id === undefined) return meaning.course;
  }
  return undefined;
}

/** Whether a course of a file is as it was at the base. */
export function isAsAtBase(file: PlainObject, base: BaseCourses | undefined): boolean {
  const before = findAtBase(base, file.id, file);
  const { id: _, ...others } = file;
  return before !== undefined && differingFields(others, before).length === 0;
}

/** The steps that are sent, what the user must decide before, and what is said about it. */
export function settleDrift(planned: readonly Step[], base: Base | undefined, choice: DriftChoice) {
  if (base === undefined) return { steps: planned, refusal: undefined, notices: [] };
  const steps = planned.map((step) => {
    const before = step.action === "delete" ? step.before : undefined;
    const courses = baseFor(base, step.from);
    return settleStep(step, findAtBase(courses, step.id, step.from?.value, before), choice);
  });
  const isUnknown = (step: Step): boolean =>
    step.action === "update" && step.compared === undefined;
  return {
    steps,
    refusal: choice === "stop" ? refuseConflicts(steps.filter(isConflict).length) : undefined,
    notices: describeUnknown(steps.filter(isUnknown).length),
  };
}

function refuseConflicts(amount: number): CatalogError | undefined {
  if (amount === 0) return undefined;
  const message = `${pluralize(amount, "course")} changed in the files and in the catalog since the base; nothing was sent`;
  return new CatalogError("drift", message, {
    advice:
      "To keep the values of the catalog, pass --on-drift keep. To send those of the files, pass --on-drift overwrite.",
  });
}

function describeUnknown(amount: number): string[] {
  if (amount === 0) return [];
  return [`Not in the base, so all values of the files are sent: ${pluralize(amount, "course")}.`];
}

/** The courses that a workbook remembers after the steps that were sent, because what was sent from it counts as exported. */
function addSent(
  courses: readonly PlainObject[],
  sent: readonly RecordedStep[],
  now: CourseIndex,
): readonly PlainObject[] {
  const index = new CourseIndex(courses);
  // By what the workbook remembers or, of a course that was new, by its id.
  const after = new Map<PlainObject | string, PlainObject>(courses.map((each) => [each, each]));
  const known = new Map<string, PlainObject | string>();
  for (const { step, status } of sent) {
    if (status === "unknown" && !isIn(step, now.find(step.id))) continue;
    const { id, url } = step;
    const before = step.action === "create" ? undefined : step.before;
    const one = known.get(id) ?? findAtBase(index, id, { url, ...before }) ?? id;
    known.set(id, one);
    if (step.action === "delete") after.delete(one);
    else after.set(one, { ...after.get(one), ...step.body, id });
  }
  return [...after.values()];
}

/** Whether the catalog is as a step wants it. A course that equals its file needs no step. */
function isIn(step: Write, course: Listed | undefined): boolean {
  if (step.action === "delete" || course === undefined) {
    return step.action === "delete" && course === undefined;
  }
  return course instanceof EqualCourse || differingFields(step.body, course).length === 0;
}
