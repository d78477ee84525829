/** Defines steps, which say as plain data what happens to one course. Every command that changes the catalog makes steps. */
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

/** A desired course, and where it is described. */
export interface Located {
  /** The desired fields, after defaults and flags are applied, with `provider_id`. */
  readonly value: PlainObject;
  /** The name of the file; undefined if only flags or an undo record describe the course. */
  readonly file: string | undefined;
  readonly line: () => Promise<number | undefined>;
  readonly place: (path: Path) => Promise<Place | undefined>;
}

export type ChangedIn = "file" | "catalog" | "both";

/** A change of a field and, if there is a base, the side on which the field was changed since the base. */
export interface StepChange extends Change {
  readonly changedIn?: ChangedIn;
  readonly base?: unknown;
}

interface CommonStep {
  /** The id of the course, in lowercase. */
  readonly id: string;
  readonly from?: Located | undefined;
  /** The course in the catalog, if it exists. */
  readonly remote?: Course | undefined;
  /** For each field, the side on which it was changed since the base, and the value at the base if it is known. */
  readonly base?: {
    readonly changedIn: Readonly<Record<string, ChangedIn>>;
    readonly values: PlainObject;
    /** Whether a push keeps what only the catalog changed. */
    readonly isKept: boolean;
  };
}

/** One step. A refused step cannot be applied: its error says why, and its status becomes the status of the result. */
export type Step = CommonStep &
  (
    | { readonly action: "create"; readonly body: Course }
    | {
        readonly action: "update";
        /** The complete new value of each field that differs. */
        readonly body: PlainObject;
        /** The present values of the same fields. */
        readonly before: PlainObject;
        /** The fields that are set in the catalog, missing from the file, and not changed by the step. */
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
      }
  );

export type StepTo<Action extends Step["action"]> = Extract<Step, { readonly action: Action }>;

/** A step that sends a request. */
export type WriteStep = StepTo<"create" | "update" | "delete">;

/** Turns a step into a refused step. @param status the status of the result */
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

/** Lists the changes of a step: the old and new value of each field or part of a field, and the side of the change. */
export function listChanges(step: Step): StepChange[] {
  const { base } = step;
  return describeChanges(step).map((change) => {
    const changedIn = base?.changedIn[String(change.path[0])];
    if (base === undefined || changedIn === undefined) return change;
    const compared = { ...change, changedIn, base: valueAt(base.values, change.path) ?? null };
    // What a push keeps is shown as the change that was made in the catalog.
    const isKept = base.isKept && changedIn === "catalog" && step.action === "update";
    return isKept ? { ...compared, old: change.new, new: change.old } : compared;
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

/** The name and the url of a step's course: the desired values, or else the present values. */
export function describeCourse({ from, remote, ...step }: Step): Record<"name" | "url", unknown> {
  const body: PlainObject = "body" in step ? step.body : {};
  const pick = (name: string): unknown => body[name] ?? from?.value[name] ?? remote?.[name];
  return { name: pick("name"), url: pick("url") };
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
  const id = remote.id.toLowerCase();
  const course = complete ? completed(from.value, remote) : from.value;
  const unmanaged = complete || partial ? [] : unmanagedFields(course, remote);
  const known = unmanaged.length === 0 ? { id, from } : { id, from, unmanaged };
  const wanted = Object.entries(course).filter(([name]) => name !== "id");
  const differing = new Set(
    diffCourses(Object.fromEntries(wanted), remote).map(({ path }) => path[0]),
  );
  if (isNormalizedUrl(course, remote)) differing.delete("url");
  // The service generates slugs itself, so a slug is changed only by a partial description.
  if (partial && typeof course.slug === "string" && course.slug !== remote.slug)
    differing.add("slug");
  if (differing.size === 0) return { action: "unchanged", ...known, remote };
  const body = toUpdateBody(Object.fromEntries(wanted.filter(([name]) => differing.has(name))));
  return { action: "update", ...known, remote, body, before: pickFields(remote, body) };
}

/** The values of a course in the fields of a body; null for fields that are not set. */
export function pickFields(course: PlainObject, body: PlainObject): PlainObject {
  return Object.fromEntries(
    Object.keys(body).map((name) => [name, Object.hasOwn(course, name) ? course[name] : null]),
  );
}

/**
 * Whether the service added or removed a slash at the end of the course's url: the id shows that the course was
 * created with the desired url. An update would be useless, because the service would normalize the url again.
 */
function isNormalizedUrl({ url, provider_id }: PlainObject, remote: Course): boolean {
  if (typeof url !== "string" || typeof remote.url !== "string" || url === remote.url) return false;
  const isEquivalent = url.replace(/\/$/, "") === remote.url.replace(/\/$/, "");
  const id = derivedId({ provider_id: provider_id ?? remote.provider_id, url });
  return isEquivalent && id === remote.id.toLowerCase();
}
