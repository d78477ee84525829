/** Decides what must change, as plain data; whoever prints or applies it decides nothing (cli.md section 8, "push"). */
import type { PlainObject } from "../base/values.ts";
import { type Change, changesOf } from "../course/difference.ts";
import { newCourseId } from "../course/identity.ts";
import { type Course, toChange, toCreation } from "../course/wire.ts";

/** A course as its file wants it; `provider_id` and `url` are there, as every check was passed. */
export interface Desired {
  readonly course: PlainObject;
}

/** One thing to do. `item` is the desired course that asks for it. */
export type Step<Item extends Desired> =
  | { readonly action: "create"; readonly id: string; readonly item: Item; readonly body: Course }
  | {
      readonly action: "update";
      readonly id: string;
      readonly item: Item;
      readonly held: Course;
      /** What to send: the fields that differ, whole. */
      readonly body: PlainObject;
      /** Where they differ. */
      readonly changes: readonly Change[];
    }
  | {
      readonly action: "unchanged";
      readonly id: string;
      readonly item: Item;
      readonly held: Course;
    }
  | { readonly action: "delete"; readonly id: string; readonly held: Course };

/** Why a desired course cannot be told apart from another. */
export type Clash<Item extends Desired> =
  /** Another desired course would become the same one. */
  | { readonly item: Item; readonly id: string; readonly other: Item }
  /** Several courses that are there have its url, and it names none of them by id. */
  | { readonly item: Item; readonly candidates: readonly Course[] };

/** Steps in the order of the desired courses, the deletions behind them. */
export interface Plan<Item extends Desired> {
  readonly steps: readonly Step<Item>[];
  /** Where there are any, the steps are not to be taken. */
  readonly clashes: readonly Clash<Item>[];
}

/** What a plan is made for. */
export interface PlanOptions {
  /** Whether courses that nobody wants are deleted; only those of the providers that are named. */
  readonly prune?: boolean;
}

/**
 * The plan that makes the held courses match the desired ones: each is matched by its id, or by its
 * url if it has none, or by the id that a new course of its provider and url would get.
 */
export function planSync<Item extends Desired>(
  desired: readonly Item[],
  held: readonly Course[],
  { prune = false }: PlanOptions = {},
): Plan<Item> {
  const remote = indexed(held);
  const steps: Step<Item>[] = [];
  const clashes: Clash<Item>[] = [];
  const taken = new Map<string, Item>();
  for (const item of desired) {
    const match = matched(item, remote);
    if ("candidates" in match) {
      clashes.push({ item, candidates: match.candidates });
      continue;
    }
    const other = taken.get(match.id);
    if (other !== undefined) clashes.push({ item, id: match.id, other });
    taken.set(match.id, item);
    steps.push(stepOf(item, match));
  }
  return { steps: prune ? [...steps, ...deletions(desired, held, taken)] : steps, clashes };
}

interface Remote {
  readonly byId: ReadonlyMap<string, Course>;
  readonly byUrl: ReadonlyMap<string, readonly Course[]>;
}

function indexed(held: readonly Course[]): Remote {
  const byId = new Map<string, Course>();
  const byUrl = new Map<string, Course[]>();
  for (const course of held) {
    byId.set(course.id.toLowerCase(), course);
    if (typeof course.url !== "string") continue;
    const same = byUrl.get(course.url);
    if (same === undefined) byUrl.set(course.url, [course]);
    else same.push(course);
  }
  return { byId, byUrl };
}

type Match =
  | { readonly id: string; readonly held: Course | undefined }
  | { readonly candidates: readonly Course[] };

function matched({ course }: Desired, { byId, byUrl }: Remote): Match {
  if (typeof course.id === "string") {
    const id = course.id.toLowerCase();
    return { id, held: byId.get(id) };
  }
  const url = String(course.url);
  const [first, ...others] = byUrl.get(url) ?? [];
  if (first !== undefined && others.length === 0) {
    return { id: first.id.toLowerCase(), held: first };
  }
  const made = newCourseId(String(course.provider_id), url);
  if (first === undefined) return { id: made, held: byId.get(made) };
  // Of several, the one that an earlier push of this file made is meant.
  const own = [first, ...others].find(({ id }) => id.toLowerCase() === made);
  return own === undefined ? { candidates: [first, ...others] } : { id: made, held: own };
}

function stepOf<Item extends Desired>(
  item: Item,
  { id, held }: { readonly id: string; readonly held: Course | undefined },
): Step<Item> {
  if (held === undefined) {
    return { action: "create", id, item, body: { ...toCreation(item.course), id } };
  }
  return changeStep(id, item, held);
}

/** The step that makes a course that is there what the item wants; `unchanged` where it is. */
export function changeStep<Item extends Desired>(
  id: string,
  item: Item,
  held: Course,
): Extract<Step<Item>, { action: "update" | "unchanged" }> {
  const changes = changesOf(item.course, held).filter(({ path }) => path[0] !== "id");
  if (changes.length === 0) return { action: "unchanged", id, item, held };
  const changed = new Set(changes.map(({ path }) => path[0]));
  const given = Object.entries(item.course).filter(([name]) => changed.has(name));
  return { action: "update", id, item, held, changes, body: toChange(Object.fromEntries(given)) };
}

function deletions<Item extends Desired>(
  desired: readonly Item[],
  held: readonly Course[],
  taken: ReadonlyMap<string, Item>,
): Step<Item>[] {
  const providers = new Set(desired.map(({ course }) => lower(course.provider_id)));
  return held
    .filter(({ id, provider_id: provider }) => {
      const isTheirs = typeof provider === "string" && providers.has(lower(provider));
      return isTheirs && !taken.has(id.toLowerCase());
    })
    .map((course) => ({ action: "delete", id: course.id.toLowerCase(), held: course }));
}

function lower(id: unknown): string {
  return String(id).toLowerCase();
}
