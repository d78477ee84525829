/** Decides whether a step that was planned earlier still applies to the courses as they are now. Pure. */
import type { PlainObject } from "../base/values.ts";
import { differingFields, EMPTY_COURSE } from "../course/difference.ts";
import { type Course, toUpdateBody } from "../course/request-body.ts";
import type { CourseIndex } from "./identify.ts";
import { pickFields, type Step, type Write } from "./step.ts";

interface ChangedField {
  readonly name: string;
  readonly expected: unknown;
  readonly now: unknown;
}

/** Why a step does not apply. */
export type Obstacle =
  /** `changed`: the catalog has other values than the step expects. `exists`: a course with the id of a creation exists. */
  | { readonly reason: "changed" | "exists"; readonly fields: readonly ChangedField[] }
  | { readonly reason: "gone" }
  /** Another course has the url of a creation. */
  | { readonly reason: "taken"; readonly other: Course };

export interface CheckOptions {
  /** Whether a deletion expects every field that can be sent; else only the fields that it has. */
  readonly isComplete: boolean;
  /** Whether to overwrite later changes. */
  readonly force?: boolean;
}

/**
 * Compares a step with the courses as they are now.
 *
 * @returns the step with the present values, a step `unchanged` if the change was already made, or the obstacle
 */
export function checkStep(
  step: Write,
  present: CourseIndex,
  options: CheckOptions,
): Step | Obstacle {
  const { isComplete, force = false } = options;
  const { id, name, url, from } = step;
  const remote = present.find(id);
  const unchanged = { action: "unchanged", id, name, url, from } as const;
  switch (step.action) {
    case "create": {
      if (remote !== undefined) {
        const fields = findChanged(step.body, remote);
        if (fields.length === 0) return unchanged;
        if (!force) return { reason: "exists", fields };
        const body = toUpdateBody(
          Object.fromEntries(fields.map((each) => [each.name, each.expected])),
        );
        return { ...unchanged, action: "update", remote, body, before: pickFields(remote, body) };
      }
      const [other] = force ? [] : present.findByUrl(step.body.url);
      return other === undefined ? step : { reason: "taken", other };
    }
    case "update": {
      if (remote === undefined) return { reason: "gone" };
      const names = findChanged(step.body, remote).map((field) => field.name);
      if (names.length === 0) return unchanged;
      const body = Object.fromEntries(names.map((each) => [each, step.body[each] ?? null]));
      const fields = findChanged(pickFields(step.before, body), remote);
      if (fields.length > 0 && !force) return { reason: "changed", fields };
      return { ...step, remote, body, before: pickFields(remote, body) };
    }
    case "delete": {
      if (remote === undefined) return unchanged;
      const expected = isComplete ? { ...EMPTY_COURSE, ...step.before } : step.before;
      const fields = force ? [] : findChanged(expected, remote);
      return fields.length > 0 ? { reason: "changed", fields } : { ...step, before: remote };
    }
  }
}

/** The writable fields whose values differ from the expected values. */
function findChanged(expected: PlainObject, remote: PlainObject): ChangedField[] {
  return differingFields(expected, remote)
    .filter(({ name }) => name !== "id")
    .map(({ name }) => ({ name, expected: expected[name] ?? null, now: remote[name] ?? null }));
}
