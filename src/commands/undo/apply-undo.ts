/** Sends the writes of an undo, recorded like those of any run, and reports the results. */
import { joinList, pluralize } from "../../base/text.ts";
import type { Context } from "../../command-support/context.ts";
import {
  type Recording,
  restoreText,
  undoCommand,
  withRecording,
} from "../../command-support/recording.ts";
import type { Result } from "../../command-support/results.ts";
import type { UndoStep } from "../../history/reverse.ts";
import { listCounts, PAST } from "../../output/plan.ts";
import { runBatch } from "../courses/batch.ts";
import { findConflict, isSkipped, isWriting, type WritingStep } from "./plan-undo.ts";

interface ApplyOptions {
  readonly dryRun: boolean;
  readonly file: string | undefined;
  /** The run that is undone. */
  readonly undone: string;
  /** The run or file that was typed, or else the run: `catalog undo` with it does the rest. */
  readonly word: string;
}

/** Applies the steps and prints a summary. */
export async function applyUndo(
  steps: readonly UndoStep[],
  { dryRun, file, undone, word }: ApplyOptions,
  context: Context,
): Promise<void> {
  const counts = { created: 0, updated: 0, deleted: 0 };
  const courses = steps.flatMap((step) => {
    if (!isWriting(step)) return [];
    return step.action === "create" ? [step.body] : [step.remote];
  });
  await withRecording({ file, courses, undoes: undone }, context, async (recording) => {
    const deletes = steps.some(({ action }) => action === "delete");
    if (deletes && !dryRun) recording.prepareDeletions();
    const results = await runBatch(
      {
        items: steps,
        doing: "Undoing",
        describe: (step) => describeStep(step, recording.run),
        run: async (step) => {
          const conflict = findConflict(step);
          if (conflict !== undefined) return { status: "skipped", error: conflict };
          if (!isWriting(step)) return { status: "unchanged" };
          if (dryRun) return { status: "planned" };
          await applyStep(step, recording);
          counts[PAST[step.action]]++;
          return undefined;
        },
      },
      context,
    );
    if (dryRun) return;
    recording.left = results.counts.failed + results.counts.skipped;
    const { messages, stop } = context;
    const { failed, skipped } = results.counts;
    const parts = listCounts(counts);
    if (stop.reason !== undefined && failed + skipped > 0) {
      const outcomes = [...parts, `${failed} failed`, `${skipped} skipped`].join(", ");
      const rest = `To undo the rest: ${undoCommand(word)}`;
      await messages.info(`Partly undid run ${undone}: ${outcomes}. ${rest}`, { counts });
    } else if (parts.length === 0) await messages.info("Nothing was changed.", { counts });
    else await messages.info(`Undid run ${undone}: ${joinList(parts, "and")}.`, { counts });
    if (counts.created > 0) {
      const amount = pluralize(counts.created, "course");
      const whose = counts.created === 1 ? "Its" : "Their";
      const text = `Created ${amount} again. ${whose} approval starts over.`;
      await messages.info(text, { counts });
    }
    if (counts.deleted > 0) {
      await messages.important(restoreText(counts.deleted, recording.run), { counts });
    }
  });
}

async function applyStep(step: WritingStep, recording: Recording): Promise<void> {
  const { file } = step.write;
  switch (step.action) {
    case "create": {
      const creation = await recording.create(step.body, file);
      if (creation.outcome === "exists") throw creation.refusal;
      return;
    }
    case "update":
      return await recording.update(step.body, { remote: step.remote, file });
    case "delete":
      return await recording.delete({ remote: step.remote, file });
  }
}

/** The action that a skipped step would have. */
function skippedAction({ action, write }: UndoStep): WritingStep["action"] {
  if (action === "taken") return "create";
  return write.action === "create" ? "delete" : "update";
}

function describeStep(step: UndoStep, run: string | undefined): Omit<Result, "status" | "error"> {
  const { write } = step;
  const action = isSkipped(step) ? skippedAction(step) : step.action;
  return {
    id: write.id,
    course: { name: write.name, url: write.url },
    file: write.file,
    action,
    run: action === "delete" ? run : undefined,
  };
}
