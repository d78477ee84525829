/** `--on-drift`: decides what a push does with courses that changed in the files and in the catalog. */
import { CatalogError } from "../../../base/errors.ts";
import { listSome, pluralize } from "../../../base/text.ts";
import { alternatives, type Flag } from "../../../command-support/arguments.ts";
import { courseLabel } from "../../../output/plan.ts";
import { describeCourse, isWrite, type Step } from "../../../sync/step.ts";
import {
  catalogFields,
  DRIFT_CHOICES,
  type DriftChoice,
  describeEvent,
  hasDrift,
  keepCatalog,
} from "../../../sync/three-way.ts";

export const ON_DRIFT_FLAG = {
  name: "on-drift",
  value: alternatives(DRIFT_CHOICES),
  choices: DRIFT_CHOICES,
  needs: "base",
  description:
    "what to do with values that changed in the files and in the catalog since the base (default: stop)",
} as const satisfies Flag;

/** The steps to apply, or the reason why they must not be applied. */
export interface Settled {
  readonly steps: readonly Step[];
  readonly refusal?: CatalogError;
  readonly notices: readonly string[];
}

/** Applies `--on-drift` to steps that were compared with their base. */
export function settleDrift(compared: readonly Step[], choice: DriftChoice): Settled {
  const unknown = compared.filter(({ action, base }) => action === "update" && base === undefined);
  const notices = unknown.length === 0 ? [] : [describeUnknown(unknown.length)];
  if (choice === "overwrite") return { steps: compared, notices };
  const drifted = compared.filter(hasDrift);
  if (choice === "stop" && drifted.length > 0) {
    // Nothing is sent, so the plan shows what would be overwritten.
    const steps = compared.map((step) => (hasDrift(step) ? step : keepCatalog(step)));
    const courses = pluralize(drifted.length, "course");
    const message = `${courses} changed in the catalog since the base: ${nameChanged(drifted)}; nothing was sent`;
    return { steps, notices, refusal: new CatalogError("drift", message, { advice: ADVICE }) };
  }
  const kept = compared.filter((step) => isWrite(step) && catalogFields(step).length > 0);
  if (kept.length > 0) notices.push(`Kept what changed in the catalog: ${nameChanged(kept)}.`);
  return { steps: compared.map(keepCatalog), notices };
}

const ADVICE =
  "To keep what changed in the catalog, pass --on-drift keep. To send the values of the files, pass --on-drift overwrite.";

function describeUnknown(amount: number): string {
  const are = amount === 1 ? "is" : "are";
  const its = amount === 1 ? "its" : "their";
  return `${pluralize(amount, "course")} ${are} not in the base, so push sends all values of ${its} files.`;
}

/** The names of the courses, each with its fields that changed in the catalog: `"Weaving" (6f0f…): price`. */
function nameChanged(steps: readonly Step[]): string {
  return listSome(
    steps.map((step) => {
      const event = describeEvent(step) ?? "changed";
      const what = event === "changed" ? catalogFields(step).join(", ") : event;
      return `${courseLabel({ ...describeCourse(step), id: step.id })}: ${what}`;
    }),
  );
}
