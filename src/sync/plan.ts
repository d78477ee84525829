/** Plans what must change so that the remote courses match the desired ones: pure, and plain data. */
import type { PlainObject } from "../base/values.ts";
import { type Change, diffCourses } from "../course/difference.ts";
import { type Course, newCourseId, toCreateBody, toUpdateBody } from "../course/request-body.ts";

/** A course as its file describes it. It has passed every check: `provider_id` and `url` are set. */
export interface Desired {
  readonly course: PlainObject;
}

/** What to do with one course. `item` is its description, `remote` the course in the catalog. */
export type Step<Item extends Desired> =
  | { readonly action: "create"; readonly id: string; readonly item: Item; readonly body: Course }
  | {
      readonly action: "update";
      readonly id: string;
      readonly item: Item;
      readonly remote: Course;
      /** The body of the request: the complete new value of each field that differs. */
      readonly body: PlainObject;
      /** Every difference, also inside fields. */
      readonly changes: readonly Change[];
    }
  | {
      readonly action: "unchanged";
      readonly id: string;
      readonly item: Item;
      readonly remote: Course;
    }
  | { readonly action: "delete"; readonly id: string; readonly remote: Course };

/** Why it is unclear which remote course a desired one describes. */
export type Conflict<Item extends Desired> =
  /** Another desired course describes the same remote course. */
  | { readonly item: Item; readonly id: string; readonly other: Item }
  /** Several remote courses have its url, and it has no id. */
  | { readonly item: Item; readonly candidates: readonly Course[] };

/** Steps in the order of the desired courses, followed by the deletions. */
export interface Plan<Item extends Desired> {
  readonly steps: readonly Step<Item>[];
  /** If there are any, the steps must not be applied. */
  readonly conflicts: readonly Conflict<Item>[];
}

/**
 * Plans the steps that make the remote courses match the desired ones. A desired course is matched
 * by its id, or without one by its url, or by the id that a new course with its provider and url
 * would get. `prune` deletes the remote courses of the providers involved that no item describes.
 */
export function planSync<Item extends Desired>(
  desired: readonly Item[],
  remote: readonly Course[],
  { prune = false }: { readonly prune?: boolean } = {},
): Plan<Item> {
  const index = indexCourses(remote);
  const steps: Step<Item>[] = [];
  const conflicts: Conflict<Item>[] = [];
  const itemById = new Map<string, Item>();
  for (const item of desired) {
    const match = findRemote(item, index);
    if ("candidates" in match) {
      conflicts.push({ item, candidates: match.candidates });
      continue;
    }
    const { id, remote } = match;
    const other = itemById.get(id);
    if (other !== undefined) conflicts.push({ item, id, other });
    itemById.set(id, item);
    steps.push(
      remote === undefined
        ? { action: "create", id, item, body: { ...toCreateBody(item.course), id } }
        : planChange(id, item, remote),
    );
  }
  return {
    steps: prune ? [...steps, ...planDeletions(desired, remote, itemById)] : steps,
    conflicts,
  };
}

/** Plans the step that makes an existing course match the item. */
export function planChange<Item extends Desired>(
  id: string,
  item: Item,
  remote: Course,
): Extract<Step<Item>, { action: "update" | "unchanged" }> {
  const changes = diffCourses(item.course, remote).filter(({ path }) => path[0] !== "id");
  if (changes.length === 0) return { action: "unchanged", id, item, remote };
  const changed = new Set(changes.map(({ path }) => path[0]));
  const fields = Object.entries(item.course).filter(([name]) => changed.has(name));
  const body = toUpdateBody(Object.fromEntries(fields));
  return { action: "update", id, item, remote, changes, body };
}

function planDeletions<Item extends Desired>(
  desired: readonly Item[],
  remote: readonly Course[],
  itemById: ReadonlyMap<string, Item>,
): Step<Item>[] {
  const providers = new Set(desired.map(({ course }) => String(course.provider_id).toLowerCase()));
  return remote
    .map((course) => ({ action: "delete" as const, id: course.id.toLowerCase(), remote: course }))
    .filter(({ id, remote: { provider_id: provider } }) => {
      const isInvolved = typeof provider === "string" && providers.has(provider.toLowerCase());
      return isInvolved && !itemById.has(id);
    });
}

function indexCourses(courses: readonly Course[]) {
  const byId = new Map<string, Course>();
  const byUrl = new Map<string, Course[]>();
  for (const course of courses) {
    byId.set(course.id.toLowerCase(), course);
    if (typeof course.url !== "string") continue;
    const same = byUrl.get(course.url);
    if (same === undefined) byUrl.set(course.url, [course]);
    else same.push(course);
  }
  return { byId, byUrl };
}

function findRemote({ course }: Desired, { byId, byUrl }: ReturnType<typeof indexCourses>) {
  if (typeof course.id === "string") {
    const id = course.id.toLowerCase();
    return { id, remote: byId.get(id) };
  }
  const url = String(course.url);
  const candidates = byUrl.get(url) ?? [];
  const [first, ...others] = candidates;
  if (first !== undefined && others.length === 0) {
    return { id: first.id.toLowerCase(), remote: first };
  }
  const id = newCourseId(String(course.provider_id), url);
  if (first === undefined) return { id, remote: byId.get(id) };
  // One of several may be the course that an earlier push of this file created.
  const own = candidates.find((candidate) => candidate.id.toLowerCase() === id);
  return own === undefined ? { candidates } : { id, remote: own };
}
