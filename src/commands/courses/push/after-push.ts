/** What follows a push: `--verify` reads the courses back, `--write-ids` adds ids to the files. */
import { resolve } from "node:path";
import { mapInOrder } from "../../../base/async.ts";
import { asCatalogError, CatalogError } from "../../../base/errors.ts";
import { STDIN_NAME } from "../../../base/io.ts";
import { requireLinksInside } from "../../../base/links.ts";
import { pluralize } from "../../../base/text.ts";
import { addTo, formatPath, isObject, type Path } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { locateError } from "../../../command-support/locate-error.ts";
import { FileCourse } from "../../../command-support/located.ts";
import { concurrencyOf, showWork, type Tracker } from "../../../command-support/work.ts";
import { diffCourses } from "../../../course/difference.ts";
import type { Course } from "../../../course/request-body.ts";
import type { SourceFile } from "../../../files/read.ts";
import { type ChosenId, writeIds } from "../../../files/write-ids.ts";
import { isWrite, type Step, type WriteStep } from "../../../sync/step.ts";

/** Reads the written and deleted courses back and reports what differs. */
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

function compare(
  step: WriteStep,
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
  return diffCourses(step.from?.value ?? step.body, course).map(({ path, old }) =>
    failure(`the service changed ${formatPath(path)}: it is now ${JSON.stringify(old)}`, path),
  );
}

/** Adds the id of each course to its file if it has none there. Failures are reported. */
export async function writeMissingIds(
  steps: readonly Step[],
  { folder, messages }: Pick<Context, "folder" | "messages">,
): Promise<void> {
  const idsByFile = new Map<SourceFile, ChosenId[]>();
  for (const step of steps) {
    if (!(step.from instanceof FileCourse)) continue;
    const { file, index: course, value } = step.from.source;
    if (!isObject(value) || typeof value.id === "string") continue;
    addTo(idsByFile, file, { course, url: String(value.url), id: step.id });
  }
  let written = 0;
  for (const [{ name }, ids] of idsByFile) {
    try {
      if (name === STDIN_NAME) {
        await messages.warn("ids cannot be written to standard input");
        continue;
      }
      const path = resolve(folder, name);
      requireLinksInside(name, path, folder);
      await writeIds({ name, path }, ids);
      written += ids.length;
    } catch (thrown) {
      await messages.fail(asCatalogError(thrown));
    }
  }
  if (written > 0) await messages.info(`Wrote ${pluralize(written, "id")} into the files.`);
}
