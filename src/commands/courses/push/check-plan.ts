/** Turns a saved plan into one that can be executed, as far as its steps still apply. */
import { CatalogError } from "../../../base/errors.ts";
import { truncateJson } from "../../../base/text.ts";
import type { Context } from "../../../command-support/context.ts";
import { concurrencyOf, showWork } from "../../../command-support/work.ts";
import { diffCourses } from "../../../course/difference.ts";
import type { Course } from "../../../course/request-body.ts";
import { courseLabel } from "../../../output/plan.ts";
import { CourseIndex } from "../../../sync/identify.ts";
import { lookUpCourses } from "../../../sync/look-up.ts";
import { type StepState, stateOf } from "../../../sync/preconditions.ts";
import type { SavedStep } from "../../../sync/saved-plan.ts";
import { findCourses } from "../read-courses.ts";
import type { ExecutablePlan } from "./execute-plan.ts";
import type { PushStep } from "./push-step.ts";

/** Reads the courses of a plan, and checks each step against them. */
export async function checkPlan(
  saved: readonly SavedStep[],
  context: Context,
): Promise<ExecutablePlan> {
  const client = await context.client();
  const index = await readCourses(saved, context);
  const byId = new Map(saved.map((step) => [step.id, step]));
  const stale = new Map<string, CatalogError>();
  const steps = saved.map((step) => {
    const state = stateOf(step, index, (id) => byId.has(id));
    if (state.state === "stale") stale.set(step.id, staleError(step, state));
    return toStep(step, state);
  });
  /** A step for the course that exists just before its request. @throws CatalogError if it is stale */
  const adapt = (step: PushStep, course: Course | undefined): PushStep => {
    const planned = byId.get(step.id);
    if (planned === undefined) return step;
    const found = new CourseIndex(course === undefined ? [] : [course]);
    const state = stateOf(planned, found, () => false);
    if (state.state === "stale") throw staleError(planned, state);
    return toStep(planned, state);
  };
  return {
    steps,
    stale,
    readAgain: () => checkPlan(saved, context),
    refresh: async (step) => {
      const error = stale.get(step.id);
      if (error !== undefined) throw error;
      // The service rejects a creation whose id exists.
      return step.action === "create" ? step : adapt(step, await client.course(step.id));
    },
    whenExists: adapt,
  };
}

async function readCourses(saved: readonly SavedStep[], context: Context): Promise<CourseIndex> {
  const client = await context.client();
  const concurrency = await concurrencyOf(context);
  return await showWork("Checking the plan", context, async () => {
    const created = saved.flatMap((step) => (step.action === "create" ? [step.body] : []));
    const others = saved.flatMap(({ action, id }) => (action === "create" ? [] : [id]));
    const existing = await findCourses(created, context);
    const found = await lookUpCourses(others, client, concurrency);
    return new CourseIndex([...existing.courses, ...found]);
  });
}

/** Where the course was described when the plan was made. */
function placeOf({ file, line }: SavedStep) {
  return file === null ? undefined : { file, line: line ?? 1 };
}

function toStep(saved: SavedStep, { state, remote }: StepState): PushStep {
  const { id } = saved;
  const place = placeOf(saved);
  const item = {
    course: saved.action === "delete" ? saved.before : saved.body,
    ...(place === undefined ? {} : { place }),
  };
  const known = remote ?? { name: saved.name, url: saved.url, id };
  if (state === "unchanged") return { action: "unchanged", id, item, remote: known, unmanaged: [] };
  switch (saved.action) {
    case "create":
      return { action: "create", id, item, body: saved.body };
    case "update": {
      const { body, before } = saved;
      const changes = diffCourses(body, { ...known, ...before });
      return { action: "update", id, item, remote: known, body, before, changes, unmanaged: [] };
    }
    case "delete":
      return { action: "delete", id, remote: remote ?? saved.before };
  }
}

type Stale = Extract<StepState, { state: "stale" }>;

function staleError(saved: SavedStep, { reason, remote, fields }: Stale): CatalogError {
  const changed = fields.map(({ name, planned, now }) => {
    return `${name} was ${truncateJson(planned)} in the plan and is now ${truncateJson(now)}`;
  });
  const reasons: Record<Stale["reason"], string> = {
    changed: `, which has changed since the plan was made: ${changed.join("; ")}`,
    gone: ": it no longer exists",
    "id exists": `: a course with this id exists now: ${changed.join("; ")}`,
    "url exists": `: a course with the url ${saved.url} exists now: ${remote?.id}`,
  };
  const message = `cannot ${saved.action} ${courseLabel(saved)}${reasons[reason]}`;
  const place = placeOf(saved);
  return new CatalogError("refused", message, {
    ...(place === undefined ? {} : { ...place, column: 1 }),
    rule: "stale",
    advice: "Make a new plan with catalog courses diff --out.",
  });
}
