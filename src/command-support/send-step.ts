/** Sends the request of one step, with a line in the undo record before and after it. */
import type { PlainObject } from "../base/values.ts";
import type { CatalogClient, ChangeOptions, Outcome } from "../service/client.ts";
import type { Recorder } from "../sync/record-writer.ts";
import { type SavedStep, saveStep } from "../sync/saved-plan.ts";
import { isWrite, type Step, type WriteStep } from "../sync/step.ts";
import type { Context } from "./context.ts";
import type { Result } from "./results.ts";

/** The result of a step. */
export interface Sent extends Pick<Result, "status" | "error" | "duration"> {
  readonly step: Step;
}

/** Sends the request of a step. @throws CatalogError if the step cannot be recorded */
export async function sendStep(
  step: Step,
  recorder: Recorder,
  context: Context,
  onPause: () => void,
): Promise<Sent> {
  if (!isWrite(step)) return { step, status: "unchanged" };
  const client = await context.client();
  const { clock } = context;
  const start = clock.monotonic();
  const number = await recorder.before(toRecorded(step));
  const outcome = await sendTo(client, step, { onPause });
  await recorder.after(number, { status: outcome.status });
  return { step, ...outcome, duration: clock.monotonic() - start };
}

async function sendTo(
  client: CatalogClient,
  step: WriteStep,
  options: ChangeOptions,
): Promise<Outcome> {
  if (step.action === "create") return await client.create(step.body, options);
  return step.action === "update"
    ? await client.update(step.id, step.body, options)
    : await client.delete(step.id, options);
}

/** The step as a line of the undo record. An update has the name and url of the course before the change. */
function toRecorded(step: WriteStep): SavedStep {
  const saved = saveStep(step, undefined);
  const remote: PlainObject = step.remote ?? {};
  const { name, url } = remote;
  const isKnown = typeof name === "string" && typeof url === "string";
  return step.action === "update" && isKnown ? { ...saved, name, url } : saved;
}
