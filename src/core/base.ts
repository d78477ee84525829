/** Compares three versions of a course: at the base, in the file, and in the catalog (docs/how-to/work-in-a-team.md). */
import type { PlainObject } from "../base/values.ts";
import { diffCourses, differingFields } from "../course/difference.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import { isWrite, narrowUpdate, pickFields, type Side, type Step } from "./step.ts";

/** The values of `--on-drift`: what happens to fields that were changed on both sides. */
export const DRIFT_CHOICES = ["stop", "keep", "overwrite"] as const;

export type DriftChoice = (typeof DRIFT_CHOICES)[number];

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
  const pick = (values: PlainObject): PlainObject =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  const namesOf = (other: PlainObject): ReadonlySet<string> =>
    new Set(differingFields(pick(base), pick(other)).map(({ name }) => name));
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
      const names = Object.keys(pickFields(step.before, base)).filter((name) => name !== "id");
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
    const { id, name, url, from } = step;
    return {
      action: "refused",
      wanted: step.action,
      status: "skipped",
      id,
      name,
      url,
      from,
      compared,
    };
  }
  const isLeft = (name: string): boolean => {
    const side = compared.changedIn[name];
    return side === "catalog" || (side === "both" && choice === "keep");
  };
  const pick = (values: PlainObject): PlainObject =>
    Object.fromEntries(Object.entries(values).filter(([name]) => isLeft(name)));
  // The values of the catalog are the new ones, because they stay.
  const left = diffCourses(pick(step.before), pick(step.body));
  if (left.length === 0) return step;
  return { ...narrowUpdate(step, (name) => !isLeft(name)), compared: { ...compared, left } };
}
