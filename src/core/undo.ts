import { toCreateBody, toRestorable, toUpdateBody } from "../course/request-body.ts";
import { checkStep } from "./check.ts";
import type { CourseIndex } from "./identify.ts";
import { mayReverse, type RecordedStep, type RunRecord } from "./record.ts";
import { findSince } from "./risks.ts";
import { pickFields, type Step, type Write } from "./step.ts";

/** The reverse of a step of a run. */
export interface Reversed {
  readonly recorded: RecordedStep;
  /** The step for the courses as they are now, or why it does not apply. */
  readonly step: Step;
  /** The paths of values that cannot be restored, because the service does not accept these fields. */
  readonly dropped: readonly string[];
}

/**
 * Reverses the steps that took effect, or may have: the last step first, and deletions at the end.
 *
 * @param present the courses of the user's providers
 * @param force overwrite later changes, and recreate courses that another run has deleted first
 */
export function reverse({ steps }: RunRecord, present: CourseIndex, force: boolean): Reversed[] {
  const reversed = [...steps].reverse().flatMap((recorded) => reverseStep(recorded, force));
  const checked = reversed.map(({ step, ...rest }) => {
    return { ...rest, step: withRisks(checkStep(step, present, "run", force), step) };
  });
  const isDeletion = ({ step }: Reversed): boolean => step.action === "delete";
  return [...checked.filter((each) => !isDeletion(each)), ...checked.filter(isDeletion)];
}

interface Planned extends Omit<Reversed, "step"> {
  readonly step: Write;
}

function reverseStep(recorded: RecordedStep, force: boolean): Planned[] {
  const { step } = recorded;
  const { id, name, url, from } = step;
  if (!mayReverse(recorded, force)) return [];
  const facts = { id, name, url, from };
  switch (step.action) {
    case "create":
      return [{ recorded, dropped: [], step: { ...facts, action: "delete", before: step.body } }];
    case "update": {
      const { course, dropped } = toRestorable(step.before);
      const body = toUpdateBody(course);
      if (Object.keys(body).length === 0) return [];
      const before = pickFields(step.body, Object.keys(body));
      return [{ recorded, dropped, step: { ...facts, action: "update", body, before } }];
    }
    case "delete": {
      const { course, dropped } = toRestorable(step.before);
      const body = toCreateBody(course, id);
      return [{ recorded, dropped, step: { ...facts, action: "create", body } }];
    }
  }
}

/** Adds the fields that were set after the run to a deletion. */
function withRisks(found: Step, planned: Write): Step {
  if (found.action !== "delete" || planned.action !== "delete") return found;
  const risks = findSince(planned, found.before);
  return risks.length === 0 ? found : { ...found, risks };
}
