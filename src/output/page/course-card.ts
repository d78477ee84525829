/** What a card shows about a course, as plain data. */
import type { Diagnostic } from "../../files/diagnostic.ts";
import type { StepChange } from "../../sync/step.ts";
import type { FailureFacts } from "../failure.ts";

/** A course, and what is known about it. */
export interface CourseCard {
  /** Its fields, as they are or will be; of any type, because a file may contain anything. */
  readonly course: unknown;
  /** Where it is described. */
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  readonly problems?: readonly Diagnostic[];
  /** What happens or happened to it. */
  readonly state?: CourseState | undefined;
  /** Its changes, with old and new values; none of a course that is created or deleted as a whole. */
  readonly changes?: readonly StepChange[];
  /** Why it was not changed. */
  readonly failure?: FailureFacts | undefined;
}

/** A word for what happens or happened to a course, with what it resembles. */
export interface CourseState {
  readonly text: string;
  readonly kind: "new" | "changed" | "deleted" | "same" | "failed";
}
