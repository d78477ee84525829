/** Applies changes inside fields, such as `prices[0].currency`, to the fields of a remote course. */
import { usageError } from "../../base/errors.ts";
import { formatPath, type Path, type PlainObject } from "../../base/values.ts";
import { type Assignment, assign } from "../../command-support/assignments.ts";
import { checkCourse } from "../../course/check.ts";
import type { Problem } from "../../course/problem.ts";
import { toUpdateBody } from "../../course/request-body.ts";
import { flagMessage } from "./drafts.ts";

/**
 * The body of a PATCH with the given fields, and with the fields of the remote course that the
 * assignments change in part.
 *
 * @throws CatalogError of kind `usage` for problems that the assignments cause
 */
export function nestedChanges(
  remote: PlainObject,
  given: PlainObject,
  nested: readonly Assignment[],
): PlainObject {
  const fields = new Set(nested.map(({ path }) => String(path[0])));
  const base = {
    ...Object.fromEntries([...fields].map((field) => [field, remote[field]])),
    ...given,
  };
  const course = assign(base, nested, "null");
  // Only problems that the flags caused count; the service accepted the others.
  const before = new Set(findErrors(base).map(problemKey));
  const isBelow = (path: Path, parent: Path): boolean =>
    parent.every((key, index) => key === path[index]);
  const caused = findErrors(course).filter((problem) => {
    const isInNewValue = nested.some(({ path }) => isBelow(problem.path, path));
    return isInNewValue || !before.has(problemKey(problem));
  });
  if (caused.length > 0) {
    throw usageError(caused.map((problem) => flagMessage(problem, nested)).join("; "));
  }
  return toUpdateBody(course);
}

function findErrors(course: PlainObject): Problem[] {
  return checkCourse(course, { mode: "patch" }).filter(({ severity }) => severity === "error");
}

function problemKey({ rule, path }: Problem): string {
  return `${rule} ${formatPath(path)}`;
}
