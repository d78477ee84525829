/** Decides for each step of a saved plan whether it still applies: pure, and plain data. */
import type { PlainObject } from "../base/values.ts";
import { differingFields, EMPTY_COURSE } from "../course/difference.ts";
import type { Course } from "../course/request-body.ts";
import type { CourseIndex } from "./identify.ts";
import type { SavedStep } from "./saved-plan.ts";

/** A field that has changed since the plan was made. */
export interface ChangedField {
  readonly name: string;
  readonly planned: unknown;
  readonly now: unknown;
}

/** Whether a step applies. */
export type StepState =
  /** Its request is to be sent. `remote` is the course as it is now; none for a creation. */
  | { readonly state: "ready"; readonly remote?: Course }
  /** It took effect already. */
  | { readonly state: "unchanged"; readonly remote?: Course }
  | {
      readonly state: "stale";
      /** Why: `gone` if it no longer exists, or the id or url of a creation that exists now. */
      readonly reason: "changed" | "gone" | "id exists" | "url exists";
      readonly remote?: Course;
      readonly fields: readonly ChangedField[];
    };

/** The state of a step, given the courses that exist now; a planned step may free a url. */
export function stateOf(
  step: SavedStep,
  index: CourseIndex,
  isPlanned: (id: string) => boolean,
): StepState {
  const remote = index.find(step.id);
  switch (step.action) {
    case "create": {
      if (remote !== undefined) {
        const fields = findChanged(step.body, remote);
        return fields.length === 0
          ? { state: "unchanged", remote }
          : { state: "stale", reason: "id exists", remote, fields };
      }
      const same = index.findByUrl(String(step.body.url));
      const other = same.find(({ id }) => !isPlanned(id.toLowerCase()));
      return other === undefined
        ? { state: "ready" }
        : { state: "stale", reason: "url exists", remote: other, fields: [] };
    }
    case "update": {
      if (remote === undefined) return { state: "stale", reason: "gone", fields: [] };
      if (findChanged(step.body, remote).length === 0) return { state: "unchanged", remote };
      return compareWithPlan(step.before, remote);
    }
    case "delete":
      return remote === undefined
        ? { state: "unchanged" }
        : compareWithPlan({ ...EMPTY_COURSE, ...step.before }, remote);
  }
}

function compareWithPlan(before: PlainObject, remote: Course): StepState {
  const fields = findChanged(before, remote);
  return fields.length === 0
    ? { state: "ready", remote }
    : { state: "stale", reason: "changed", remote, fields };
}

/** The writable fields that the course has with other values than planned. */
function findChanged(planned: PlainObject, remote: Course): ChangedField[] {
  return differingFields(planned, remote)
    .filter(({ name }) => name !== "id")
    .map(({ name }) => ({ name, planned: planned[name] ?? null, now: remote[name] ?? null }));
}
