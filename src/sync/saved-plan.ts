/** A plan as a file contains it: the steps that send something, with the values that they expect. */
import { isUuid } from "../base/uuid.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Course } from "../course/request-body.ts";

/** The version of the format that this program writes and reads. */
export const FORMAT_VERSION = 1;

/** What is known about the course of a step, for people. */
interface Description {
  readonly id: string;
  readonly name: string | null;
  readonly url: string | null;
  readonly file: string | null;
  readonly line: number | null;
}

/** One request of a plan. */
export type SavedStep = Description &
  (
    | { readonly action: "create"; readonly body: Course }
    /** `before` has the expected values of the fields of the body. */
    | { readonly action: "update"; readonly body: PlainObject; readonly before: PlainObject }
    /** `before` is the complete course. */
    | { readonly action: "delete"; readonly before: Course }
  );

/** The content of a plan file. */
export interface SavedPlan {
  readonly formatVersion: typeof FORMAT_VERSION;
  readonly toolVersion: string;
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly baseUrl: string;
  readonly counts: Readonly<Record<"create" | "update" | "unchanged" | "delete", number>>;
  readonly steps: readonly SavedStep[];
}

/** What is wrong with a plan: the path of the value and a clause about it. */
export interface PlanFault {
  readonly place: string;
  readonly problem: string;
}

/** Checks that a value is a plan that this program can execute. */
export function readSavedPlan(value: unknown): SavedPlan | PlanFault {
  if (!isObject(value)) return { place: "the file", problem: "is not a plan" };
  if (value.formatVersion !== FORMAT_VERSION) {
    const problem = `must be ${FORMAT_VERSION}; this version of catalog reads no other`;
    return { place: "formatVersion", problem };
  }
  for (const name of ["toolVersion", "createdAt", "baseUrl"]) {
    if (typeof value[name] !== "string") return { place: name, problem: "must be a string" };
  }
  if (!isObject(value.counts)) return { place: "counts", problem: "must be an object" };
  if (!isList(value.steps)) return { place: "steps", problem: "must be a list" };
  const counts: Record<string, number> = { create: 0, update: 0, delete: 0 };
  const ids = new Set<string>();
  for (const [index, step] of value.steps.entries()) {
    const fault = findStepFault(step, `steps[${index}]`);
    if (fault !== undefined) return fault;
    const { action, id } = step as SavedStep;
    counts[action] = (counts[action] ?? 0) + 1;
    if (ids.has(id)) return { place: `steps[${index}].id`, problem: "is that of an earlier step" };
    ids.add(id);
  }
  for (const [action, count] of Object.entries(counts)) {
    if (value.counts[action] === count) continue;
    return { place: `counts.${action}`, problem: `must be ${count}, the number of such steps` };
  }
  return value as unknown as SavedPlan;
}

const WRITABLE: ReadonlySet<string> = new Set(WRITABLE_FIELDS.map(({ name }) => name));

function findStepFault(step: unknown, place: string): PlanFault | undefined {
  if (!isObject(step)) return { place, problem: "must be an object" };
  const { id, action, body, before } = step;
  if (typeof id !== "string" || !isUuid(id) || id !== id.toLowerCase()) {
    return { place: `${place}.id`, problem: "must be a UUID in lower case" };
  }
  for (const name of ["name", "url", "file"]) {
    if (step[name] === null || typeof step[name] === "string") continue;
    return { place: `${place}.${name}`, problem: "must be a string or null" };
  }
  if (step.line !== null && typeof step.line !== "number") {
    return { place: `${place}.line`, problem: "must be a number or null" };
  }
  if (action !== "create" && action !== "update" && action !== "delete") {
    return { place: `${place}.action`, problem: "must be create, update or delete" };
  }
  if (action !== "delete") {
    if (!isObject(body)) return { place: `${place}.body`, problem: "must be an object" };
    const unknown = Object.keys(body).find((name) => !WRITABLE.has(name));
    if (unknown !== undefined) {
      return {
        place: `${place}.body`,
        problem: `contains ${JSON.stringify(unknown)}, which cannot be sent`,
      };
    }
    if (body.id !== (action === "create" ? id : undefined)) {
      return { place: `${place}.body.id`, problem: "does not fit the step" };
    }
  }
  if (action === "create") return undefined;
  if (!isObject(before)) return { place: `${place}.before`, problem: "must be an object" };
  const fits =
    action === "delete"
      ? String(before.id).toLowerCase() === id
      : isObject(body) && Object.keys(body).every((name) => Object.hasOwn(before, name));
  return fits ? undefined : { place: `${place}.before`, problem: "does not fit the step" };
}
