/** The flags that change a course: `--set path=value`, `--unset path` and flags of single fields such as `--name`. */
import { attempt, type CatalogError, usageError } from "../base/errors.ts";
import { formatSuggestion, suggest } from "../base/suggest.ts";
import { splitList } from "../base/text.ts";
import {
  formatPath,
  isList,
  isObject,
  isUuid,
  type Path,
  type PlainObject,
  parsePath,
} from "../base/values.ts";
import { checkValue } from "../course/check.ts";
import { PROVIDER_KEY } from "../course/field-names.ts";
import { type Field, findField, shapeAt, WRITABLE_FIELDS } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import type { Key, Shape } from "../course/shape.ts";
import { findInexactNumber } from "../files/inexact-numbers.ts";
import { alternatives, camelCase, type Flag, nonEmpty } from "./arguments.ts";

const FLAG_FIELDS = WRITABLE_FIELDS.filter((field) => field.flag !== undefined);

interface AssignmentFlag extends Flag {
  readonly value: string;
  readonly parse: (text: string, flag: string) => Assignment;
}

/** The flags of single fields, from the schema in `course/fields.ts`. */
export const FIELD_FLAGS: readonly AssignmentFlag[] = FLAG_FIELDS.map((field) => ({
  name: field.flag ?? field.name,
  group: "Course flags",
  parse: (text, flag) => fieldAssignment(field, text, flag),
  ...describeFlag(field),
}));

const PATH_FLAGS: readonly AssignmentFlag[] = [
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
];

/** The flags that change a course. */
export const ASSIGNMENT_FLAGS: readonly Flag[] = [...PATH_FLAGS, ...FIELD_FLAGS];

function describeFlag(field: Field): Omit<AssignmentFlag, "name" | "parse"> {
  const { name, shape } = field;
  if (name === "provider_id") {
    const description = "the provider: its slug, domain, name or UUID";
    return { value: "<provider>", description };
  }
  const description = summarize(field);
  if (shape.kind === "enum") {
    return { value: alternatives(shape.values), choices: shape.values, description };
  }
  // The only list with a flag is `audio`.
  return shape.kind === "list" ? { value: "<a,b>", description } : { value: "<text>", description };
}

/** The first sentence of a description, for lists of flags: `name of the course` of `Name of the course. Shown …`. */
function summarize({ description }: Pick<Key, "description">): string {
  const [first = ""] = description.replace(/\.$/, "").split(". ");
  // A name such as ISO stays in uppercase.
  return /^[A-Z][a-z ]/.test(first) ? first.charAt(0).toLowerCase() + first.slice(1) : first;
}

/** The changes in the values of `ASSIGNMENT_FLAGS`. @throws CatalogError of kind `usage` if two change one value */
export function collectAssignments(values: object): readonly Assignment[] {
  // The names of these flags are not in the types.
  const given = values as Readonly<Record<string, Assignment | readonly Assignment[] | undefined>>;
  const assignments = [...FIELD_FLAGS, ...PATH_FLAGS].flatMap(
    ({ name }) => given[camelCase(name)] ?? [],
  );
  // catalog does not know the order of different flags, so the result must not depend on it.
  for (const [index, one] of assignments.entries()) {
    const other = assignments.slice(index + 1).find(({ path }) => isAssigned(path, [one]));
    if (other !== undefined) {
      throw usageError(
        `${one.origin} cannot be combined with ${other.origin}: both change the same value`,
      );
    }
  }
  return assignments;
}

function fieldAssignment({ name, shape }: Field, text: string, flag: string): Assignment {
  const origin = `--${flag}`;
  if (name === "provider_id") {
    const provider = nonEmpty(text, flag);
    return { origin, path: [isUuid(provider) ? name : PROVIDER_KEY], value: provider };
  }
  const value = shape.kind === "list" ? splitList(text) : text;
  const [problem] = checkValue(value, [name]);
  if (problem !== undefined) {
    throw flagError([problem], [{ origin, path: [name] }]);
  }
  return { origin, path: [name], value };
}

function unsetAssignment(text: string): Assignment {
  return { origin: `--unset ${text}`, path: writablePath(text, "--unset"), value: undefined };
}

