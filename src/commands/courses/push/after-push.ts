/** What follows a push: `--verify` reads the courses back, `--write-ids` adds ids to the files. */
import { mapInOrder } from "../../../base/async.ts";
import { asCatalogError, CatalogError } from "../../../base/errors.ts";
import { pluralize } from "../../../base/text.ts";
import { formatPath, type Path } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { concurrencyOf, showWork, type Tracker } from "../../../command-support/work.ts";
import { writeIds } from "../../../command-support/write-ids.ts";
import { diffCourses } from "../../../course/difference.ts";
import type { Course } from "../../../course/request-body.ts";
import { locateFailure } from "../locate-refusal.ts";
import type { PushStep } from "./push-step.ts";

type Written = Exclude<PushStep, { action: "unchanged" }>;

/** Reads the written and deleted courses back and reports what differs. */
export async function verifySteps(steps: readonly PushStep[], context: Context): Promise<void> {
  const written = steps.filter((step): step is Written => step.action !== "unchanged");
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
        const item = step.action === "delete" ? {} : step.item;
        await context.messages.fail(await locateFailure(error, item, path));
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

function compare(
  step: Written,
  course: Course | CatalogError | undefined,
): { readonly path: Path; readonly error: CatalogError }[] {
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
  return diffCourses(step.item.course, course).map(({ path, old }) =>
    failure(`the service changed ${formatPath(path)}: it is now ${JSON.stringify(old)}`, path),
  );
}

/** Adds the id of each course to its file if it has none there. Failures are reported. */
export async function writeMissingIds(steps: readonly PushStep[], context: Context): Promise<void> {
  const ids = steps.flatMap((step) => {
    const source = step.action === "delete" ? undefined : step.item.source;
    return source === undefined ? [] : [{ source, id: step.id }];
  });
  await writeIds(ids, context);
}
