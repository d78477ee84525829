/** Decides whether a step still applies to the courses as they are now. Pure: reads nothing. */
import { normalizeUrl } from "../base/http.ts";
import { isList, type PlainObject } from "../base/values.ts";
import { differingFields, EMPTY_COURSE } from "../course/difference.ts";
import { type Course, toUpdateBody } from "../course/request-body.ts";
import type { CourseIndex } from "./course-index.ts";
import { pickFields, type Step, type StepTo, type WriteStep } from "./step.ts";

interface ChangedField {
  readonly name: string;
  readonly expected: unknown;
  readonly now: unknown;
}

export type Obstacle =
  /**
   * The fields that differ. `changed`: the catalog has other values than the step expects. `exists`: a course with the
   * id of a creation already exists, with other values.
   */
  | { readonly reason: "changed" | "exists"; readonly fields: readonly ChangedField[] }
  | { readonly reason: "gone" }
  /** Another course has the url of a creation. */
  | { readonly reason: "taken"; readonly other: Course };

/**
 * Compares a step with the courses as they are now.
 *
 * @param isFreed whether the same run deletes the course with that id, or gives it another url
 * @param force whether to overwrite later changes
 * @returns the step with the present values, a step `unchanged` if the change was already made, or the obstacle
 */
export function recheckStep(
  step: WriteStep,
  present: CourseIndex,
  isFreed: (id: string) => boolean = () => false,
  force = false,
): Step | Obstacle {
  const { id, from } = step;
  const remote = present.find(id);
  const unchanged = { action: "unchanged", id, from, remote } as const;
  switch (step.action) {
    case "create": {
      if (remote !== undefined) {
        const fields = findChanged(step.body, remote);
        if (fields.length === 0) return unchanged;
        if (!force) return { reason: "exists", fields };
        const body = toUpdateBody(withFields(step.body, fields));
        return { action: "update", id, from, remote, body, before: pickFields(remote, body) };
      }
      const same = present.findByUrl(String(step.body.url));
      const other = force ? undefined : same.find((course) => !isFreed(course.id.toLowerCase()));
      return other === undefined ? step : { reason: "taken", other };
    }
    case "update": {
      if (remote === undefined) return { reason: "gone" };
      const body = withFields(step.body, [
        ...findChanged(step.body, remote),
        ...findSlug(step, remote),
      ]);
      if (Object.keys(body).length === 0) return unchanged;
      const fields = findChanged(pickFields(step.before, body), remote);
      if (fields.length > 0 && !force) return { reason: "changed", fields };
      return { ...step, remote, body, before: pickFields(remote, body) };
    }
    case "delete": {
      if (remote === undefined) return unchanged;
      const fields = force ? [] : findChanged({ ...EMPTY_COURSE, ...step.before }, remote);
      return fields.length > 0
        ? { reason: "changed", fields }
        : { ...step, remote, before: remote };
    }
  }
}

/** The given fields of a body; null for a field that the body omits. */
function withFields(body: PlainObject, fields: readonly { readonly name: string }[]): PlainObject {
  return Object.fromEntries(fields.map(({ name }) => [name, body[name] ?? null]));
}

/** The slug, if it still has its old value: the service may have chosen another slug than the plan expected. */
function findSlug({ body, before }: StepTo<"update">, remote: Course): { readonly name: "slug" }[] {
  const isToChange = body.slug !== undefined && body.slug !== remote.slug;
  return isToChange && before.slug === remote.slug ? [{ name: "slug" }] : [];
}

/** The writable fields whose values differ from the expected values. */
export function findChanged(expected: PlainObject, remote: PlainObject): ChangedField[] {
  return differingFields(expected, remote)
    .filter(({ name }) => name !== "id" && !isSameStored(name, expected[name], remote[name]))
    .map(({ name }) => ({ name, expected: expected[name] ?? null, now: remote[name] ?? null }));
}

/** Whether a service may store one value as the other: an empty list as null, a url with or without a final slash. */
function isSameStored(name: string, one: unknown, other: unknown): boolean {
  if (isEmpty(one) && isEmpty(other)) return true;
  if (name !== "url" || typeof one !== "string" || typeof other !== "string") return false;
  return normalizeUrl(one) === normalizeUrl(other);
}

function isEmpty(value: unknown): boolean {
  return (value ?? null) === null || (isList(value) && value.length === 0);
}
