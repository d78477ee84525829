/** What is done with one course: plain data, which every command that changes the catalog makes. */
import type { CatalogError, Excerpt } from "../base/errors.ts";
import { type Path, type PlainObject, valueAt } from "../base/values.ts";
import {
  type Change,
  completed,
  describeCreation,
  describeDeletion,
  diffCourses,
  unmanagedFields,
} from "../course/difference.ts";
import { type Course, derivedId, toUpdateBody } from "../course/request-body.ts";

/** A position in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly excerpt?: Excerpt;
}

/** A course and where it is described. */
export interface Located {
  /** What is wanted of the course: its fields after defaults and flags, with `provider_id`. */
  readonly value: PlainObject;
  /** The name of its file; undefined if only flags or a record describe it. */
  readonly file: string | undefined;
  /** The line in which it begins. */
  readonly line: () => Promise<number | undefined>;
  /** The position of the value at a path. */
  readonly place: (path: Path) => Promise<Place | undefined>;
}

/** On which side a field was changed since the base. */
export type ChangedIn = "file" | "catalog" | "both";

/** A change, and where it was made since the base, if there is one. */
export interface StepChange extends Change {
  readonly changedIn?: ChangedIn;
  /** The value at the base. */
  readonly base?: unknown;
}

/** What every step has. */
interface CommonStep {
  /** The id of the course, in lowercase. */
  readonly id: string;
  /** The course as it is wanted, and where it is described. */
  readonly from?: Located | undefined;
  /** The course as it was read, if it exists. */
  readonly remote?: Course | undefined;
  /** Where its fields were changed since the base, and their values there, as far as they are known. */
  readonly base?: {
    readonly changedIn: Readonly<Record<string, ChangedIn>>;
    readonly values: PlainObject;
    /** Whether the user has named the base. */
    readonly isNamed: boolean;
  };
}

/**
 * One step. A refused step is what cannot be done: its status is that of its result, and its error
 * says why.
 */
export type Step = CommonStep &
  (
    | { readonly action: "create"; readonly body: Course }
    | {
        readonly action: "update";
        /** The complete new value of each field that differs. */
        readonly body: PlainObject;
        /** The present values of the same fields. */
        readonly before: PlainObject;
        /** The fields that the catalog has, the file leaves out, and the step leaves alone. */
        readonly unmanaged?: readonly string[];
      }
    | { readonly action: "delete"; readonly before: Course }
    | { readonly action: "unchanged"; readonly unmanaged?: readonly string[] }
    | {
        readonly action: "refused";
        readonly wanted: "create" | "update" | "delete";
        readonly status: "failed" | "skipped";
        /** Absent if the user asked for the step to be skipped. */
        readonly error?: CatalogError | undefined;
        /** Whether its course no longer exists, so that it can never be done. */
        readonly isGone?: boolean;
      }
  );

/** A step with one of these actions. */
export type StepTo<Action extends Step["action"]> = Extract<Step, { readonly action: Action }>;

/** A step that sends a request. */
export type WriteStep = StepTo<"create" | "update" | "delete">;

/** The step of a course that is refused. @param status what its result is */
export function refuseStep(
  { id, from, remote }: CommonStep,
  wanted: WriteStep["action"],
  error: CatalogError | undefined,
  status: "failed" | "skipped" = "failed",
): StepTo<"refused"> {
  return { action: "refused", wanted, status, id, from, remote, error };
}

/** Whether a step sends a request. */
export function isWrite(step: Step): step is WriteStep {
  return step.action === "create" || step.action === "update" || step.action === "delete";
}

/** What a step changes: old and new values, also inside fields, and on which side they were changed. */
export function listChanges(step: Step): StepChange[] {
  const { base } = step;
  return describeChanges(step).map((change) => {
    const changedIn = base?.changedIn[String(change.path[0])];
    if (changedIn === undefined) return change;
    return { ...change, changedIn, base: valueAt(base?.values, change.path) ?? null };
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

/** The name and the url of a step's course: as they are wanted, else as they are. */
export function describeCourse({ from, remote, ...step }: Step): {
  readonly name: unknown;
  readonly url: unknown;
} {
  const body: PlainObject = "body" in step ? step.body : {};
  const pick = (name: string): unknown => body[name] ?? from?.value[name] ?? remote?.[name];
  return { name: pick("name"), url: pick("url") };
}

/**
 * The step that makes an existing course match its description.
 *
 * @param options `complete` if fields that the description leaves out are cleared; `partial` if it
 * has only the fields that change, so that others are not listed as left out
 */
export function planChange(
  from: Located,
  remote: Course,
  { complete = false, partial = false }: { complete?: boolean; partial?: boolean } = {},
): StepTo<"update" | "unchanged"> {
  const id = remote.id.toLowerCase();
  const course = complete ? completed(from.value, remote) : from.value;
  const unmanaged = complete || partial ? [] : unmanagedFields(course, remote);
  const known = unmanaged.length === 0 ? { id, from } : { id, from, unmanaged };
  const wanted = Object.entries(course).filter(([name]) => name !== "id");
  const differing = new Set(
    diffCourses(Object.fromEntries(wanted), remote).map(({ path }) => path[0]),
  );
  if (isNormalizedUrl(course, remote)) differing.delete("url");
  // The service generates slugs itself, so that only a partial description can mean to change one.
  if (partial && typeof course.slug === "string" && course.slug !== remote.slug)
    differing.add("slug");
  if (differing.size === 0) return { action: "unchanged", ...known, remote };
  const body = toUpdateBody(Object.fromEntries(wanted.filter(([name]) => differing.has(name))));
  return { action: "update", ...known, remote, body, before: pickFields(remote, body) };
}

/** The values that a course has in the fields of a body; null if they are not set. */
export function pickFields(course: PlainObject, body: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.keys(body).map((name) => [name, Object.hasOwn(course, name) ? course[name] : null]),
  );
}

/**
 * Whether a course has the url that was sent for it, except for a slash at its end: its id shows that
 * it was created with that url. A service that normalizes urls would revert an update.
 */
function isNormalizedUrl({ url, provider_id }: PlainObject, remote: Course): boolean {
  if (typeof url !== "string" || typeof remote.url !== "string" || url === remote.url) return false;
  const isEquivalent = url.replace(/\/$/, "") === remote.url.replace(/\/$/, "");
  const id = derivedId({ provider_id: provider_id ?? remote.provider_id, url });
  return isEquivalent && id === remote.id.toLowerCase();
}
