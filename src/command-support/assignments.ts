/** `--set path=value`, `--unset path` and the flags of the required fields (cli.md section 8). */
import { type CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { isUuid } from "../base/uuid.ts";
import { formatPath, isList, isObject, type Path, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { checkShape } from "../course/check-shape.ts";
import { FIELDS, type Field, fieldNamed, PROVIDER_KEY, WRITABLE_FIELDS } from "../course/fields.ts";
import type { Key } from "../course/shape.ts";
import { alternatives, type Flag, type ParsedArguments } from "./arguments.ts";
import { shapeAt, stepsOf } from "./field-path.ts";
import { getString, getStrings } from "./flag-values.ts";

/** One change to a course, as a flag asked for it. */
export interface Assignment {
  /** The flag as it was typed, for messages. */
  readonly origin: string;
  readonly path: Path;
  /** Undefined to unset. */
  readonly value: unknown;
}

const FLAG_FIELDS = WRITABLE_FIELDS.filter((field) => field.flag !== undefined);

/** The flags that change a course, drawn from the table of fields. */
export const ASSIGNMENT_FLAGS: readonly Flag[] = [
  {
    name: "set",
    value: "<path=value>",
    completes: "assignment",
    repeatable: true,
    description: "set a field, JSON if it parses, else text: 'prices[0].currency=EUR'",
  },
  {
    name: "unset",
    value: "<path>",
    completes: "field-path",
    repeatable: true,
    description: "clear a field, or take away a part of one",
  },
  ...FLAG_FIELDS.map((field) => ({
    name: field.flag ?? field.name,
    group: "Course flags",
    ...takenBy(field),
    description: descriptionOf(field),
  })),
];

function takenBy({ name, shape }: Field): Pick<Flag, "value" | "choices" | "completes"> {
  if (name === "provider_id") return { value: "<provider>", completes: "provider" };
  if (shape.kind === "choice") return { value: alternatives(shape.values), choices: shape.values };
  // The fields with a flag that are lists hold languages.
  return shape.kind === "list" ? { value: "<a,b>", completes: "languages" } : { value: "<text>" };
}

function descriptionOf(field: Field): string {
  return field.name === "provider_id"
    ? "provider_id, by the provider's UUID, slug, domain or name"
    : summaryOf(field);
}

/** The first sentence of what is said about a field or key, as a list of flags says it. */
export function summaryOf({ description }: Pick<Key, "description">): string {
  const [first = ""] = description.replace(/\.$/, "").split(". ");
  // A name such as ISO stays as it is.
  return /^[A-Z][a-z ]/.test(first) ? first.charAt(0).toLowerCase() + first.slice(1) : first;
}

/** The assignments that the words ask for, checked by themselves. @throws `usage` */
export function parseAssignments(words: ParsedArguments): readonly Assignment[] {
  const assignments = [
    ...FLAG_FIELDS.flatMap((field) => fieldAssignment(field, words)),
    ...getStrings(words, "set").map(setAssignment),
    ...getStrings(words, "unset").map((text) => ({
      origin: `--unset ${text}`,
      path: parsePath(text, "--unset"),
      value: undefined,
    })),
  ];
  // The order among different flags is not known, so none may depend on it.
  for (const [index, one] of assignments.entries()) {
    const other = assignments.slice(index + 1).find(({ path }) => isAssigned(path, [one]));
    if (other !== undefined) {
      throw usageError(`${one.origin} and ${other.origin} change the same value`);
    }
  }
  return assignments;
}

function fieldAssignment(field: Field, words: ParsedArguments): Assignment[] {
  const text = field.flag === undefined ? undefined : getString(words, field.flag);
  if (text === undefined) return [];
  const origin = `--${field.flag}`;
  if (field.name === "provider_id") {
    if (text.trim() === "") throw usageError("--provider is blank");
    const name = isUuid(text.trim()) ? "provider_id" : PROVIDER_KEY;
    return [{ origin, path: [name], value: text.trim() }];
  }
  const value =
    field.shape.kind === "list"
      ? text
          .split(",")
          .map((part) => part.trim())
          .filter((part) => part !== "")
      : text;
  const [problem] = checkCourse({ [field.name]: value }, { mode: "patch" });
  if (problem !== undefined) {
    const next =
      problem.suggestion === undefined ? undefined : `Did you mean ${problem.suggestion}?`;
    throw usageError(`${origin}: ${problem.message}`, next);
  }
  return [{ origin, path: [field.name], value }];
}

function setAssignment(text: string): Assignment {
  const split = /^([^=]+)=(.*)$/s.exec(text);
  if (split === null) {
    throw usageError(`--set needs path=value: ${text}`, "Such as --set prices[0].currency=EUR.");
  }
  const [, path = "", value = ""] = split;
  const parsed = parsePath(path, "--set");
  const known = jsonOrText(value);
  requireFitting(parsed, known, `--set ${path}`);
  return { origin: `--set ${path}`, path: parsed, value: known };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads `prices[0].currency`. @throws CatalogError of kind `usage` */
function parsePath(text: string, flag: string): Path {
  const path = stepsOf(text.trim());
  const [field] = path ?? [];
  if (path === undefined || typeof field !== "string") {
    throw usageError(`${flag} names no path: ${text}`, "A path looks like prices[0].currency.");
  }
  requireWritable(field, flag);
  requireKnown(path, flag);
  return path;
}

function requireKnown(path: Path, flag: string): void {
  if (path[0] === PROVIDER_KEY || shapeAt(path) !== undefined) return;
  const parent = shapeAt(path.slice(0, -1));
  const keys = parent?.kind === "object" ? parent.keys.map(({ name }) => name) : [];
  const meant = closest(String(path.at(-1)), keys);
  throw usageError(
    `${flag}: ${formatPath(path)} is no value of a course`,
    meant === undefined ? undefined : `Did you mean ${meant}?`,
  );
}

/** Checks the value of a path by itself, before anything is read. */
function requireFitting(path: Path, value: unknown, origin: string): void {
  const shape = shapeAt(path);
  const step = path.at(-1);
  if (path.length < 2 || step === undefined || shape === undefined || value === null) return;
  const faults: string[] = [];
  checkShape(value, shape, path.slice(0, -1), step, ({ message, suggestion }) => {
    const meant = suggestion === undefined ? "" : ` (did you mean ${suggestion}?)`;
    faults.push(`${message}${meant}`);
  });
  if (faults.length > 0) throw usageError(`${origin}: ${faults.join("; ")}`);
}

function requireWritable(name: string, flag: string): void {
  const field = fieldNamed(name);
  if (field?.readOnly) throw usageError(`${flag}: ${name} is set by the service alone`);
  if (field !== undefined || name === PROVIDER_KEY) return;
  const meant = closest(
    name,
    FIELDS.map((known) => known.name),
  );
  throw usageError(
    `${flag}: ${name} is not a field of a course`,
    meant === undefined ? undefined : `Did you mean ${meant}?`,
  );
}

/**
 * The course with the assignments made; the course itself stays as it is.
 *
 * @param unset what unsetting a whole field leaves: `null`, which clears it, or nothing
 */
export function assign(
  course: PlainObject,
  assignments: readonly Assignment[],
  unset: "null" | "absent",
): PlainObject {
  let result: Record<string, unknown> = { ...course };
  for (const assignment of mapInOrder(assignments)) {
    const [field, ...rest] = assignment.path;
    if (field === PROVIDER_KEY || field === "provider_id") {
      result = withoutKeys(result, [PROVIDER_KEY, "provider_id"]);
    }
    if (rest.length > 0) {
      result[String(field)] = changed(result[String(field)], rest, assignment);
    } else if (assignment.value !== undefined) {
      result[String(field)] = assignment.value;
    } else if (unset === "null") {
      result[String(field)] = null;
    } else {
      result = withoutKeys(result, [String(field)]);
    }
  }
  return result;
}

/** Positions mean the list as it was: of several elements taken away, the last goes first. */
function mapInOrder(assignments: readonly Assignment[]): readonly Assignment[] {
  const removes = ({ path, value }: Assignment): boolean =>
    value === undefined && typeof path.at(-1) === "number";
  const position = ({ path }: Assignment): number => Number(path.at(-1));
  return [
    ...assignments.filter((assignment) => !removes(assignment)),
    ...assignments.filter(removes).sort((one, other) => position(other) - position(one)),
  ];
}

function withoutKeys(course: PlainObject, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(course).filter(([key]) => !keys.includes(key)));
}

function changed(value: unknown, path: Path, assignment: Assignment): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return assignment.value;
  // What is not there has nothing to take away.
  const absent = value === undefined || value === null;
  if (absent && assignment.value === undefined && typeof step === "string") return value;
  return typeof step === "number"
    ? changedList(value, step, rest, assignment)
    : changedMapping(value, step, rest, assignment);
}

function changedList(value: unknown, index: number, rest: Path, assignment: Assignment): unknown[] {
  const list = isList(value) ? [...value] : [];
  if (!isList(value ?? [])) throw mismatch(assignment, "a list");
  const beyond = assignment.value === undefined ? index >= list.length : index > list.length;
  if (beyond) {
    throw usageError(
      `${assignment.origin}: there is no element ${index}`,
      list.length === 0 ? "The list is empty." : `The last one is ${list.length - 1}.`,
    );
  }
  if (rest.length === 0 && assignment.value === undefined) list.splice(index, 1);
  else list[index] = changed(list[index], rest, assignment);
  return list;
}

function changedMapping(
  value: unknown,
  key: string,
  rest: Path,
  assignment: Assignment,
): PlainObject {
  if (!isObject(value ?? {})) throw mismatch(assignment, "a mapping");
  const mapping = isObject(value) ? value : {};
  if (rest.length === 0 && assignment.value === undefined) return withoutKeys(mapping, [key]);
  const inner = Object.hasOwn(mapping, key) ? mapping[key] : undefined;
  return { ...mapping, [key]: changed(inner, rest, assignment) };
}

function mismatch(assignment: Assignment, expected: string): CatalogError {
  return usageError(
    `${assignment.origin}: ${formatPath(assignment.path)} leads through a value that is not ${expected}`,
  );
}

/** Whether a problem at a path is the doing of one of the assignments. */
export function isAssigned(path: Path, assignments: readonly Assignment[]): boolean {
  return assignments.some(({ path: set }) => {
    const shared = Math.min(path.length, set.length);
    return set.slice(0, shared).every((step, index) => step === path[index]);
  });
}
