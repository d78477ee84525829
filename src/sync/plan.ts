/** Plans what must change so that the remote courses match the desired ones: pure, and plain data. */
import type { PlainObject } from "../base/values.ts";
import { type Change, completed, diffCourses, unmanagedFields } from "../course/difference.ts";
import { type Course, derivedId, toCreateBody, toUpdateBody } from "../course/request-body.ts";
import { CourseIndex } from "./identify.ts";

/** A course as its file describes it. It has passed every check: `provider_id` and `url` are set. */
export interface Desired {
  readonly course: PlainObject;
}

/** What to do with one course. `item` is its description, `remote` the course in the catalog. */
export type Step<Item extends Desired> =
  | { readonly action: "create"; readonly id: string; readonly item: Item; readonly body: Course }
  | (Existing<Item> & {
      readonly action: "update";
      /** The body of the request: the complete new value of each field that differs. */
      readonly body: PlainObject;
      /** The present values of the fields of the body. */
      readonly before: PlainObject;
      /** Every difference, also inside fields. */
      readonly changes: readonly Change[];
    })
  | (Existing<Item> & { readonly action: "unchanged" })
  | { readonly action: "delete"; readonly id: string; readonly remote: Course };

/** A step with one of these actions. */
export type StepTo<Action extends Step<Desired>["action"], Item extends Desired> = Extract<
  Step<Item>,
  { readonly action: Action }
>;

/** A course that exists already. */
interface Existing<Item extends Desired> {
  readonly id: string;
  readonly item: Item;
  readonly remote: Course;
  /** The names of fields that the catalog has, the item leaves out, and the plan leaves alone. */
  readonly unmanaged: readonly string[];
}

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
  /** The courses with a key that were found by their url; their files lack the id. */
  readonly adopted: readonly Item[];
}

/** How the remote courses become like the desired ones. */
export interface PlanOptions {
  /** Whether remote courses of the providers involved that no item describes are deleted. */
  readonly prune?: boolean;
  /** Whether the items are complete: fields that they leave out are cleared. */
  readonly complete?: boolean;
}

/** Plans the steps that make the remote courses match the desired ones. */
export function planSync<Item extends Desired>(
  desired: readonly Item[],
  remote: readonly Course[],
  { prune = false, complete = false }: PlanOptions = {},
): Plan<Item> {
  const index = new CourseIndex(remote);
  const steps: Step<Item>[] = [];
  const conflicts: Conflict<Item>[] = [];
  const adopted: Item[] = [];
  const itemById = new Map<string, Item>();
  for (const item of desired) {
    const match = index.match(item.course);
    if ("candidates" in match) {
      conflicts.push({ item, candidates: match.candidates });
      continue;
    }
    const { id, remote } = match;
    const other = itemById.get(id);
    if (other !== undefined) conflicts.push({ item, id, other });
    itemById.set(id, item);
    if (match.isAdopted) adopted.push(item);
    steps.push(
      remote === undefined
        ? { action: "create", id, item, body: { ...toCreateBody(item.course), id } }
        : planChange(id, item, remote, complete),
    );
  }
  return {
    steps: prune ? [...steps, ...planDeletions(desired, remote, itemById)] : steps,
    conflicts,
    adopted,
  };
}

/** Plans the step that makes an existing course match the item. @param complete as in `PlanOptions` */
export function planChange<Item extends Desired>(
  id: string,
  item: Item,
  remote: Course,
  complete = false,
): StepTo<"update" | "unchanged", Item> {
  const course = complete ? completed(item.course, remote) : item.course;
  const unmanaged = complete ? [] : unmanagedFields(course, remote);
  const isSameUrl = isNormalizedUrl(course, remote);
  const changes = diffCourses(course, remote).filter(
    ({ path: [name] }) => name !== "id" && !(name === "url" && isSameUrl),
  );
  if (changes.length === 0) return { action: "unchanged", id, item, remote, unmanaged };
  const changed = new Set(changes.map(({ path }) => path[0]));
  const fields = Object.entries(course).filter(([name]) => changed.has(name));
  const body = toUpdateBody(Object.fromEntries(fields));
  const before = Object.fromEntries(Object.keys(body).map((name) => [name, remote[name] ?? null]));
  return { action: "update", id, item, remote, body, before, changes, unmanaged };
}

/**
 * Whether the remote course was created with the url of the desired one, as its id shows, and has it
 * except for a slash at its end. A service that normalizes urls would revert an update.
 */
function isNormalizedUrl({ url, provider_id }: PlainObject, remote: Course): boolean {
  if (typeof url !== "string" || typeof remote.url !== "string" || url === remote.url) return false;
  const isEquivalent = url.replace(/\/$/, "") === remote.url.replace(/\/$/, "");
  return isEquivalent && derivedId({ provider_id, url }) === remote.id.toLowerCase();
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
