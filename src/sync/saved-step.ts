/** A step as plans and records contain it. */
import * as z from "zod/mini";
import { isUuid } from "../base/uuid.ts";
import { hasId, isObject, type PlainObject } from "../base/values.ts";
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

/** One request. */
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
  { name, url, file, line }: Pick<SavedStep, "name" | "url" | "file" | "line">,
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