function setAssignment(text: string): Assignment {
  const split = /^([^=]+)=(.*)$/s.exec(text);
  if (split === null) {
    throw usageError(
      `--set must be <path=value>, not ${JSON.stringify(text)}`,
      "For example: --set prices[0].currency=EUR",
    );
  }
  const [, written = "", json = ""] = split;
  const path = writablePath(written, "--set");
  const value = parseValue(json, shapeAt(path));
  const origin = `--set ${written}`;
  const inexact = value === json ? undefined : findInexactNumber(json);
  if (inexact !== undefined) throw usageError(`${origin} ${inexact}`);
  // The course is checked as a whole later; this check is only for values inside a field.
  const problems = path.length === 1 || value === null ? [] : checkValue(value, path);
  if (problems.length > 0) {
    throw flagError(problems, [{ origin, path }]);
  }
  return { origin, path, value };
}

/** Reads `["en"]` as JSON and `Knitting` as a string. In a string field, `49.90` and `true` also are strings. */
function parseValue(text: string, shape: Shape | undefined): unknown {
  const value = attempt((): unknown => JSON.parse(text));
  if (value === undefined) return text;
  const isText = shape?.kind === "string" || shape?.kind === "enum";
  return isText && (typeof value === "number" || typeof value === "boolean") ? text : value;
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
  problems: readonly Pick<Problem, "path" | "message" | "suggestion" | "fix">[],
  assignments: readonly Pick<Assignment, "origin" | "path">[],
): CatalogError {
  const found = new Map(
    problems.map((problem) => [flagMessage(problem, assignments), suggestTyped(problem)]),
  );
  const [[message, advice] = [""], ...others] = found;
  if (others.length === 0) return usageError(message, advice);
  const all = [...found].map(([text, advice]) => (advice ? `${text} (${advice})` : text));
  return usageError(all.join("; "));
}

/** Suggests what to type instead. A flag reads lists and objects as JSON; suggestions for files are YAML. */
function suggestTyped({ suggestion, fix }: Pick<Problem, "suggestion" | "fix">) {
  if (fix !== undefined && "value" in fix && typeof fix.value === "object") {
    return `Did you mean ${JSON.stringify(fix.value)}?`;
  }
  return formatSuggestion(/^[[{]/.test(suggestion ?? "") ? undefined : suggestion, undefined);
}

/** Parses the path of a value that can be set. @throws CatalogError of kind `usage` */
function writablePath(text: string, flag: string): Path {
  const path = parsePath(text.trim());
  const [field] = path ?? [];
  if (path === undefined || typeof field !== "string") {
    throw usageError(
      `${flag} must be a path of a field, not ${JSON.stringify(text)}`,
      "For example: prices[0].currency",
    );
  }
  if (findField(field)?.readOnly) {
    throw usageError(`${flag} cannot change ${field}, which only the service sets`);
  }
  const unknown = path.findIndex((_, index) => shapeAt(path.slice(0, index + 1)) === undefined);
  if (unknown === -1) return path;
  const parent = shapeAt(path.slice(0, unknown));
  const names = parent?.kind === "object" ? parent.keys.map(({ name }) => name) : [];
  throw usageError(
    `unknown field "${formatPath(path)}" in ${flag}`,
    suggest(String(path[unknown]), names, undefined),
  );
}

/** A change of a course that a flag requests. */
export interface Assignment {
  /** The flag as it was typed, for messages. */
  readonly origin: string;
  readonly path: Path;
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
  const removes = assignment.value === undefined;
  if (typeof step === "number") {
    const present = value ?? [];
    if (!isList(present)) throw mismatch(assignment, "a list");
    const list = [...present];
    if (removes ? step >= list.length : step > list.length) {
      const { origin, path } = assignment;
      const name = formatPath(path.slice(0, path.length - rest.length - 1));
      const last =
        list.length === 0 ? "it has none" : `the last one is ${name}[${list.length - 1}]`;
      throw usageError(`${origin}: the course has no ${name}[${step}] (${last})`);
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

function mismatch({ origin, path }: Assignment, expected: string): CatalogError {
  return usageError(`${origin}: a value on the path ${formatPath(path)} is not ${expected}`);
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
