/** Turns the steps of a saved plan into steps that can be applied, as far as they still apply. */
import type { CatalogClient } from "../../../api/client.ts";
import { CatalogError } from "../../../base/errors.ts";
import { truncate } from "../../../base/text.ts";
import type { Context } from "../../../command-support/context.ts";
import { readingOptions, showWork } from "../../../command-support/work.ts";
import { diffCourses } from "../../../course/difference.ts";
import type { Course } from "../../../course/request-body.ts";
import { courseLabel } from "../../../output/plan.ts";
import { readExisting } from "../../../sync/existing.ts";
import { lookUpCourses } from "../../../sync/look-up.ts";
import { CourseIndex } from "../../../sync/match.ts";
import type { Step } from "../../../sync/plan.ts";
import { type StepState, stateOf, stateOfCreated } from "../../../sync/preconditions.ts";
import type { SavedStep } from "../../../sync/saved-plan.ts";
import type { StepItem } from "./push-step.ts";

/** The steps of a plan, and why some of them cannot be applied. */
export interface CheckedSteps {
  readonly steps: readonly Step<StepItem>[];
  /** By the id of the course. */
  readonly stale: ReadonlyMap<string, CatalogError>;
}

/** Reads the courses of a plan, and checks each step against them. */
export async function checkSteps(
  saved: readonly SavedStep[],
  client: CatalogClient,
  context: Context,
): Promise<CheckedSteps> {
  const index = await readCourses(saved, client, context);
  const planned = new Set(saved.map(({ id }) => id));
  const stale = new Map<string, CatalogError>();
  const steps = saved.map((step) => {
    const state = stateOf(step, index, (id) => planned.has(id));
    if (state.state === "stale") stale.set(step.id, staleError(step, state).with(placeOf(step)));
    return toStep(step, state);
  });
  return { steps, stale };
}

/**
 * A step just before its request: an update or a deletion that took effect meanwhile is unchanged.
 * The service rejects a creation whose id exists. @throws CatalogError if the course has changed
 */
export async function refreshStep(
  step: Step<StepItem>,
  saved: SavedStep,
  client: CatalogClient,
): Promise<Step<StepItem>> {
  if (saved.action === "create") return step;
  const course = await client.course(saved.id);
  const index = new CourseIndex(course === undefined ? [] : [course]);
  const state = stateOf(saved, index, () => false);
  if (state.state === "stale") throw staleError(saved, state).with(placeOf(saved));
  return toStep(saved, state);
}

async function readCourses(
  saved: readonly SavedStep[],
  client: CatalogClient,
  context: Context,
): Promise<CourseIndex> {
  return await showWork("Checking the plan", context, async () => {
    const options = await readingOptions(context);
    const created = saved.flatMap((step) => (step.action === "create" ? [step.body] : []));
    const others = saved.flatMap(({ action, id }) => (action === "create" ? [] : [id]));
    const existing = await readExisting(created, new Set(), client, options);
    const found = await lookUpCourses(others, client, options.concurrency);
    return new CourseIndex([...existing.courses, ...found]);
  });
}

/** Where the course was described when the plan was made. */
function placeOf({ file, line }: SavedStep) {
  return file === null ? {} : { file, line: line ?? 1, column: 1 };
}

function toStep(saved: SavedStep, { state, remote }: StepState): Step<StepItem> {
  const { id } = saved;
  const { file, line } = placeOf(saved);
  const place = file === undefined ? {} : { place: { file, line } };
  if (saved.action === "delete") {
    const step = { id, remote: remote ?? saved.before };
    const item = { course: saved.before, ...place };
    return state === "unchanged"
      ? { action: "unchanged", ...step, item, unmanaged: [] }
      : { action: "delete", ...step };
  }
  const { body } = saved;
  const item = { course: body, ...place };
  const known = remote ?? { name: saved.name, url: saved.url, id };
  if (state === "unchanged") return { action: "unchanged", id, item, remote: known, unmanaged: [] };
  if (saved.action === "create") return { action: "create", id, item, body: saved.body };
  const changes = diffCourses(body, { ...known, ...saved.before });
  const { before } = saved;
  return { action: "update", id, item, remote: known, body, before, changes, unmanaged: [] };
}

/** The step to apply instead of a creation whose course exists. @throws CatalogError if it differs */
export function planExisting(
  { id, item, body }: Extract<Step<StepItem>, { action: "create" }>,
  exists: Course,
): Step<StepItem> {
  const state = stateOfCreated(body, exists);
  if (state.state === "stale") {
    const { name, url } = body;
    throw staleError({ action: "create", name: String(name), id, url: String(url) }, state);
  }
  return { action: "unchanged", id, item, remote: exists, unmanaged: [] };
}

type Stale = Extract<StepState, { state: "stale" }>;

function staleError(
  { action, name, id, url }: Pick<SavedStep, "action" | "name" | "id" | "url">,
  { reason, remote, fields }: Stale,
): CatalogError {
  const changed = fields.map(({ name, planned, now }) => {
    return `${name} was ${shorten(planned)} in the plan and is now ${shorten(now)}`;
  });
  const reasons: Record<Stale["reason"], string> = {
    changed: `, which changed since the plan was made: ${changed.join("; ")}`,
    gone: ": it no longer exists",
    "id exists": `: a course with this id exists now: ${changed.join("; ")}`,
    "url exists": `: a course with the url ${url} exists now: ${remote?.id}`,
  };
  const message = `cannot ${action} ${courseLabel({ name, id })}${reasons[reason]}`;
  return new CatalogError("refused", message, {
    rule: "stale",
    advice: "Make a new plan with catalog courses diff --out.",
  });
}

function shorten(value: unknown): string {
  return truncate(JSON.stringify(value));
}
