/** The flags that change a course: `--set path=value`, `--unset path` and flags of single fields such as `--name`. */
import { attempt, type CatalogError, usageError } from "../base/errors.ts";
import { formatSuggestion, suggest } from "../base/suggest.ts";
import { splitList } from "../base/text.ts";
import {
  formatPath,
  isList,
  isObject,
  type Path,
  type PlainObject,
  parsePath,
} from "../base/values.ts";
import { checkValue } from "../course/check.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { COURSE_SHAPE, findField, shapeAt } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import type { Key, Shape } from "../course/shape.ts";
import { alternatives, camelCase, type Flag } from "./arguments.ts";

/** A change of a course that a flag requests. */
export interface Assignment {
  /** The flag as it was typed, for messages. */
  readonly origin: string;
  readonly path: Path;
  /** Undefined removes the value. */
  readonly value: unknown;
}

/** The flags of single fields, from the schema in `course/fields.ts`. */
export const FIELD_FLAGS: readonly Flag[] = COURSE_SHAPE.keys.flatMap(fieldFlag);

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
  ...FIELD_FLAGS,
];

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
      value: choices === undefined ? text : alternatives(choices),
      ...(choices && { choices }),
      description: first.charAt(0).toLowerCase() + first.slice(1),
      parse: (typed) => checked(`--${flag}`, [name], isSplit ? splitList(typed) : typed),
    },
  ];
}

/** The changes in the values of `ASSIGNMENT_FLAGS`. @throws CatalogError of kind `usage` if two change one value */
export function collectAssignments(values: object): readonly Assignment[] {
  // The names of these flags are not in the types.
  const given = values as Readonly<Record<string, Assignment | readonly Assignment[] | undefined>>;
  const assignments = ASSIGNMENT_FLAGS.flatMap(({ name }) => given[camelCase(name)] ?? []);
  // catalog does not know the order of different flags, so the result must not depend on it.
  for (const [index, one] of assignments.entries()) {
    const other = assignments.slice(index + 1).find(({ path }) => isAssigned(path, [one]));
    if (other === undefined) continue;
    const both = `${one.origin} cannot be combined with ${other.origin}`;
    throw usageError(`${both}: both change the same value`);
  }
  return assignments;
}

function unsetAssignment(text: string): Assignment {
  return { origin: `--unset ${text}`, path: writablePath(text, "--unset"), value: undefined };
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
  const value = readValue(typed, shapeAt(path));
  const origin = `--set ${written}`;
  return checked(origin, path, value);
}

/** Reads JSON if it fits the field, else text: `49.90` is text in a string field. A single value fits a list. */
function readValue(typed: string, shape: Shape | undefined): unknown {
  const json = attempt((): unknown => JSON.parse(typed));
  if (json === null) return null;
  switch (shape?.kind) {
    case "list":
      return isList(json) ? json : [readValue(typed, shape.of)];
    case "string":
    case "enum":
      return typeof json === "string" ? json : typed;
    case "paragraphs":
      return typeof json === "string" || isList(json) ? json : typed;
    default:
      return json === undefined ? typed : json;
  }
}

/** A change whose value is valid by itself; the course is checked as a whole later. @throws CatalogError of kind `usage` */
function checked(origin: string, path: Path, value: unknown): Assignment {
  const problems = value === null ? [] : checkValue(value, path);
  if (problems.length > 0) throw flagError(problems, [{ origin, path }]);
  return { origin, path, value };
}

/** The path of a value that can be set. @throws CatalogError of kind `usage` */
function writablePath(text: string, flag: string): Path {
  const path = parsePath(text.trim()) ?? [];
  const unknown = path.findIndex((_, index) => shapeAt(path.slice(0, index + 1)) === undefined);
  const [field] = path;
  if (field === undefined || unknown !== -1) {
    const parent = shapeAt(path.slice(0, Math.max(unknown, 0)));
    const names = parent?.kind === "object" ? parent.keys.map(({ name }) => name) : [];
    throw usageError(
      `unknown field ${JSON.stringify(text)} in ${flag}`,
      suggest(String(path[unknown]), names, "For example: prices[0].currency"),
    );
  }
  if (findField(String(field))?.readOnly !== true) return path;
  throw usageError(`${flag} cannot change ${field}, which only the service sets`);
}

/** The message of a problem with the flag that set the value: `--name must not be empty`, `--set prices: prices[0] …`. */
export function flagMessage(
  { path, message }: Pick<Problem, "path" | "message">,
  assignments: readonly Pick<Assignment, "origin" | "path">[],
): string {
  const found = assignments.find((assignment) => isAssigned(path, [assignment]));
  if (found === undefined) return message;
  const written = formatPath(found.path);
  const isSame = message.startsWith(`${written} `);
  return found.origin + (isSame ? message.slice(written.length) : `: ${message}`);
}

/** The error, of kind `usage`, of problems in values of flags. */
export function flagError(
  problems: readonly Pick<Problem, "path" | "message" | "suggestion">[],
  assignments: readonly Pick<Assignment, "origin" | "path">[],
): CatalogError {
  // Suggestions of lists and objects are YAML, but a flag reads JSON.
  const isYaml = (suggestion = ""): boolean => /^[[{]/.test(suggestion);
  const found = new Map(
    problems.map((problem) => {
      const typed = isYaml(problem.suggestion) ? undefined : problem.suggestion;
      return [flagMessage(problem, assignments), formatSuggestion(typed, undefined)];
    }),
  );
  const [[message, advice] = [""], ...others] = found;
  if (others.length === 0) return usageError(message, advice);
  const all = [...found].map(([text, advice]) => (advice ? `${text} (${advice})` : text));
  return usageError(all.join("; "));
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
export function orderAssignments(assignments: readonly Assignment[]): readonly Assignment[] {
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
