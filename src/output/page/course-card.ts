/** The data that a card shows. */

import type { StepChange } from "../../core/step.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import type { FailureFacts } from "../failure.ts";

/** A course with the facts that a card shows. */
export interface CourseCard {
  /** The fields of the course after all changes; of any type, because a file may contain anything. */
  readonly course: unknown;
  /** The course file and the line in it. */
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly problems?: readonly Diagnostic[];
  /** What happens or happened to the course. */
  readonly state?: CourseState | undefined;
  /** The changes, with old and new values; none if the course is created or deleted. */
  readonly changes?: readonly StepChange[];
  /** Why the course was not changed. */
  readonly failure?: FailureFacts | undefined;
}

/** What happens or happened to a course, in words, and the kind of change that decides about the color. */
export interface CourseState {
  readonly text: string;
  readonly kind: "new" | "changed" | "deleted" | "same" | "failed";
}
