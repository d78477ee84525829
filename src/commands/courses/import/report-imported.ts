/** Reports what is wrong with imported courses, and what of their rows was not used. */
import { listSome, pluralize, truncate } from "../../../base/text.ts";
import type { PlainObject } from "../../../base/values.ts";
import type { Context } from "../../../command-support/context.ts";
import { DEFAULTS_FILE } from "../../../files/sources.ts";
import { rulesText } from "../../../output/diagnostics.ts";
import { checkImported } from "./check-imported.ts";
import type { Imported, ImportedCourses } from "./imported.ts";

/** Prints what is wrong with the rows and courses, and what was not used. */
export async function reportImported(
  { diagnostics, ignored, skipped }: ImportedCourses,
  courses: readonly Imported[],
  complete: (imported: Imported) => PlainObject,
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
