/** Reports what is wrong with imported courses, and what of their rows was not used. */
import { listSome, pluralize, truncate } from "../../../base/text.ts";
import type { PlainObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { checkCourse } from "../../../course/check.ts";
import type { Problem } from "../../../course/problem.ts";
import { UNIQUE_RULES, UniqueValues } from "../../../course/unique-fields.ts";
import type { Diagnostic } from "../../../files/diagnostic.ts";
import { DEFAULTS_FILE } from "../../../files/find.ts";
import { MAX_FINDINGS } from "../../../files/limits.ts";
import { rulesText } from "../../../output/diagnostics.ts";
import { type Imported, type ImportedCourses, rowDiagnostic } from "./imported.ts";

/**
 * Prints what is wrong with the rows and courses, and what was not used.
 *
 * @param complete the course with the values that its file adds: defaults, and fields that it has
 */
export async function reportImported<Item extends Imported>(
  { diagnostics, ignored, skipped }: ImportedCourses,
  courses: readonly Item[],
  complete: (imported: Item) => PlainObject,
  { messages }: Context,
): Promise<void> {
  const found = [...diagnostics, ...(await checkImported(courses, complete))];
  await messages.diagnose(found);
  const report = { files: [], courses: courses.length, diagnostics: found };
  await messages.show((styles) => rulesText(report, styles).split("\n").slice(0, -1));
  if (found.some(({ rule, path }) => rule === "required" && path[0] === "provider_id")) {
    await messages.info(
      `Write "provider: <slug>" into ${DEFAULTS_FILE} next to the courses; "catalog providers ls" lists the slugs.`,
    );
  }
  if (ignored.size > 0) {
    const list = listSome([...ignored].map(truncate), MOST_NAMED);
    await messages.info(
      `Ignored ${list}: not fields of a course. Run import with --suggest for a mapping.`,
      { ignored: [...ignored] },
    );
  }
  if (skipped > 0) await messages.info(`The mapping skipped ${pluralize(skipped, "row")}.`);
}

const MOST_NAMED = 20;

/** The problems of the courses, each with the position of the row that it comes from. */
async function checkImported<Item extends Imported>(
  courses: readonly Item[],
  complete: (imported: Item) => PlainObject,
): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  const values = new UniqueValues<Imported>();
  for (const imported of courses) {
    const course = complete(imported);
    const problems = checkCourse(course);
    for (const { field, first } of values.findRepeated(course, imported)) {
      const message = `same ${field} as row ${first.row.number} of ${first.rows.name}`;
      const problem: Problem = {
        ...{ rule: UNIQUE_RULES[field], severity: "error", at: "value", path: [field], message },
      };
      problems.push(problem);
    }
    for (const problem of problems.slice(0, MAX_FINDINGS - diagnostics.length)) {
      diagnostics.push(await rowDiagnostic(imported, problem));
    }
  }
  return diagnostics;
}
