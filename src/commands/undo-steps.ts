/** Which courses the steps of an undo are about, and what is said about them. */
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeName, joinList, truncate, truncateJson } from "../base/text.ts";
import { formatPath, isObject, isUuid } from "../base/values.ts";
import { checkSteps, type PreconditionOptions } from "../command-support/check-steps.ts";
import type { Context } from "../command-support/context.ts";
import { searchCourses } from "../command-support/read-courses.ts";
import { checkCourse } from "../course/check.ts";
import { EXTERNAL_KEY } from "../course/field-names.ts";
import { isRejected } from "../course/problem.ts";
import { derivedId } from "../course/request-body.ts";
import { courseLabel, PAST } from "../output/plan.ts";
import { type Obstacle, recheckStep } from "../sync/preconditions.ts";
import type { RecordedWrite, RunRecord } from "../sync/record-format.ts";
import type { Reversed } from "../sync/reverse.ts";
import {
  describeCourse,
  refuseStep,
  type Step,
  type StepTo,
  type WriteStep,
} from "../sync/step.ts";

/** What reverses the writes of a run, and the same for the courses as they are now. */
export interface UndoPlan {
  readonly reversed: readonly Reversed[];
  readonly steps: readonly Step[];
}

/**
 * Reads the courses that an undo is about. Some services choose their own ids without saying so: if no
 * course has the id of a creation, the one with the same url is meant, unless the run itself names it.
 */
export async function planUndo(
  reversed: readonly Reversed[],
  options: PreconditionOptions,
  context: Context,
): Promise<UndoPlan> {
  const check = async (all: readonly Reversed[]): Promise<UndoPlan> => {
    const writes = all.map(({ step }) => step);
    return { reversed: all, steps: await checkSteps(writes, options, context) };
  };
  const plan = await check(reversed);
  const missing = reversed.flatMap(({ step }, index) =>
    step.action === "delete" &&
    plan.steps[index]?.action === "unchanged" &&
    isUuid(step.before.provider_id)
      ? [step.before]
      : [],
  );
  if (missing.length === 0) return plan;
  const present = await searchCourses(missing, context);
  const named = new Set(reversed.map(({ step }) => step.id));
  const found = reversed.map((each) => {
    const { step, write } = each;
    if (step.action !== "delete" || !missing.includes(step.before)) return each;
    const others = present
      .findByUrl(String(step.before.url))
      .filter(({ id }) => !named.has(id.toLowerCase()))
      .map(({ id }) => ({ ...step, id, before: { ...step.before, id } }));
    const copy = others.find((other) => "action" in recheckStep(other, present));
    // One with other values is a conflict, but only if the run has certainly created a course.
    const meant = copy ?? (write.status === "done" ? others[0] : undefined);
    return meant === undefined ? each : { ...each, step: meant };
  });
  return found.every((each, index) => each === reversed[index]) ? plan : await check(found);
}

/** The refused step instead of one whose course was changed again. */
export function refuseConflict(step: WriteStep, obstacle: Obstacle): StepTo<"refused"> {
  const label = courseLabel({ ...describeCourse(step), id: step.id });
  const isGone = obstacle.reason === "gone";
  const error = new CatalogError("refused", `${label} ${reasonOf(obstacle)}`, {
    rule: "conflict",
    ...(isGone ? {} : { advice: "Pass --force to undo the change anyway." }),
  });
  return { ...refuseStep(step, step.action, error, "skipped"), isGone };
}

function reasonOf(obstacle: Obstacle): string {
  if (obstacle.reason === "gone") return "no longer exists, so its values cannot be restored";
  if (obstacle.reason === "taken") {
    const { url, id } = obstacle.other;
    return `was deleted, and another course has its url ${escapeName(truncate(String(url)))} now: ${id}`;
  }
  const isChanged = obstacle.reason === "changed";
  const fields = obstacle.fields.map(({ name, expected, now }) => {
    const before = isChanged ? `was ${truncateJson(expected)} after the run and ` : "";
    return `${name} ${before}is now ${truncateJson(now)}`;
  });
  const event = isChanged ? "was changed again" : "exists again with other values";
  return `${event}: ${fields.join("; ")}`;
}

/**
 * Warns about writes without a known result, which are undone if they took effect, and about values
 * that the service may reject.
 */
export async function warnAbout(
  reversed: readonly Reversed[],
  steps: readonly Step[],
  { messages }: Context,
): Promise<void> {
  for (const [index, { write }] of reversed.entries()) {
    const step = steps[index];
    if (step?.action === "create" || step?.action === "update") {
      const mode = step.action === "create" ? "create" : "patch";
      for (const { path, message } of checkCourse(step.body, { mode }).filter(isRejected)) {
        await messages.warn(`${courseLabel(write)}: ${truncate(formatPath(path))}: ${message}`);
      }
    }
    if (write.status !== "unknown") continue;
    const action = step?.action;
    const effect =
      action === "unchanged" ? "was not" : action === "refused" ? "may have been" : "was";
    await messages.warn(
      `the run ended before the response: ${courseLabel(write)} ${effect} ${PAST[write.action]}`,
    );
  }
}

/** What cannot be restored, and that approvals start over. */
export function describeParts(reversed: readonly Reversed[], steps: readonly Step[]): string[] {
  const notices: string[] = [];
  for (const [index, { dropped, write }] of reversed.entries()) {
    const step = steps[index];
    if (step?.action !== "create" && step?.action !== "update") continue;
    const fields = Object.keys(step.body);
    const lost = dropped.filter(
      (path) => step.action === "create" || fields.some((name) => path.startsWith(name)),
    );
    if (lost.length > 0) {
      const paths = joinList(lost.map(truncate), "and");
      notices.push(
        `${courseLabel(write)}: not restored, as the service accepts no such field: ${paths}`,
      );
    }
  }
  if (steps.some(({ action }) => action === "create")) {
    notices.push("The approval of a course that is created again starts over.");
  }
  return notices;
}

/** The ids of the courses of a run that words name: by id, url, key or name. @throws CatalogError */
export function findNamed(words: readonly string[], { header, writes }: RunRecord): Set<string> {
  return new Set(
    words.map((word) => {
      const keys = header.providers.map((provider_id) =>
        derivedId({ provider_id, [EXTERNAL_KEY]: word }),
      );
      const found = writes.filter(
        (write) => keys.includes(write.id) || namesOf(write).includes(word.toLowerCase()),
      );
      const ids = new Set(found.map(({ id }) => id));
      const [id] = ids;
      if (id !== undefined && ids.size === 1) return id;
      throw usageError(
        `--only: ${ids.size === 0 ? "no course" : "several courses"} of the run ${ids.size === 0 ? "has" : "have"} the id, url, key or name ${JSON.stringify(truncate(word))}`,
        `Run "catalog history show ${header.run}" to list its courses.`,
      );
    }),
  );
}

/** Everything that a course of a run is known by, in lowercase. */
function namesOf(write: RecordedWrite): string[] {
  const before = "before" in write && isObject(write.before) ? write.before : {};
  const names = [write.id, write.name, write.url, before.name, before.url];
  return names.flatMap((name) => (typeof name === "string" ? [name.toLowerCase()] : []));
}
