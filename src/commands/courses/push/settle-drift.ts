/** Decides what becomes of changes that were made in the catalog, and that a push would undo. */
import { isDeepStrictEqual } from "node:util";
import { CatalogError } from "../../../base/errors.ts";
import { listSome, pluralize } from "../../../base/text.ts";
import { alternatives, type Flag, type FlagValues } from "../../../command-support/arguments.ts";
import { askText, canConfirm } from "../../../command-support/ask.ts";
import { checkSteps } from "../../../command-support/check-steps.ts";
import { requireYes } from "../../../command-support/confirm-steps.ts";
import type { Context } from "../../../command-support/context.ts";
import { showSteps } from "../../../command-support/show-steps.ts";
import { courseLabel } from "../../../output/plan.ts";
import { describeCourse, type Step, type WriteStep } from "../../../sync/step.ts";
import {
  DRIFT_CHOICES,
  type DriftChoice,
  driftedFields,
  hasDrift,
  keepCatalog,
  onlyDrift,
} from "../../../sync/three-way.ts";

export const ON_DRIFT_FLAG = {
  name: "on-drift",
  value: alternatives(DRIFT_CHOICES),
  choices: DRIFT_CHOICES,
  description:
    "what to do with fields that changed in the catalog since the base; by default, a terminal asks, and " +
    "otherwise push stops with --base, and overwrites them without it",
} as const satisfies Flag;

/** What decides, besides the flag. */
export interface DriftOptions extends FlagValues<readonly [typeof ON_DRIFT_FLAG]> {
  readonly base: string | undefined;
  /** Whether the steps are applied if nothing prevents it; otherwise, nothing is asked. */
  readonly isApplied: boolean;
  /** The file of a plan, which is executed as it is. */
  readonly out?: string | undefined;
  readonly yes: boolean;
  /** Whether the command reads standard input itself. */
  readonly isInputData: boolean;
}

/** The steps as they are to be applied, and why they must not be. */
interface Settled {
  readonly steps: readonly Step[];
  readonly refusal?: CatalogError;
  readonly notices: readonly string[];
}

/**
 * Applies `--on-drift`, or its default, to steps.
 *
 * @param compare a step compared with its base
 * @throws CatalogError of kind `cancelled` if the answer to the question is to stop
 */
export async function settleDrift(
  planned: readonly Step[],
  compare: (step: Step) => Step,
  options: DriftOptions,
  context: Context,
): Promise<Settled> {
  let steps = planned.map(compare);
  const drifted = steps.filter(hasDrift);
  if (drifted.length === 0) return { steps, notices: [] };
  const { choice, notices, isAsked } = await choose(drifted, options, context);
  if (isAsked === true) {
    // An answer takes time, in which courses may change.
    steps = (await checkSteps(steps, {}, context)).map(compare);
    if (!isDeepStrictEqual(steps.filter(hasDrift).map(listValues), drifted.map(listValues))) {
      await context.messages.important("The catalog has changed again meanwhile.");
      return await settleDrift(steps, compare, options, context);
    }
  }
  if (choice === "keep") {
    return {
      steps: steps.map(keepCatalog),
      notices: [`Left as it is in the catalog: ${nameDrift(drifted)}.`],
    };
  }
  if (choice === "overwrite") return { steps, notices };
  const refusal = new CatalogError(
    "drift",
    `${describeDrift(drifted, options)}; nothing was sent`,
    {
      advice: ADVICE,
    },
  );
  return { steps, refusal, notices: [] };
}

const ADVICE =
  "To keep what changed there, pass --on-drift keep; to send the values of the files, --on-drift overwrite.";

/** What identifies a question: the courses, and the values that a push would replace. */
function listValues(step: WriteStep): unknown {
  const shown = onlyDrift(step);
  return [shown.id, shown.action, "before" in shown ? shown.before : undefined];
}

interface Chosen {
  readonly choice: DriftChoice;
  readonly notices: readonly string[];
  readonly isAsked?: boolean;
}

async function choose(
  drifted: readonly WriteStep[],
  options: DriftOptions,
  context: Context,
): Promise<Chosen> {
  const { base, isApplied, onDrift, out, yes, isInputData } = options;
  if (onDrift !== undefined) return { choice: onDrift, notices: [] };
  const { messages } = context;
  const mayAsk = !yes && canConfirm(context, isInputData);
  if (isApplied && mayAsk) {
    return { choice: await askDrift(drifted, options, context), notices: [], isAsked: true };
  }
  const usual = base === undefined ? "overwrite" : "stop";
  if (isApplied && usual === "stop") return { choice: usual, notices: [] };
  const effect = out === undefined ? EFFECTS[mayAsk ? "ask" : usual] : EFFECTS.plan;
  const text = `${describeDrift(drifted, options)}; ${effect}. ${ADVICE}`;
  if (isApplied) await messages.warn(text);
  return { choice: "overwrite", notices: isApplied ? [] : [text] };
}

/** What a push does about it. */
const EFFECTS = {
  ask: "push asks what to do",
  stop: "push sends nothing",
  overwrite: "push sends the values of the files",
  plan: "the plan sends the values of the files",
} as const;

/** `2 courses changed in the catalog since v1: "Weaving" (price) and "Knitting" (name)` */
function describeDrift(drifted: readonly WriteStep[], { base }: DriftOptions): string {
  const courses = pluralize(drifted.length, "course");
  const them = drifted.length === 1 ? "it" : "them";
  const since = base ?? `your last change of ${them}`;
  return `${courses} changed in the catalog since ${since}: ${nameDrift(drifted)}`;
}

/** The names of the courses, each with what changed. */
function nameDrift(drifted: readonly WriteStep[]): string {
  return listSome(
    drifted.map((step) => {
      const what = step.action === "create" ? "deleted" : driftedFields(step).join(", ");
      const label = courseLabel({ ...describeCourse(step), id: step.id });
      return `${label}: ${what}`;
    }),
  );
}

async function askDrift(
  drifted: readonly WriteStep[],
  options: DriftOptions,
  context: Context,
): Promise<DriftChoice> {
  await context.messages.important(`${describeDrift(drifted, options)}.`);
  await showSteps(drifted.map(onlyDrift), { as: "values", isComplete: true }, context);
  const message = "Overwrite what changed in the catalog, keep it, or stop?";
  const choiceOf = (answer: string): DriftChoice | undefined =>
    DRIFT_CHOICES.find(
      (choice) => /\S/.test(answer) && choice.startsWith(answer.trim().toLowerCase()),
    );
  const answer = await askText(
    { message, usual: "stop" },
    (text) => choiceOf(text) !== undefined || "Answer overwrite, keep or stop.",
    context,
  );
  const choice = choiceOf(answer) ?? "stop";
  requireYes(choice !== "stop");
  return choice;
}
