/** Plans an undo against the courses as they are now, and reports the plan. */
import { CatalogError } from "../../base/errors.ts";
import { joinList, pluralize, truncate, truncateJson } from "../../base/text.ts";
import { isUuid } from "../../base/uuid.ts";
import { formatPath } from "../../base/values.ts";
import type { Context } from "../../command-support/context.ts";
import {
  findCourses,
  readBeforeWriting,
  selectExisting,
} from "../../command-support/read-courses.ts";
import { showWork } from "../../command-support/work.ts";
import { checkCourse } from "../../course/check.ts";
import type { RunRecord } from "../../history/record.ts";
import { planUndo, type UndoStep } from "../../history/reverse.ts";
import {
  courseLabel,
  PAST,
  type PlanCounts,
  type PlanEntry,
  planSummary,
} from "../../output/plan.ts";
import { showEntries } from "../courses/push/show-plan.ts";

/** A step that sends a request. */
export type WritingStep = Extract<UndoStep, { action: "create" | "update" | "delete" }>;

/** Whether a step sends a request. */
export function isWriting(step: UndoStep): step is WritingStep {
  return step.action === "create" || step.action === "update" || step.action === "delete";
}

/** Whether a step is left out because of a conflict. */
export function isSkipped(
  step: UndoStep,
): step is Extract<UndoStep, { action: "conflict" | "gone" | "taken" }> {
  return !isWriting(step) && step.action !== "unchanged";
}

/** Reads the courses of the run and plans its reverse. @throws CatalogError if one cannot be read */
export async function planRun(
  record: RunRecord,
  force: boolean,
  context: Context,
): Promise<UndoStep[]> {
  const ids = [...new Set(record.writes.map(({ id }) => id))];
  const read = await readBeforeWriting(ids, context);
  for (const { course } of read) {
    if (course instanceof CatalogError && course.kind !== "missing") throw course;
  }
  const remote = selectExisting(read).map((course) => [course.id.toLowerCase(), course] as const);
  const steps = planUndo(record, new Map(remote), force);
  return force ? steps : await withoutTaken(steps, context);
}

/** The steps without creations that would give a url to a second course. */
async function withoutTaken(steps: UndoStep[], context: Context): Promise<UndoStep[]> {
  const created = steps.flatMap((step) => (step.action === "create" ? [step.body] : []));
  const known = created.filter(({ provider_id: id }) => isUuid(id));
  if (known.length === 0) return steps;
  const index = await showWork("Reading courses", context, () => findCourses(known, context));
  // The undo itself deletes these courses, or gives them other urls.
  const moved = new Set(steps.filter(freesUrl).map(({ write }) => write.id));
  return steps.map((step) => {
    if (step.action !== "create") return step;
    const same = index.findByUrl(String(step.body.url));
    const other = same.find(({ id }) => !moved.has(id.toLowerCase()));
    return other === undefined ? step : { write: step.write, action: "taken", other };
  });
}

function freesUrl(step: UndoStep): boolean {
  return step.action === "delete" || (step.action === "update" && "url" in step.body);
}

/** Prints what is unknown, what cannot be restored, and the plan; conflicts are failures. */
export async function reportUndo(steps: readonly UndoStep[], context: Context): Promise<void> {
  const { messages, options } = context;
  for (const step of steps) {
    const { write } = step;
    if (write.status === "unknown") await messages.warn(unknownText(step));
    const conflict = findConflict(step);
    if (conflict !== undefined) await messages.fail(conflict);
    if (step.action !== "create" && step.action !== "update") continue;
    if (step.dropped.length > 0) {
      const paths = joinList(step.dropped.map(truncate), "and");
      await messages.info(
        `${courseLabel(write)}: not restored, as the service accepts no such field: ${paths}`,
      );
    }
    const mode = step.action === "create" ? "create" : "patch";
    for (const { severity, path, message } of checkCourse(step.body, { mode })) {
      if (severity !== "error") continue;
      await messages.warn(`${courseLabel(write)}: ${truncate(formatPath(path))}: ${message}`);
    }
  }
  if (options.format === undefined) {
    await showEntries(steps.filter(isWriting).map(toEntry), context);
  }
  const counts = countSteps(steps);
  await messages.info(planSummary(counts), { counts });
  if (steps.some(({ action }) => action === "create")) {
    await messages.info("The approval of a course that is created again starts over.");
  }
}

/** Reports the conflicts that have arisen since a plan was shown. */
export async function reportNewConflicts(
  steps: readonly UndoStep[],
  shown: readonly UndoStep[],
  { messages }: Pick<Context, "messages">,
): Promise<void> {
  const reported = new Set(shown.filter(isSkipped).map(({ write }) => write));
  for (const step of steps) {
    const conflict = reported.has(step.write) ? undefined : findConflict(step);
    if (conflict !== undefined) await messages.fail(conflict);
  }
}

/** Why a step is skipped, if it is. */
export function findConflict(step: UndoStep): CatalogError | undefined {
  const { write } = step;
  const facts = { rule: "conflict" };
  if (step.action === "gone") {
    const message = `${courseLabel(write)} no longer exists, so its values cannot be restored`;
    return new CatalogError("refused", message, facts);
  }
  const advice = "Pass --force to undo the change anyway.";
  if (step.action === "taken") {
    const { url, id } = step.other;
    const message = `${courseLabel(write)} was deleted, and another course has its url ${truncate(String(url))} now: ${id}`;
    return new CatalogError("refused", message, { ...facts, advice });
  }
  if (step.action !== "conflict") return undefined;
  const fields = step.fields.map(({ name, wrote, now }) => {
    const before = write.action === "delete" ? "" : `was ${truncateJson(wrote)} after the run and `;
    return `${name} ${before}is now ${truncateJson(now)}`;
  });
  const event = write.action === "delete" ? "exists again with other values" : "was changed again";
  return new CatalogError("refused", `${courseLabel(write)} ${event}: ${fields.join("; ")}`, {
    ...facts,
    advice,
  });
}

/** What the run did to the course, where it did not get a response. */
function unknownText({ write, action }: UndoStep): string {
  const outcomes: Partial<Record<UndoStep["action"], string>> = {
    unchanged: "was not",
    conflict: "may have been",
    gone: "may have been",
  };
  return `the run ended before the response: ${courseLabel(write)} ${outcomes[action] ?? "was"} ${PAST[write.action]}`;
}

function toEntry(step: WritingStep): PlanEntry {
  const { id, name, file } = step.write;
  return {
    ...{ action: step.action, id, name, file },
    changes: step.action === "update" ? step.changes : [],
  };
}

function countSteps(steps: readonly UndoStep[]): PlanCounts {
  const counts = { create: 0, update: 0, unchanged: 0, delete: 0, skipped: 0 };
  for (const step of steps) counts[isSkipped(step) ? "skipped" : step.action]++;
  return counts;
}

/** The counts for a question: `delete 2 courses and update 1 course`. */
export function countUndo(steps: readonly UndoStep[]): string {
  const counts = countSteps(steps);
  const parts = (["create", "update", "delete"] as const)
    .filter((action) => counts[action] > 0)
    .map((action) => `${action} ${pluralize(counts[action], "course")}`);
  return joinList(parts, "and");
}
