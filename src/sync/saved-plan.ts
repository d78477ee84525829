/**
 * Steps as plans and records contain them, and a plan as a file contains it: the steps that send
 * something, with the values that they expect.
 */
import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { PLAN_VERSION } from "../base/own-files.ts";
import { hasId, isList, isObject, isUuid, type Path, type PlainObject } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Course } from "../course/request-body.ts";
import { describeCourse, type Located, type WriteStep } from "./step.ts";

const WRITABLE: ReadonlySet<string> = new Set(WRITABLE_FIELDS.map(({ name }) => name));

function findUnknown(body: unknown): string | undefined {
  return isObject(body) ? Object.keys(body).find((name) => !WRITABLE.has(name)) : undefined;
}

const text = z.nullable(z.string("must be a string or null"));
const fields = z.custom<PlainObject>(isObject, "must be an object");
const course = z.custom<Course>(hasId, "must be a course with an id");
/** A body without fields that cannot be sent. */
const isSendable = z.refine<PlainObject>((body) => findUnknown(body) === undefined, {
  error: ({ input }) => `contains ${JSON.stringify(findUnknown(input))}, which cannot be sent`,
});

/** What is known about the course of a step, for people. */
const description = {
  id: z
    .string("must be a string")
    .check(z.refine((id) => isUuid(id) && id === id.toLowerCase(), "must be a UUID in lower case")),
  ...{ name: text, url: text, file: text },
  line: z.nullable(z.number("must be a number or null")),
};

const MISFIT = "does not fit the step";

/** One request, as plans and records contain it. */
export const savedStep = z.discriminatedUnion(
  "action",
  [
    z
      .object({ ...description, action: z.literal("create"), body: course.check(isSendable) })
      .check(z.refine(({ id, body }) => body.id === id, { path: ["body", "id"], error: MISFIT })),
    z
      .object({
        ...description,
        action: z.literal("update"),
        body: fields.check(isSendable),
        /** The expected values of the fields of the body. */
        before: fields,
      })
      .check(
        z.refine(({ body }) => body.id === undefined, { path: ["body", "id"], error: MISFIT }),
        z.refine(
          ({ body, before }) => Object.keys(body).every((name) => Object.hasOwn(before, name)),
          { path: ["before"], error: MISFIT },
        ),
      ),
    z.object({ ...description, action: z.literal("delete"), before: course }).check(
      z.refine(({ id, before }) => before.id.toLowerCase() === id, {
        path: ["before"],
        error: MISFIT,
      }),
    ),
  ],
  {
    error: ({ input }) =>
      isObject(input) ? "must be create, update or delete" : "must be an object",
  },
);

export type SavedStep = Readonly<z.output<typeof savedStep>>;

const version = `must be ${PLAN_VERSION}; this version of catalog reads no other`;
const counted = z.number("must be the number of such steps");

/** The content of a plan file. `createdAt` is in ISO 8601. */
const plan = z.object({
  formatVersion: z.literal(PLAN_VERSION, version),
  toolVersion: z.string("must be a string"),
  createdAt: z.string("must be a string"),
  baseUrl: z.string("must be a string"),
  /** The service and the account that it was made for, as people read it. */
  target: z.object(
    {
      baseUrl: z.string("must be a string"),
      providers: z.array(z.string("must be a string")),
      profile: z.optional(z.string("must be a string")),
    },
    "must be an object",
  ),
  /** How many courses it may delete at most. */
  maxDeletes: z.number("must be a number"),
  /** The courses among which it deletes. */
  scope: z.object(
    { courses: z.number("must be a number"), providers: z.array(z.string("must be a string")) },
    "must be an object",
  ),
  counts: z.object(
    { create: counted, update: counted, unchanged: counted, delete: counted },
    "must be an object",
  ),
  steps: z.array(savedStep, "must be a list"),
});

export type SavedPlan = Readonly<z.output<typeof plan>>;

/**
 * The digest of a plan: SHA-256, in hexadecimal, of its other keys and of each step as JSON without
 * spaces, each followed by a line break. The layout of the file does not matter; the order of keys does.
 */
export function digestPlan({ digest: _, steps, ...head }: PlainObject): string {
  const hash = createHash("sha256");
  // Piece by piece, because the JSON of a large plan may be longer than a string can be.
  for (const part of [head, ...(isList(steps) ? steps : [steps])]) {
    hash.update(`${JSON.stringify(part)}\n`);
  }
  return hash.digest("hex");
}

/** What is wrong with a value: where, and a clause about what is there. */
export interface Fault {
  readonly path: Path;
  readonly problem: string;
}

/** Reads a value as a plan that this program can execute. */
export function readSavedPlan(value: unknown): { readonly value: SavedPlan } | Fault {
  if (!isObject(value) || value.formatVersion === undefined) {
    return { path: [], problem: "is not a plan" };
  }
  const read = readShape(plan, value);
  if ("problem" in read) return read;
  const { steps, counts } = read.value;
  const ids = new Set<string>();
  for (const [index, { id }] of steps.entries()) {
    if (ids.has(id)) return { path: ["steps", index, "id"], problem: "is that of an earlier step" };
    ids.add(id);
  }
  for (const action of ["create", "update", "delete"] as const) {
    const count = steps.filter((step) => step.action === action).length;
    if (counts[action] === count) continue;
    return { path: ["counts", action], problem: `must be ${count}, the number of such steps` };
  }
  return read;
}

/** Reads a value as a shape says; else the first thing that is wrong with it. */
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

/** The step as it is saved. @param line where the course begins in its file */
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

/** The course of a step, and where it was described when the step was saved. */
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

/** The step that was saved. */
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
