/** The flags that change a course: `--set path=value`, `--unset path` and flags of single fields such as `--name`. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { formatSuggestion, quoteShell, splitList } from "../base/text.ts";
import { formatPath, type Path } from "../base/values.ts";
import { type Assignment, isAssigned } from "../core/assign.ts";
import { checkValue } from "../course/check.ts";
import { COURSE_SHAPE, keyAt, shapeAt, writablePath } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import { readValue } from "../course/read-value.ts";
import type { Key } from "../course/shape.ts";
import { PROVIDER_KEY } from "../course/special-fields.ts";
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
