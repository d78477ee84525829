/** Finds why the service refuses a body, and says it as a hint (api.md, "Errors"). */
import { formatPath, type PlainObject } from "../base/values.ts";
import { checkCourse } from "../course/check.ts";
import { FIELDS, fieldNamed } from "../course/fields.ts";
import { checkOwnership } from "../course/ownership.ts";
import type { Problem } from "../course/problem.ts";
import type { Provider } from "../course/provider.ts";

/** One hint says no more; ten megabytes of small mistakes would take gigabytes to list. */
const MOST_PROBLEMS = 1000;

/**
 * The hint for the first rule that a body breaks, or undefined when it breaks none: unknown
 * attributes first, then the rules in the order of the document's fields, read-only fields, and at
 * last what the caller's providers tell.
 */
export function refusalHint(
  body: PlainObject,
  mode: "create" | "patch",
  providers: readonly Provider[],
): string | undefined {
  // The key `provider` of course files is unknown here, and an unknown key ends the search early.
  const unknown = Object.keys(body).find((name) => fieldNamed(name) === undefined);
  if (unknown !== undefined) return `${formatPath([unknown])} is not a key of a course`;
  const problems = checkCourse(body, { mode, most: MOST_PROBLEMS }).filter(isError);
  const [first] = problems;
  if (first !== undefined) return hintOf(first, problems);
  const readOnly = FIELDS.find((field) => field.readOnly && Object.hasOwn(body, field.name));
  if (readOnly !== undefined) return `${readOnly.name} cannot be set`;
  return checkOwnership(body, providers).find(isError)?.message;
}

/** Whether a problem makes the service refuse. */
export function isError(problem: Problem): boolean {
  return problem.severity === "error";
}

function hintOf(problem: Problem, problems: readonly Problem[]): string {
  const [field, ...inside] = problem.path;
  const isMissing = problem.rule === "required" || problem.rule === "blank";
  if (isMissing && inside.length === 0) return `${field} is blank`;
  if (problem.rule === "unknown-key" && inside.length > 0) {
    const keys = problems
      .filter(({ rule, path }) => rule === "unknown-key" && path[0] === field)
      .map(({ path }) => String(path[path.length - 1]));
    // api.md spells it so.
    return `${field} should not contain the folowing keys: ${[...new Set(keys)].join(", ")}`;
  }
  return problem.message;
}
