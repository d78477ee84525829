/** Makes the changes to a course that flags request. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { formatPath, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";

/** One change to a course that a flag requests. */
export interface Assignment {
  /** The flag as it was typed, for messages. */
  readonly origin: string;
  readonly path: Path;
  /** Undefined to unset. */
  readonly value: unknown;
}

/** A copy of the course with the assignments made; unsetting removes a field or makes it null. */
export function assign(
  course: PlainObject,
  assignments: readonly Assignment[],
  unset: "null" | "absent",
): PlainObject {
  let result: Record<string, unknown> = { ...course };
  for (const assignment of orderAssignments(assignments)) {
    const [step, ...rest] = assignment.path;
    const field = String(step);
    if (field === PROVIDER_KEY || field === "provider_id") {
      result = withoutKeys(result, [PROVIDER_KEY, "provider_id"]);
    }
    if (rest.length > 0) result[field] = applyAt(result[field], rest, assignment);
    else if (assignment.value !== undefined) result[field] = assignment.value;
    else if (unset === "null") result[field] = null;
    else result = withoutKeys(result, [field]);
  }
  return result;
}

/** Indexes refer to the original list, so of several removed elements the last is removed first. */
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
  const removes = assignment.value === undefined;
  if (typeof step === "number") {
    const list = expectList(value, assignment);
    if (removes ? step >= list.length : step > list.length) {
      throw usageError(
        `${assignment.origin}: there is no element ${step}`,
        list.length === 0 ? "The list is empty." : `The last one is ${list.length - 1}.`,
      );
    }
    if (removes && rest.length === 0) list.splice(step, 1);
    else list[step] = applyAt(list[step], rest, assignment);
    return list;
  }
  if (removes && (value === undefined || value === null)) return value;
  const object = value ?? {};
  if (!isObject(object)) throw mismatch(assignment, "an object");
  if (removes && rest.length === 0) return withoutKeys(object, [step]);
  const inner = Object.hasOwn(object, step) ? object[step] : undefined;
  return { ...object, [step]: applyAt(inner, rest, assignment) };
}

function expectList(value: unknown, assignment: Assignment): unknown[] {
  const list = value ?? [];
  if (!isList(list)) throw mismatch(assignment, "a list");
  return [...list];
}

function mismatch({ origin, path }: Assignment, expected: string): CatalogError {
  return usageError(`${origin}: ${formatPath(path)} goes through a value that is not ${expected}`);
}

/** Whether one of the assignments sets the value at a path, or part of it. */
export function isAssigned(path: Path, assignments: readonly Assignment[]): boolean {
  return assignments.some(({ path: set }) => {
    const shared = Math.min(path.length, set.length);
    return set.slice(0, shared).every((step, index) => fieldOf(step) === fieldOf(path[index]));
  });
}

/** Both keys of the provider are one field. */
function fieldOf(step: Path[number] | undefined): Path[number] | undefined {
  return step === PROVIDER_KEY ? "provider_id" : step;
}
