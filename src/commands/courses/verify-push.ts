/** Reads what was written once more, and compares (cli.md section 8, `--verify`). */
import { inOrder } from "../../base/concurrent.ts";
import { asCatalogError, CatalogError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import { formatPath, type Path } from "../../base/values.ts";
import { concurrencyOf } from "../../command-support/limits.ts";
import { progressOf } from "../../command-support/work.ts";
import { changesOf } from "../../course/difference.ts";
import type { Course } from "../../course/wire.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import type { ApplyNeeds } from "./apply-push.ts";
import { placeFailure, refusalDiagnostic } from "./locate-refusal.ts";
import type { WantedStep } from "./plan-push.ts";

/** A step that wrote a course. */
type Written = Extract<WantedStep, { action: "create" | "update" }>;

/**
 * Tells every field that the service did not take as it was sent.
 *
 * @returns the same as findings about the files
 */
export async function verifySteps(
  steps: readonly WantedStep[],
  context: ApplyNeeds,
): Promise<readonly Diagnostic[]> {
  const written = steps.filter((step): step is Written => WRITES.has(step.action));
  const client = await context.client();
  const progress = await progressOf("verifying", context, false);
  const found: Diagnostic[] = [];
  let wrong = 0;
  let read = 0;
  try {
    const readings = inOrder(written, await concurrencyOf(context), async (step) => {
      return { step, failures: await failuresOf(step, () => client.course(step.id)) };
    });
    for await (const { step, failures } of readings) {
      if (context.signal.aborted) break;
      progress.update(`verifying: ${++read} of ${written.length}`);
      if (failures.length > 0) wrong++;
      for (const { path, error } of failures) {
        const placed = placeFailure(error, step.item.source, path);
        const finding = refusalDiagnostic(placed);
        if (finding !== undefined) found.push(finding);
        progress.pause();
        await context.messages.fail(placed);
      }
    }
  } finally {
    progress.stop();
  }
  const verdict = wrong === 0 ? "all as they were sent" : `${wrong} not as sent`;
  const unread = written.length - read;
  const rest = unread === 0 ? "" : `, ${unread} not read`;
  await context.messages.info(`Verified ${pluralize(read, "course")}: ${verdict}${rest}.`);
  return found;
}

const WRITES: ReadonlySet<WantedStep["action"]> = new Set(["create", "update"]);

interface Failure {
  readonly path: Path;
  readonly error: CatalogError;
}

async function failuresOf(
  { id, item }: Written,
  read: () => Promise<Course | undefined>,
): Promise<Failure[]> {
  let held: Course | undefined;
  try {
    held = await read();
  } catch (thrown) {
    return [{ path: [], error: asCatalogError(thrown) }];
  }
  if (held === undefined) {
    const message = `the service does not hold course ${id}, though it took it`;
    return [{ path: [], error: new CatalogError("refused", message) }];
  }
  return changesOf(item.course, held).map(({ path, old }) => {
    const message = `the service did not take ${formatPath(path)} as it was sent: it holds ${JSON.stringify(old)}`;
    return { path, error: new CatalogError("refused", message) };
  });
}
