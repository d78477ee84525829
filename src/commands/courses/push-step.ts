/** The steps of a push: desired courses that were read from files. */
import type { SourceCourse } from "../../files/read.ts";
import type { Desired, Step } from "../../sync/plan.ts";

/** A course in a file. `course` is the desired state, with `provider` replaced by `provider_id`. */
export interface DesiredCourse extends Desired {
  readonly source: SourceCourse;
  /** The number of its file among those that were read, from 0. */
  readonly fileNumber: number;
}

/** A step whose desired course was read from a file. */
export type PushStep = Step<DesiredCourse>;
