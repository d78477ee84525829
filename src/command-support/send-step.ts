/** Sends the request of one step, with a line in the undo record before and after it. */
import { asCatalogError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import type { Creation } from "../service/course-writes.ts";
import { CourseIndex } from "../sync/course-index.ts";
import type { Recorder } from "../sync/record-writer.ts";
import { type SavedStep, saveStep } from "../sync/saved-plan.ts";
import { isWrite, type Step, type StepTo, type WriteStep } from "../sync/step.ts";
import { checkStep, type PreconditionOptions } from "./check-steps.ts";
import type { Context } from "./context.ts";
import type { Result } from "./results.ts";

/** The result of a step. */
export interface Sent extends Pick<Result, "status" | "error" | "duration"> {
  readonly step: Step;
}

/** The parts that differ between commands. */
export interface StepOptions extends PreconditionOptions {
  /** Returns the step that replaces a creation whose id exists; a creation if the request took effect after all. */
  readonly whenExists?: (
    step: StepTo<"create">,
    exists: Extract<Creation, { readonly outcome: "exists" }>,
  ) => Step | undefined;
}

/** Sends the request of a step. @throws CatalogError if the request failed */
export async function sendStep(
  step: Step,
  options: StepOptions,
  recorder: Recorder,
  context: Context,
): Promise<Sent> {
  if (!isWrite(step)) return { step, status: "unchanged" };
  const client = await context.client();
  const { clock } = context;
  const start = clock.monotonic();
  const number = await recorder.before(toRecorded(step));
  let creation: Creation | undefined;
  try {
    if (step.action === "create") creation = await client.create(step.body);
    else if (step.action === "update") await client.update(step.id, step.body);
    else await client.delete(step.id);
  } catch (thrown) {
    const error = asCatalogError(thrown);
    await recorder.after(number, { status: error.facts.effect ?? "failed" });
    throw error;
  }
  if (creation?.outcome === "exists") {
    const next =
      (step.action === "create" ? options.whenExists?.(step, creation) : undefined) ??
      (await checkStep(step, new CourseIndex([creation.course]), options));
    await recorder.after(number, { status: next.action === "create" ? "done" : "unchanged" });
    if (next.action === "refused") throw next.error ?? creation.refusal;
    if (next.action !== "create") return await sendStep(next, options, recorder, context);
    return { step, status: "done", duration: clock.monotonic() - start };
  }
  await recorder.after(number, { status: "done" });
  return { step, status: "done", duration: clock.monotonic() - start };
}

/** The step as a line of the undo record. An update has the name and url of the course before the change. */
function toRecorded(step: WriteStep): SavedStep {
  const saved = saveStep(step, undefined);
  const remote: PlainObject = step.remote ?? {};
  const { name, url } = remote;
  const isKnown = typeof name === "string" && typeof url === "string";
  return step.action === "update" && isKnown ? { ...saved, name, url } : saved;
}
