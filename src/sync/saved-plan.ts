/** A plan as a file contains it: the steps that send something, with the values that they expect. */
import { PLAN_VERSION } from "../base/file-start.ts";
import { isUuid } from "../base/uuid.ts";
import { isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Course } from "../course/request-body.ts";

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
  readonly formatVersion: typeof PLAN_VERSION;
  readonly toolVersion: string;
  /** In ISO 8601. */
  readonly createdAt: string;
  readonly baseUrl: string;
  readonly counts: Readonly<Record<"create" | "update" | "unchanged" | "delete", number>>;
  readonly steps: readonly SavedStep[];
}

/** What is wrong with a plan: where, and a clause about the value there. */
export interface PlanFault {
  readonly path: Path;
  readonly problem: string;
}

/** Reads a value as a plan that this program can execute. */
export function readSavedPlan(value: unknown): SavedPlan | PlanFault {
  if (!isObject(value)) return { path: [], problem: "is not a plan" };
  const { formatVersion, toolVersion, createdAt, baseUrl, counts } = value;
  if (formatVersion === undefined) {
    return { path: [], problem: "is not a plan: it has no formatVersion" };
  }
  if (formatVersion !== PLAN_VERSION) {
    const problem = `must be ${PLAN_VERSION}; this version of catalog reads no other`;
    return { path: ["formatVersion"], problem };
  }
  const text = "must be a string";
  if (typeof toolVersion !== "string") return { path: ["toolVersion"], problem: text };
  if (typeof createdAt !== "string") return { path: ["createdAt"], problem: text };
  if (typeof baseUrl !== "string") return { path: ["baseUrl"], problem: text };
  if (!isObject(counts)) return { path: ["counts"], problem: "must be an object" };
  const steps = readSteps(value.steps);
  if ("problem" in steps) return steps;
  const numberOf = (action: SavedStep["action"]): number =>
    steps.filter((step) => step.action === action).length;
  const actual = {
    create: numberOf("create"),
    update: numberOf("update"),
    delete: numberOf("delete"),
  };
  for (const [action, count] of Object.entries(actual)) {
    if (counts[action] === count) continue;
    return { path: ["counts", action], problem: `must be ${count}, the number of such steps` };
  }
  const unchanged = Number(counts.unchanged);
  return {
    formatVersion,
    toolVersion,
    createdAt,
    baseUrl,
    counts: { ...actual, unchanged },
    steps,
  };
}

function readSteps(list: unknown): SavedStep[] | PlanFault {
  if (!isList(list)) return { path: ["steps"], problem: "must be a list" };
  const steps: SavedStep[] = [];
  const ids = new Set<string>();
  for (const [index, item] of list.entries()) {
    const step = readStep(item);
    if ("problem" in step) return { ...step, path: ["steps", index, ...step.path] };
    if (ids.has(step.id)) {
      return { path: ["steps", index, "id"], problem: "is that of an earlier step" };
    }
    ids.add(step.id);
    steps.push(step);
  }
  return steps;
}

const WRITABLE: ReadonlySet<string> = new Set(WRITABLE_FIELDS.map(({ name }) => name));

function readStep(step: unknown): SavedStep | PlanFault {
  if (!isObject(step)) return { path: [], problem: "must be an object" };
  const { id, action, body, before, name, url, file, line } = step;
  if (typeof id !== "string" || !isUuid(id) || id !== id.toLowerCase()) {
    return { path: ["id"], problem: "must be a UUID in lower case" };
  }
  if (!isText(name)) return notText("name");
  if (!isText(url)) return notText("url");
  if (!isText(file)) return notText("file");
  if (line !== null && typeof line !== "number") {
    return { path: ["line"], problem: "must be a number or null" };
  }
  const description = { id, name, url, file, line };
  switch (action) {
    case "create": {
      const read = readBody(body, id);
      return "problem" in read ? read : { ...description, action, body: { ...read.body, id } };
    }
    case "update": {
      const read = readBody(body, undefined);
      if ("problem" in read) return read;
      if (!isObject(before)) return { path: ["before"], problem: "must be an object" };
      const fits = Object.keys(read.body).every((field) => Object.hasOwn(before, field));
      if (fits) return { ...description, action, ...read, before };
      return { path: ["before"], problem: "does not fit the step" };
    }
    case "delete": {
      if (!isObject(before)) return { path: ["before"], problem: "must be an object" };
      const owner = before.id;
      if (typeof owner === "string" && owner.toLowerCase() === id) {
        return { ...description, action, before: { ...before, id: owner } };
      }
      return { path: ["before"], problem: "does not fit the step" };
    }
    default:
      return { path: ["action"], problem: "must be create, update or delete" };
  }
}

function isText(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}

function notText(field: string): PlanFault {
  return { path: [field], problem: "must be a string or null" };
}

/** @param id the id that the body must have; none for an update */
function readBody(
  body: unknown,
  id: string | undefined,
): { readonly body: PlainObject } | PlanFault {
  if (!isObject(body)) return { path: ["body"], problem: "must be an object" };
  const unknown = Object.keys(body).find((name) => !WRITABLE.has(name));
  if (unknown !== undefined) {
    const problem = `contains ${JSON.stringify(unknown)}, which cannot be sent`;
    return { path: ["body"], problem };
  }
  if (body.id === id) return { body };
  return { path: ["body", "id"], problem: "does not fit the step" };
}
