/** A plan as a file contains it: the steps that send something, with the values that they expect. */
import * as z from "zod/mini";
import { PLAN_VERSION } from "../base/own-files.ts";
import { isObject, type Path } from "../base/values.ts";
import { savedStep } from "./saved-step.ts";

const version = `must be ${PLAN_VERSION}; this version of catalog reads no other`;
const counted = z.number("must be the number of such steps");

/** The content of a plan file. `createdAt` is in ISO 8601. */
const plan = z.object({
  formatVersion: z.literal(PLAN_VERSION, version),
  toolVersion: z.string("must be a string"),
  createdAt: z.string("must be a string"),
  baseUrl: z.string("must be a string"),
  /** The service and the account that it was made for, as people read it. */
  target: z.optional(
    z.object(
      {
        baseUrl: z.string("must be a string"),
        providers: z.array(z.string("must be a string")),
        profile: z.optional(z.string("must be a string")),
      },
      "must be an object",
    ),
  ),
  /** How many courses it may delete at most. */
  maxDeletes: z.optional(z.number("must be a number")),
  /** The courses among which it deletes. */
  scope: z.optional(
    z.object(
      { courses: z.number("must be a number"), providers: z.array(z.string("must be a string")) },
      "must be an object",
    ),
  ),
  counts: z.object(
    { create: counted, update: counted, unchanged: counted, delete: counted },
    "must be an object",
  ),
  steps: z.array(savedStep, "must be a list"),
});

export type SavedPlan = Readonly<z.output<typeof plan>>;

/** What is wrong with a plan: where, and a clause about the value there. */
export interface PlanFault {
  readonly path: Path;
  readonly problem: string;
}

/** Reads a value as a plan that this program can execute. */
export function readSavedPlan(value: unknown): SavedPlan | PlanFault {
  if (!isObject(value) || value.formatVersion === undefined) {
    return { path: [], problem: "is not a plan" };
  }
  const read = z.safeParse(plan, value);
  if (!read.success) {
    const { path = [], message = "" } = read.error.issues[0] ?? {};
    return {
      path: path.map((key) => (typeof key === "number" ? key : String(key))),
      problem: message,
    };
  }
  const { steps, counts } = read.data;
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
  return read.data;
}
