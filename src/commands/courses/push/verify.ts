/** `push --verify`: reads courses back after a push, and compares them with what was sent. */
import { mapInOrder } from "../../../base/async.ts";
import { asCatalogError, CatalogError } from "../../../base/errors.ts";
import { pluralize } from "../../../base/text.ts";
import { formatPath, type Path } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { locateError } from "../../../command-support/located.ts";
import { concurrencyOf, showWork, type Tracker } from "../../../command-support/work.ts";
import { diffCourses } from "../../../course/difference.ts";
import type { Course } from "../../../course/request-body.ts";
import { isWrite, type Step, type WriteStep } from "../../../sync/step.ts";

/** Reads the courses that steps changed or deleted, and reports each difference as a failure. */
export async function verifySteps(steps: readonly Step[], context: Context): Promise<void> {
  const written = steps.filter(isWrite);
  const client = await context.client();
  let different = 0;
  let read = 0;
  const readings = mapInOrder(written, await concurrencyOf(context), async (step) => {
    return { step, failures: compare(step, await client.course(step.id).catch(asCatalogError)) };
  });
  const compareAll = async (progress: Tracker): Promise<void> => {
    for await (const { step, failures } of readings) {
      if (context.stop.reason !== undefined) break;
      if (failures.length > 0) different++;
      progress.update({ done: ++read, failed: different });
      for (const { path, error } of failures) {
        await context.messages.fail(await locateError(error, step.from, path));
      }
    }
  };
  await showWork("Verifying", context, compareAll, { of: written.length });
  const outcome =
    different === 0
      ? "all match what was sent"
      : `${different} ${different === 1 ? "differs" : "differ"} from what was sent`;
  const unread = written.length - read;
  const rest = unread === 0 ? "" : `, ${unread} not read`;
  await context.messages.info(`Verified ${pluralize(read, "course")}: ${outcome}${rest}.`);
}

function compare(step: WriteStep, course: Course | CatalogError | undefined) {
  if (course instanceof CatalogError) return [{ path: [], error: course }];
  const { id } = step;
  const failure = (message: string, path: Path = []) => {
    return { path, error: new CatalogError("refused", message) };
  };
  if (step.action === "delete") {
    return course === undefined
      ? []
      : [failure(`the service accepted the deletion of course ${id} but still returns it`)];
  }
  if (course === undefined) {
    return [failure(`the service accepted course ${id} but does not return it`)];
  }
  return diffCourses(step.from?.value ?? step.body, course).map(({ path, old }) =>
    failure(`the service changed ${formatPath(path)}: it is now ${JSON.stringify(old)}`, path),
  );
}
