/** Defines steps, which say as plain data what happens to one course. Every command that changes the catalog makes steps. */
import type { CatalogError } from "../base/errors.ts";
import { type PlainObject, valueAt } from "../base/values.ts";
import {
  type Change,
  completed,
  describeCreation,
  describeDeletion,
  diffCourses,
  unmanagedFields,
} from "../course/difference.ts";
import type { Located } from "../course/problem.ts";
import { type Course, toUpdateBody } from "../course/request-body.ts";

/** Where a field was changed since the base. */
export type Side = "file" | "catalog" | "both";

/** The comparison of a course with the base. */
export interface Compared {
  readonly changedIn: Readonly<Record<string, Side>>;
  /** The values at the base. */
  readonly base: PlainObject;
  /** What a step does not send, because it was changed only in the catalog, or because the catalog's value stays. */
  readonly left?: readonly Change[];
  /** What others did to the course in the catalog. */
  readonly event?: "added" | "changed" | "deleted" | undefined;
}

/** What is rarely meant, the worst first. `since`: an undo deletes a course in which a field was set after the run. */
export const RANK = ["since", "delete", "unpublish", "currency", "amount", "host", "text"] as const;

export interface Risk extends Change {
  readonly kind: (typeof RANK)[number];
}

interface StepFacts {
  /** The id of the course, in lowercase. */
  readonly id: string;
  /** The name and the url that the course will have; of a deletion, those that it has. */
  readonly name: unknown;
  readonly url: unknown;
  /** Where the course is described; undefined for deletions. */
  readonly from?: Located | undefined;
  /** For each field that the step is about: the side on which it changed since the base. */
  readonly compared?: Compared | undefined;
  /** What is rarely meant about the step. */
  readonly risks?: readonly Risk[] | undefined;
  /** The ids of the other courses that have the url of the course before the step, so that undo may restore it. */
  readonly shared?: readonly string[] | undefined;
}

/** One step. A refused step cannot be applied: its error says why, and its status becomes the status of its outcome. */
export type Step = StepFacts &
  (
    | { readonly action: "create"; readonly body: Course }
    | {
        readonly action: "update";
        /** The complete new value of each field that differs. */
        readonly body: PlainObject;
        /** The present values of the same fields. */
        readonly before: PlainObject;
        /** The course in the catalog; undefined in a plan or record that was read. */
        readonly remote?: Course | undefined;
        /** The fields that are set in the catalog, missing from the file, and not changed by the step. */
        readonly unmanaged?: readonly string[];
      }
    | { readonly action: "delete"; readonly before: Course }
    | { readonly action: "unchanged"; readonly unmanaged?: readonly string[] }
    | {
        readonly action: "refused";
        readonly wanted: Write["action"];
        readonly status: "failed" | "skipped";
        /** Absent if the step is skipped because the user said so. */
        readonly error?: CatalogError | undefined;
        /** What the user said about a skipped step, safe to show. */
        readonly reason?: string;
      }
  );

/** A step that sends a request. */
export type Write = Extract<Step, { readonly action: "create" | "update" | "delete" }>;

export type StepTo<Action extends Step["action"]> = Extract<Step, { readonly action: Action }>;

/** A change of a field and, if there is a base, the side on which the field was changed since the base. */
export interface StepChange extends Change {
  readonly changedIn?: Side;
  readonly base?: unknown;
}

/** Whether a step sends a request. */
export function isWrite(step: Step): step is Write {
  return step.action === "create" || step.action === "update" || step.action === "delete";
}

/** Whether a plan shows a step: if it changes the course, or leaves in the catalog what changed there. */
export function isShown(step: Step): boolean {
  return isWrite(step) || step.compared !== undefined;
}

/** What a plan says about a step: what is done with the course or, if nothing is, what others did in the catalog. */
export function describeAction(step: Step): string {
  const { event } = step.compared ?? {};
  return isWrite(step) || event === undefined ? step.action : `${event} in the catalog`;
}

/** Whether the file and the catalog changed the same since the base. */
export function isConflict({ compared }: Step): boolean {
  return Object.values(compared?.changedIn ?? {}).includes("both");
}

/** Turns a step into a refused step. @param status the status of its outcome */
export function refuseStep(
  { id, name, url, from }: StepFacts,
  wanted: Write["action"],
  error: CatalogError | undefined,
  status: "failed" | "skipped" = "failed",
): StepTo<"refused"> {
  return { action: "refused", wanted, status, id, name, url, from, error };
}

/**
 * Lists the changes of a step, and what it leaves in the catalog: the old and new value of each field or part of a
 * field, and the side of the change.
 */
export function listChanges(step: Step): StepChange[] {
  const { compared } = step;
  return [...describeChanges(step), ...(compared?.left ?? [])].map((change) => {
    const changedIn = compared?.changedIn[String(change.path[0])];
    if (changedIn === undefined) return change;
    return { ...change, changedIn, base: valueAt(compared?.base, change.path) ?? null };
  });
}

function describeChanges(step: Step): Change[] {
  switch (step.action) {
    case "create":
      return describeCreation(step.body);
    case "update":
      return diffCourses(step.body, step.before);
    case "delete":
      return describeDeletion(step.before);
    default:
      return [];
  }
}

/** The step that creates a course. */
export function planCreation(from: Located, body: Course): StepTo<"create"> {
  const { id, name, url } = body;
  return { action: "create", id: id.toLowerCase(), name, url, from, body };
}

/** The step that deletes a course. */
export function planDeletion(before: Course): StepTo<"delete"> {
  const { id, name, url } = before;
  return { action: "delete", id: id.toLowerCase(), name, url, before };
}

/**
 * Plans the step after which an existing course matches its description.
 *
 * @param options `complete`: clear fields that the description omits; `partial`: the description has only the
 * fields that change, so that omitted fields are not reported
 */
export function planChange(
  from: Located,
  remote: Course,
  { complete = false, partial = false }: { complete?: boolean; partial?: boolean } = {},
): StepTo<"update" | "unchanged"> {
  const course = complete ? completed(from.value, remote) : from.value;
  const unmanaged = complete || partial ? [] : unmanagedFields(course, remote);
  const facts = {
    id: remote.id.toLowerCase(),
    name: course.name ?? remote.name,
    url: course.url ?? remote.url,
    from,
    ...(unmanaged.length === 0 ? {} : { unmanaged }),
  };
  const wanted = Object.entries(course).filter(([name]) => name !== "id");
  const differing = new Set(
    diffCourses(Object.fromEntries(wanted), remote).map(({ path }) => path[0]),
  );
  if (differing.size === 0) return { action: "unchanged", ...facts };
  const body = toUpdateBody(Object.fromEntries(wanted.filter(([name]) => differing.has(name))));
  const before = pickFields(remote, Object.keys(body));
  return { action: "update", ...facts, remote, body, before };
}

/** The values of a course in some fields; null for fields that are not set. */
export function pickFields(course: PlainObject, names: readonly string[]): PlainObject {
  return Object.fromEntries(names.map((name) => [name, valueAt(course, [name]) ?? null]));
}

/** An update with only some of its fields; an unchanged step if none are left. */
export function narrowUpdate(
  step: StepTo<"update">,
  isKept: (name: string) => boolean,
): StepTo<"update" | "unchanged"> {
  const names = Object.keys(step.body).filter(isKept);
  const body = pickFields(step.body, names);
  const { name, url }: PlainObject = { ...(step.remote ?? step), ...body };
  if (names.length > 0) return { ...step, name, url, body, before: pickFields(step.before, names) };
  const { id, from, compared } = step;
  return { action: "unchanged", id, name, url, from, compared };
}
