/** Compares three versions of a course: at the base, in the file, and in the catalog (docs/how-to/work-in-a-team.md). */
import type { PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import { findChanged } from "./preconditions.ts";
import { type ChangedIn, isWrite, refuseStep, type Step, type WriteStep } from "./step.ts";

/** The values of `--on-drift`: what a push does with fields that were changed in the file and in the catalog. */
export const DRIFT_CHOICES = ["stop", "keep", "overwrite"] as const;

export type DriftChoice = (typeof DRIFT_CHOICES)[number];

/**
 * Adds to a step the side on which each of its fields was changed since the base.
 *
 * @param values the fields of the course at the base; undefined if the base lacks the course
 * @param isKept whether a push keeps what only the catalog changed
 */
export function compareStep(step: Step, values: PlainObject | undefined, isKept: boolean): Step {
  // A course that neither the base nor a file has was added in the catalog.
  if (!isWrite(step) || (values === undefined && step.action !== "delete")) return step;
  const wanted: PlainObject = "body" in step ? step.body : {};
  const present: PlainObject = "before" in step ? step.before : {};
  const names = listNames(step, values ?? {});
  const old = Object.fromEntries(names.map((name) => [name, values?.[name] ?? null]));
  const inFile = namesOf(findChanged(old, wanted));
  const inCatalog = namesOf(findChanged(old, present));
  const changedIn: Record<string, ChangedIn> = {};
  for (const name of names) {
    const both = inFile.has(name) ? "both" : "catalog";
    changedIn[name] = inCatalog.has(name) ? both : "file";
  }
  return { ...step, base: { changedIn, values: old, isKept } };
}

function namesOf(fields: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(fields.map(({ name }) => name));
}

/** The fields that a step changes; for a deletion, the fields that the course has, or had at the base. */
function listNames(step: WriteStep, base: PlainObject): string[] {
  if (step.action !== "delete") return Object.keys(step.body).filter((name) => name !== "id");
  const isSet = (name: string): boolean => (step.before[name] ?? base[name] ?? null) !== null;
  return WRITABLE_FIELDS.map(({ name }) => name).filter((name) => name !== "id" && isSet(name));
}

/** The fields of a step that changed in the catalog since the base. */
export function catalogFields({ base }: Step): string[] {
  const entries = Object.entries(base?.changedIn ?? {});
  return entries.filter(([, where]) => where !== "file").map(([name]) => name);
}

/**
 * Whether the file and the catalog changed the same field, or a step would recreate a course that the catalog lost, or
 * delete a course that changed there.
 */
export function hasDrift(step: Step): step is WriteStep {
  if (!isWrite(step)) return false;
  if (step.action !== "update") return catalogFields(step).length > 0;
  return Object.values(step.base?.changedIn ?? {}).includes("both");
}

/** What happened in the catalog to a course that a step recreates or deletes; undefined for other steps. */
export function describeEvent(step: Step): "deleted" | "added" | "changed" | undefined {
  if (step.action === "update" || !hasDrift(step)) return undefined;
  if (step.action === "create") return "deleted";
  // Fields with their default values do not count as changed.
  const isAdded = Object.values(step.base?.values ?? {}).every((value) => value === null);
  return isAdded ? "added" : "changed";
}

/** The step without the fields that changed in the catalog; a recreation or deletion is skipped. */
export function keepCatalog(step: Step): Step {
  const changed = new Set(catalogFields(step));
  if (!isWrite(step) || changed.size === 0) return step;
  if (step.action !== "update") return refuseStep(step, step.action, undefined, "skipped");
  const pick = (fields: PlainObject): PlainObject =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !changed.has(name)));
  const { body, before, ...others } = step;
  const left = pick(body);
  if (Object.keys(left).length === 0) return { ...others, action: "unchanged" };
  return { ...step, body: left, before: pick(before) };
}
