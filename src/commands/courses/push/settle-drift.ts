/** `--on-drift`: decides whether a push overwrites or keeps what changed in the catalog, or stops. */
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
  describeEvent,
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
    "what to do with fields that changed in the catalog since the base (default: ask on a terminal; without a " +
    "terminal, stop with --base, and overwrite without it)",
} as const satisfies Flag;

/** The flag `--on-drift`, and what decides without it. */
export interface DriftOptions extends FlagValues<readonly [typeof ON_DRIFT_FLAG]> {
  readonly base: string | undefined;
  /** Whether the steps are applied if nothing prevents it; otherwise, nothing is asked. */
  readonly isApplied: boolean;
  /** The file that the plan is saved to: a plan is applied later, without a question. */
  readonly out?: string | undefined;
  readonly yes: boolean;
  /** Whether the command reads standard input itself. */
  readonly isInputData: boolean;
}

/** The steps to apply, or the reason why they must not be applied. */
interface Settled {
  readonly steps: readonly Step[];
  readonly refusal?: CatalogError;
  readonly notices: readonly string[];
}

/**
 * Applies `--on-drift`, or its default, to steps. @param compare adds to a step how its course differs from its base
 * @throws CatalogError of kind `cancelled` if the user answers stop
 */
export async function settleDrift(
  planned: readonly Step[],
  compare: (step: Step) => Step,
  options: DriftOptions,
  context: Context,
): Promise<Settled> {
  let steps = planned.map(compare);
  const drifted = steps.filter(hasDrift);
  const notices = describeUnknown(steps, options);
  if (drifted.length === 0) return { steps, notices };
  const isAsked = isToAsk(options, context);
  const choice = isAsked
    ? await askDrift(drifted, options, context)
    : (options.onDrift ?? (await chooseDefault(drifted, options, notices, context)));
  if (isAsked) {
    // An answer takes time, in which courses may change.
    steps = (await checkSteps(steps, {}, context)).map(compare);
    if (!isDeepStrictEqual(steps.filter(hasDrift).map(listValues), drifted.map(listValues))) {
      await context.messages.important("The catalog changed again in the meantime.");
      return await settleDrift(steps, compare, options, context);
    }
  }
  if (choice === "overwrite") return { steps, notices };
  if (choice === "keep") {
    notices.push(`Kept what changed in the catalog: ${nameDrift(drifted)}.`);
    return { steps: steps.map(keepCatalog), notices };
  }
  const message = `${describeDrift(drifted, options)}; nothing was sent`;
  return { steps, refusal: new CatalogError("drift", message, { advice: ADVICE }), notices: [] };
}

/** The notice about updates without a base; none if no update has a base and `--on-drift` is not given. */
function describeUnknown(steps: readonly Step[], { onDrift }: DriftOptions): string[] {
  const updates = steps.filter(({ action }) => action === "update");
  const unknown = updates.filter(({ base }) => base === undefined).length;
  if (unknown === 0 || (onDrift === undefined && unknown === updates.length)) return [];
  const courses = pluralize(unknown, "course");
  return [
    `${courses} ${unknown === 1 ? "has" : "have"} no base to compare with, because the history on this machine has ` +
      `no run that changed ${unknown === 1 ? "it" : "them"}. To compare with a commit, pass --base <commit>.`,
  ];
}

const ADVICE =
  "To keep what changed in the catalog, pass --on-drift keep. To send the values of the files, pass --on-drift overwrite.";

/** The course of a step, and the values that a push would overwrite: if they change, the question is repeated. */
function listValues(step: WriteStep): unknown {
  const shown = onlyDrift(step);
  return [shown.id, shown.action, "before" in shown ? shown.before : undefined];
}

function isToAsk(
  { isApplied, onDrift, yes, isInputData }: DriftOptions,
  context: Context,
): boolean {
  return isApplied && onDrift === undefined && !yes && canConfirm(context, isInputData);
}

/** What to do without the flag and without a question. @param notices receives what a push would do */
async function chooseDefault(
  drifted: readonly WriteStep[],
  options: DriftOptions,
  notices: string[],
  context: Context,
): Promise<DriftChoice> {
  const { base, isApplied, out } = options;
  const mayAsk = isToAsk({ ...options, isApplied: true }, context);
  const usual = base === undefined ? "overwrite" : "stop";
  if (isApplied && usual === "stop") return usual;
  const effect = out === undefined ? EFFECTS[mayAsk ? "ask" : usual] : EFFECTS.plan;
  const text = `${describeDrift(drifted, options)}; ${effect}. ${ADVICE}`;
  if (isApplied) await context.messages.warn(text);
  else notices.push(text);
  return "overwrite";
}

/** What a push does with fields that changed in the catalog, as a clause. */
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
  const since = base ?? `you last changed ${them}`;
  return `${courses} changed in the catalog since ${since}: ${nameDrift(drifted)}`;
}

/** The names of the courses, each with its changed fields: `"Weaving" (6f0f…): price`. */
function nameDrift(drifted: readonly WriteStep[]): string {
  return listSome(
    drifted.map((step) => {
      const event = describeEvent(step) ?? "changed";
      const what = event === "changed" ? driftedFields(step).join(", ") : event;
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
  const answer = (await askText({ message, usual: "stop" }, () => true, context)).trim();
  const isMeant = (choice: DriftChoice): boolean =>
    answer !== "" && choice.startsWith(answer.toLowerCase());
  const choice = DRIFT_CHOICES.find(isMeant) ?? "stop";
  requireYes(choice !== "stop");
  return choice;
}
