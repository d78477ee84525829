/** The flags that change a course, `--set path=value`, `--unset path` and those of single fields such as `--name`; and their effect. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { formatSuggestion, pluralize, quoteShell, splitList } from "../base/text.ts";
import { formatPath, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { checkValue } from "../course/check.ts";
import { COURSE_SHAPE, keyAt, shapeAt, writablePath } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import { readValue } from "../course/read-value.ts";
import type { Key } from "../course/shape.ts";
import { PROVIDER_KEY } from "../course/special-fields.ts";
import { describeValue } from "../course/wrong-values.ts";
import { camelCase, type Flag } from "./arguments.ts";

/** The flags that change a course. */
export const ASSIGNMENT_FLAGS: readonly Flag[] = [
  {
    name: "set",
    value: "<path=value>",
    repeatable: true,
    parse: setAssignment,
    description: "set a field, for example prices[0].price=49.90",
  },
  {
    name: "unset",
    value: "<path>",
    repeatable: true,
    parse: unsetAssignment,
    description: "clear a field or remove one entry, for example prices[0]",
  },
  ...COURSE_SHAPE.keys.flatMap(fieldFlag),
];

/** The flag of a field, if it has one. */
function fieldFlag({ name, flag, shape, description }: Key): Flag[] {
  if (flag === undefined) return [];
  const isSplit = shape.kind === "list";
  const choices = shape.kind === "enum" ? shape.values : undefined;
  // The first sentence: `the name of the course` of `The name of the course. Shown …`.
  const [first = ""] = description.replace(/\.$/, "").split(". ");
  const text = name === PROVIDER_KEY ? "<provider>" : isSplit ? "<a,b>" : "<text>";
  return [
    {
      name: flag,
      group: "Course flags",
      ...(choices === undefined ? { value: text } : { choices }),
      description: first.charAt(0).toLowerCase() + first.slice(1),
      parse: (typed) => checked(`--${flag}`, [name], isSplit ? splitList(typed) : typed),
    },
  ];
}

/**
 * The changes in the values of `ASSIGNMENT_FLAGS`, in the order of these flags.
 *
 * @throws CatalogError of kind `usage` for flags of which one would have no effect
 */
export function collectAssignments(values: object): readonly Assignment[] {
  // The names of these flags are not in the types.
  const given = values as Readonly<Record<string, Assignment | readonly Assignment[] | undefined>>;
  const assignments = ASSIGNMENT_FLAGS.flatMap(({ name }) => given[camelCase(name)] ?? []);
  for (const one of assignments) {
    const other = assignments.find((each) => isOverridden(one, each));
    if (other !== undefined) {
      throw usageError(`${one.origin} cannot be combined with ${other.origin}`);
    }
  }
  return assignments;
}

/** Whether two flags change one value differently. The last one of a repeated flag counts. */
function isOverridden(one: Assignment, other: Assignment): boolean {
  if (one.origin === other.origin || !isAssigned(one.path, [other])) return false;
  const isUnset = ({ value }: Assignment): boolean => value === undefined;
  return one.path.length === other.path.length || isUnset(one) !== isUnset(other);
}

function unsetAssignment(text: string): Assignment {
  const path = writablePath(text, "--unset");
  if (typeof path.at(-1) === "string" && keyAt(path)?.required) {
    throw usageError(`${formatPath(path)} is required, so --unset cannot clear it`);
  }
  return { origin: `--unset ${text}`, path, value: undefined };
}

function setAssignment(text: string): Assignment {
  const [, written, typed = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (written === undefined) {
    throw usageError(
      `--set must be <path=value>, not ${JSON.stringify(text)}`,
      "For example: --set prices[0].currency=EUR",
    );
  }
  const path = writablePath(written, "--set");
  return checked(`--set ${written}`, path, readValue(typed, shapeAt(path), "flag"));
}

/** A change whose value is valid by itself; the course is checked as a whole later. @throws CatalogError of kind `usage` */
function checked(origin: string, path: Path, value: unknown): Assignment {
  const found = value === null ? [] : checkValue(value, path);
  const problems = found.filter(({ severity }) => severity === "error");
  if (problems.length > 0) throw flagError(problems, [{ origin, path, value }]);
  return { origin, path, value };
}

/** The message of a problem with the flag that set the value: `name must not be empty (--name)`. */
export function flagMessage(
  { path, message }: Pick<Problem, "path" | "message">,
  assignments: readonly Assignment[],
): string {
  const found = assignments.findLast((assignment) => isAssigned(path, [assignment]));
  return found === undefined ? message : `${message} (${found.origin})`;
}

const PASS_MISSING = "Pass each missing field as a flag, or pass a course file.";

/** The error, of kind `usage`, of problems in values of flags, or of fields that flags lack. @param course what names the course */
export function flagError(
  problems: readonly Pick<Problem, "path" | "message" | "suggestion" | "rule">[],
  assignments: readonly Assignment[],
  course = "",
): CatalogError {
  const messages = new Set(problems.map((problem) => course + flagMessage(problem, assignments)));
  // Suggestions of lists and objects are YAML, but a flag reads JSON.
  const typed = problems.find(({ suggestion = "[" }) => !/^[[{]/.test(suggestion));
  const others = problems.filter(({ path }) => !isAssigned(path, assignments));
  const missing = others.filter(({ rule }) => rule === "required" || rule === "incomplete");
  const inside = missing.filter(({ path }) => path.length > 1);
  const sets = inside.map(
    ({ path }) => `--set ${quoteShell(`${formatPath(path)}=${keyAt(path)?.example}`)}`,
  );
  const add = inside.length === 0 ? PASS_MISSING : `For example, add ${sets.join(" ")}`;
  const advice = missing.length === 0 ? undefined : add;
  return usageError([...messages].join("\n"), formatSuggestion(typed?.suggestion, advice));
}

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
  const place = formatPath(path.slice(0, path.length - rest.length - 1));
  if (typeof step === "number" && isList(value ?? [])) {
    const list = isList(value) ? [...value] : [];
    if (removes ? step >= list.length : step > list.length) {
      const entries = pluralize(list.length, "entry", "entries");
      throw usageError(`${origin}: ${place} of the course has ${entries}`);
    }
    if (removes && rest.length === 0) list.splice(step, 1);
    else list[step] = applyAt(list[step], rest, assignment);
    return list;
  }
  if (typeof step === "number" || !isObject(value ?? {})) {
    throw usageError(`${origin}: ${place} of the course is ${describeValue(value)}`);
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
