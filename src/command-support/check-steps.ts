/** Checks before and during a run whether the courses still are as they were when its steps were made. */
import { CatalogError } from "../base/errors.ts";
import { isUuid } from "../base/values.ts";
import { CourseIndex } from "../sync/course-index.ts";
import { type Obstacle, recheckStep } from "../sync/preconditions.ts";
import { isWrite, type Step, type StepTo, type WriteStep } from "../sync/step.ts";
import type { Context } from "./context.ts";
import { locateError } from "./located.ts";
import { readBeforeWriting, searchCourses } from "./read-courses.ts";

/** What happens to steps whose courses have changed since the steps were made. */
export interface PreconditionOptions {
  /** Returns the step that replaces one that no longer applies. Without this, steps apply to the present courses. */
  readonly refuse?: (step: WriteStep, obstacle: Obstacle) => StepTo<"refused">;
  /** Whether steps apply even to courses that have changed. */
  readonly force?: boolean;
}

/** Reads the courses of the steps. @returns the steps for the courses as they are now */
export async function checkSteps(
  steps: readonly Step[],
  options: PreconditionOptions,
  context: Context,
): Promise<readonly Step[]> {
  const writes = steps.filter(isWrite);
  const isStrict = options.refuse !== undefined;
  const created = writes.flatMap((step) =>
    isStrict && step.action === "create" && isUuid(step.body.provider_id) ? [step.body] : [],
  );
  const ids = writes.flatMap(({ action, id }) => (isStrict || action !== "create" ? [id] : []));
  const existing = created.length === 0 ? [] : [...(await searchCourses(created, context)).courses];
  const known = new Set(existing.map(({ id }) => id.toLowerCase()));
  const read = await readBeforeWriting(
    ids.filter((id) => !known.has(id)),
    context,
  );
  for (const { course } of read) {
    if (!(course instanceof CatalogError)) existing.push(course);
    else if (course.kind !== "missing") throw course;
  }
  const present = new CourseIndex(existing);
  const freed = new Set(writes.filter(freesUrl).map(({ id }) => id));
  const isFreed = (id: string): boolean => freed.has(id);
  return await Promise.all(
    steps.map(async (step) =>
      isWrite(step) ? await checkStep(step, present, options, isFreed) : step,
    ),
  );
}

function freesUrl(step: WriteStep): boolean {
  return step.action === "delete" || (step.action === "update" && "url" in step.body);
}

/** Checks a step directly before its request. A creation is not checked: the service rejects an id that exists. */
export async function refreshStep(
  step: WriteStep,
  options: PreconditionOptions,
  { client }: Context,
): Promise<Step> {
  if (options.refuse === undefined || step.action === "create") return step;
  const course = await (await client()).course(step.id);
  return await checkStep(step, new CourseIndex(course === undefined ? [] : [course]), options);
}

/** The step for the present courses, or the step that `refuse` returns. @param isFreed as for `recheckStep` */
async function checkStep(
  step: WriteStep,
  present: CourseIndex,
  { refuse, force = false }: PreconditionOptions,
  isFreed?: (id: string) => boolean,
): Promise<Step> {
  const checked = recheckStep(step, present, isFreed, force || refuse === undefined);
  if ("action" in checked) return checked;
  if (refuse === undefined) return step;
  const refused = refuse(step, checked);
  const error = refused.error && (await locateError(refused.error, step.from, []));
  return { ...refused, error };
}
