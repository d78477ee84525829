/** The steps of a push. */
import type { SourceCourse } from "../../../files/read.ts";
import type { Desired, Step } from "../../../sync/plan.ts";
import type { Described } from "../locate-refusal.ts";

/** The desired course of a step, and where it is described. */
export interface StepItem extends Desired, Described {}

/** A course in a file. `course` is the desired state, with `provider` replaced by `provider_id`. */
export interface DesiredCourse extends StepItem {
  readonly source: SourceCourse;
  /** The number of its file among those that were read, from 0. */
  readonly fileNumber: number;
}

/** A step of files, or of a saved plan. */
export type PushStep = Step<StepItem>;

/** The name of the file that describes the course of a step. */
export function fileOf(step: PushStep): string | undefined {
  if (step.action === "delete") return undefined;
  const { source, place } = step.item;
  return source?.file.name ?? place?.file;
}
