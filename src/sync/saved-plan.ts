/**
 * Saves and reads the steps of plans and undo records, and reads plan files. A plan contains only the steps that
 * send a request, with the values that they expect in the catalog.
 */
import * as z from "zod/mini";
import { hasId, isObject, isUuid, type Path, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Course } from "../course/request-body.ts";
import { describeCourse, type Located, type WriteStep } from "./step.ts";

/** The format version of plans; a plan with another version cannot be read. */
export const PLAN_VERSION = 1;

const WRITABLE: ReadonlySet<string> = new Set(WRITABLE_FIELDS.map(({ name }) => name));

function findUnknown(body: unknown): string | undefined {
  return isObject(body) ? Object.keys(body).find((name) => !WRITABLE.has(name)) : undefined;
}

const string = z.string("must be a string");
const number = z.number("must be a number");
const text = z.nullable(z.string("must be a string or null"));
const fields = z.custom<PlainObject>(isObject, "must be an object");
const course = z.custom<Course>(hasId, "must be a course with an id");
const isSendable = z.refine<PlainObject>((body) => findUnknown(body) === undefined, {
  error: ({ input }) => `contains ${JSON.stringify(findUnknown(input))}, which cannot be sent`,
});

const description = {
  id: string.check(
    z.refine((id) => isUuid(id) && id === id.toLowerCase(), "must be a lowercase UUID"),
  ),
  ...{ name: text, url: text, file: text },
  line: z.nullable(z.number("must be a number or null")),
};

const at = (name: string, error: string) => ({ path: [name], error });
const OTHER_COURSE = "must have the id of the step";

/** A step that sends a request, as plans and undo records contain it. */
export const savedStep = z.discriminatedUnion(
  "action",
  [
    z
      .object({ ...description, action: z.literal("create"), body: course.check(isSendable) })
      .check(z.refine(({ id, body }) => body.id === id, at("body", OTHER_COURSE))),
    z
      .object({
        ...description,
        action: z.literal("update"),
        body: fields.check(isSendable),
        before: fields,
      })
      .check(
        z.refine(({ body }) => body.id === undefined, at("body", "must not contain an id")),
        z.refine(
          ({ body, before }) => Object.keys(body).every((name) => Object.hasOwn(before, name)),
          at("before", "must have every field of body"),
        ),
      ),
    z
      .object({ ...description, action: z.literal("delete"), before: course })
      .check(
        z.refine(({ id, before }) => before.id.toLowerCase() === id, at("before", OTHER_COURSE)),
      ),
  ],
  {
    error: ({ input }) =>
      isObject(input) ? "must be create, update or delete" : "must be an object",
  },
);

export type SavedStep = Readonly<z.output<typeof savedStep>>;

const version = `must be ${PLAN_VERSION}, the only version that this catalog reads`;

/** The content of a plan file. `createdAt` is in ISO 8601. */
const plan = z.object({
  formatVersion: z.literal(PLAN_VERSION, version),
  createdAt: string,
  baseUrl: string,
  /** The service and the account for which the plan was made, for people. */
  target: z.object(
    { baseUrl: string, providers: z.array(string), profile: z.optional(string) },
    "must be an object",
  ),
  maxDeletes: number,
  /** How many courses the plan chose deletions from, and the names of their providers. */
  scope: z.object({ courses: number, providers: z.array(string) }, "must be an object"),
  counts: z.object(
    { create: number, update: number, unchanged: number, delete: number },
    "must be an object",
  ),
  steps: z.array(savedStep, "must be a list"),
});

export type SavedPlan = Readonly<z.output<typeof plan>>;

export interface Fault {
  /** Where the problem is; empty for the value itself. */
  readonly path: Path;
  /** The end of a sentence that begins with the path: `must be a number`. */
  readonly problem: string;
}

/**
 * Parses the JSON value of a plan file. For example, `{"formatVersion":1,…,"counts":{"create":2,…},"steps":[]}` gives
 * `{path: ["counts", "create"], problem: "must be 0, the number of such steps"}`.
 */
export function readSavedPlan(value: unknown): { readonly value: SavedPlan } | Fault {
  if (!isObject(value) || value.formatVersion === undefined) {
    return { path: [], problem: "is not a plan" };
  }
  const read = readShape(plan, value);
  if ("problem" in read) return read;
  const { steps, counts } = read.value;
  const ids = new Set<string>();
  for (const [index, { id }] of steps.entries()) {
    if (ids.has(id)) {
      return { path: ["steps", index, "id"], problem: "must not be the id of an earlier step" };
    }
    ids.add(id);
  }
  for (const action of ["create", "update", "delete"] as const) {
    const count = steps.filter((step) => step.action === action).length;
    if (counts[action] === count) continue;
    return { path: ["counts", action], problem: `must be ${count}, the number of such steps` };
  }
  return read;
}

/** Parses a value with a schema. @returns the value, or the first problem */
export function readShape<Value>(
  shape: z.ZodMiniType<Value>,
  value: unknown,
): { readonly value: Value } | Fault {
  const read = z.safeParse(shape, value);
  if (read.success) return { value: read.data };
  const { path = [], message = "" } = read.error.issues[0] ?? {};
  const keys = path.map((key) => (typeof key === "number" ? key : String(key)));
  return { path: keys, problem: message };
}

/** Converts a step to the form in which plans and undo records save it. @param line where the course begins in its file */
export function saveStep(step: WriteStep, line: number | undefined): SavedStep {
  const { name, url } = describeCourse(step);
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  const { id, from, action } = step;
  const place = { file: from?.file ?? null, line: line ?? null };
  const description = { id, name: textOf(name), url: textOf(url), ...place };
  switch (action) {
    case "create":
      return { action, ...description, body: step.body };
    case "update":
      return { action, ...description, body: step.body, before: step.before };
    case "delete":
      return { action, ...description, before: step.before };
  }
}

/** The course of a saved step, and where a file described the course when the step was saved. */
export function describeSaved(
  { name, url, file, line }: SavedStep,
  body: PlainObject = {},
): Located {
  const place = file === null ? undefined : { file, line: line ?? 1, column: 1 };
  return {
    value: { name, url, ...body },
    file: file ?? undefined,
    line: async () => line ?? undefined,
    place: async () => place,
  };
}

/** Converts a saved step back to a step. */
export function restoreStep(saved: SavedStep): WriteStep {
  const { id } = saved;
  const from = describeSaved(saved, "body" in saved ? saved.body : {});
  switch (saved.action) {
    case "create":
      return { action: "create", id, from, body: saved.body };
    case "update":
      return { action: "update", id, from, body: saved.body, before: saved.before };
    case "delete":
      return { action: "delete", id, from, remote: saved.before, before: saved.before };
  }
}
