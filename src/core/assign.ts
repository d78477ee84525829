/** Sets and removes values of a course, as flags request. Pure. */
import { usageError } from "../base/errors.ts";
import { formatPath, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "../course/special-fields.ts";

/** A change of a course that a flag requests. */
export interface Assignment {
  /** The flag as it was typed, for messages. */
  readonly origin: string;
  readonly path: Path;
  /** Undefined removes the value. */
  readonly value: unknown;
}

/**
 * A copy of the course with the changes.
 *
 * @param unset whether a cleared field becomes null or is removed
 * @throws CatalogError of kind `usage` for a path that the course does not have
 */
export function assign(
  course: PlainObject,
  assignments: readonly Assignment[],
  unset: "null" | "absent",
): PlainObject {
  let result = course;
  for (const assignment of orderAssignments(assignments)) {
    const { path, value } = assignment;
    // `provider` and `provider_id` are one field.
    const replaced = fieldOf(path[0]) === "provider_id" ? [PROVIDER_KEY, "provider_id"] : [];
    const isCleared = value === undefined && path.length === 1 && unset === "null";
    const change = isCleared ? { ...assignment, value: null } : assignment;
    result = applyAt(withoutKeys(result, replaced), path, change) as PlainObject;
  }
  return result;
}

/** The changes in an order in which indexes stay valid: entries of lists are removed last, from the end of the list. */
function orderAssignments(assignments: readonly Assignment[]): readonly Assignment[] {
  const removes = ({ path, value }: Assignment): boolean =>
    value === undefined && typeof path.at(-1) === "number";
  const index = ({ path }: Assignment): number => Number(path.at(-1));
  return [
    ...assignments.filter((assignment) => !removes(assignment)),
    ...assignments.filter(removes).sort((one, other) => index(other) - index(one)),
  ];
}

function withoutKeys(course: PlainObject, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(course).filter(([key]) => !keys.includes(key)));
}

function applyAt(value: unknown, [step, ...rest]: Path, assignment: Assignment): unknown {
  if (step === undefined) return assignment.value;
  const { origin, path } = assignment;
  const removes = assignment.value === undefined;
  if (typeof step === "number" && isList(value ?? [])) {
    const list = isList(value) ? [...value] : [];
    if (removes ? step >= list.length : step > list.length) {
      const name = formatPath(path.slice(0, path.length - rest.length));
      throw usageError(`${origin}: the course has no ${name} (the field has ${list.length})`);
    }
    if (removes && rest.length === 0) list.splice(step, 1);
    else list[step] = applyAt(list[step], rest, assignment);
    return list;
  }
  if (typeof step === "number" || !isObject(value ?? {})) {
    throw usageError(`${origin}: the course has another kind of value on the path`);
  }
  if (removes && !isObject(value)) return value;
  const object = isObject(value) ? value : {};
  if (removes && rest.length === 0) return withoutKeys(object, [step]);
  const inner = Object.hasOwn(object, step) ? object[step] : undefined;
  return { ...object, [step]: applyAt(inner, rest, assignment) };
}

/** Whether one of the changes sets the value at a path, a part of that value, or a value that contains it. */
export function isAssigned(path: Path, assignments: readonly Pick<Assignment, "path">[]): boolean {
  return assignments.some(({ path: set }) => {
    const shared = Math.min(path.length, set.length);
    return set.slice(0, shared).every((step, index) => fieldOf(step) === fieldOf(path[index]));
  });
}

/** The field of a step of a path. `provider` and `provider_id` are one field. */
function fieldOf(step: Path[number] | undefined): Path[number] | undefined {
  return step === PROVIDER_KEY ? "provider_id" : step;
}
