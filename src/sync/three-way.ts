/** Compares three versions of a course: at the base, in the file, and in the catalog (docs/how-to/work-in-a-team.md). */
import type { PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import { findChanged } from "./preconditions.ts";
import {
  type ChangedIn,
  isWrite,
  refuseStep,
  type Step,
  type StepTo,
  type WriteStep,
} from "./step.ts";

export interface BaseCourse {
  /** The fields of the course; null if the course did not exist. */
  readonly values: PlainObject | null;
  /** Whether other fields may have been set at the base; by default, they were not set. */
  readonly isPartial?: boolean;
  /** Whether the user has named the base. */
  readonly isNamed?: boolean;
}

/** Returns the base of a step's course; undefined if there is none. */
export type Base = (step: Step) => BaseCourse | undefined;

/** The values of `--on-drift`: what a push does with fields that were changed in the catalog. */
export const DRIFT_CHOICES = ["overwrite", "keep", "stop"] as const;

export type DriftChoice = (typeof DRIFT_CHOICES)[number];

/** Adds to a step the side on which each of its fields was changed since the base. */
export function compareStep(step: Step, base: BaseCourse | undefined): Step {
  if (!isWrite(step) || base === undefined) return step;
  const wanted: PlainObject = "body" in step ? step.body : {};
  const present: PlainObject = "before" in step ? step.before : {};
  const { values, isPartial = false } = base;
  const names = listNames(step, values ?? {}).filter(
    (name) => !isPartial || Object.hasOwn(values ?? {}, name),
  );
  const pick = (from: PlainObject): PlainObject =>
    Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  const old = pick(values ?? {});
  // A course that exists on both sides, but not at the base, is new on both sides.
  const isNew = values === null && step.action === "update";
  const inFile = namesOf(findChanged(old, wanted));
  const inCatalog = namesOf(findChanged(old, present));
  const changedIn: Record<string, ChangedIn> = {};
  for (const name of names) {
    const isCatalog = isNew || inCatalog.has(name);
    changedIn[name] = isCatalog ? (isNew || inFile.has(name) ? "both" : "catalog") : "file";
  }
  return { ...step, base: { changedIn, values: old, isNamed: base.isNamed === true } };
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

/** Whether a step would undo a change that was made in the catalog since the base. */
export function hasDrift(step: Step): step is WriteStep {
  return isWrite(step) && driftedFields(step).length > 0;
}

/** The fields of a step that changed in the catalog since the base. */
export function driftedFields({ base }: Step): string[] {
  const entries = Object.entries(base?.changedIn ?? {});
  return entries.filter(([, where]) => where !== "file").map(([name]) => name);
}

/** What happened in the catalog to a course that a step recreates or deletes; undefined for other steps. */
export function describeEvent(step: Step): "deleted" | "added" | "changed" | undefined {
  if (step.action === "update" || !hasDrift(step)) return undefined;
  if (step.action === "create") return "deleted";
  // Fields with their default values do not count as changed.
  const isAdded = Object.values(step.base?.values ?? {}).every((value) => value === null);
  return isAdded ? "added" : "changed";
}

/** The step without the fields that were changed in the catalog; a recreation or deletion is skipped. */
export function keepCatalog(step: Step): Step {
  if (!hasDrift(step)) return step;
  if (step.action !== "update") return refuseStep(step, step.action, undefined, "skipped");
  const left = withFields(step, false);
  const { body: _, before: __, ...others } = left;
  return Object.keys(left.body).length > 0 ? left : { ...others, action: "unchanged" };
}

/** The step with only the fields that were changed in the catalog. */
export function onlyDrift(step: WriteStep): WriteStep {
  return step.action === "update" ? withFields(step, true) : step;
}

/** An update with only the fields that were changed in the catalog, or with only the other fields. */
function withFields(step: StepTo<"update">, isDrifted: boolean): StepTo<"update"> {
  const drifted = new Set(driftedFields(step));
  const pick = <Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => drifted.has(name) === isDrifted));
  const { base, body, before } = step;
  const changedIn = pick(base?.changedIn ?? {});
  const rest = base === undefined ? {} : { base: { ...base, changedIn } };
  return { ...step, ...rest, body: pick(body), before: pick(before) };
}
