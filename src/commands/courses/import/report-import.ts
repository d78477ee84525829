/** Reports an import: problems, skipped rows, and values that were not understood. */
import {
  escapeLine,
  formatNumber,
  listSome,
  pluralize,
  truncate,
  truncateJson,
} from "../../../base/text.ts";
import { isObject } from "../../../base/values.ts";
import type { Context } from "../../../cli/context.ts";
import { findingFilter } from "../../../cli/course-files.ts";
import { checkImported, type Imported, type SkippedRow } from "../../../import/check-imported.ts";
import type { ImportedCourses } from "../../../import/rows.ts";
import { ALL_PUBLISHED, type Source, sourceCommand } from "../../../import/suggest.ts";
import { describeColumn } from "../../../import/understood-values.ts";

/**
 * Prints the problems of rows and courses, and what was not used.
 *
 * @returns the courses that can be imported, and a summary: `3 rows: 2 courses, 1 skipped, 0 failed`
 */
export async function reportImported<Item extends Imported>(
  { diagnostics, ignored, skipped, columns, counts, missing, links }: ImportedCourses,
  courses: readonly Item[],
  source: Source,
  context: Context,
) {
  const { messages } = context;
  const checked = await checkImported(courses);
  const kept = courses.filter((imported) => !checked.refused.has(imported));
  const filter = await findingFilter(context);
  await messages.diagnose(filter([...diagnostics, ...checked.diagnostics]));
  const isSaid = courses.some(
    ({ course, completed = course }) => completed.published !== undefined,
  );
  if (!isSaid && kept.length > 0) await messages.info(ALL_PUBLISHED);
  for (const [{ name }, fields] of missing) {
    const lacking = listSome([...fields.keys()].map(truncateJson));
    const using = listSome([...new Set([...fields.values()].flat())]);
    await messages.warn(
      `the mapping uses columns that ${name} does not have: ${lacking} (for ${using})`,
    );
  }
  if (ignored.size > 0) {
    const list = listSome([...ignored].map(truncate));
    await messages.info(
      `Ignored what is not a course field: ${list}. To draft a mapping: ${sourceCommand(source)} --suggest`,
      { ignored: [...ignored] },
    );
  }
  for (const name of links) {
    const text = "The mapping uses the texts of cells with links. To use the links, write";
    await messages.info(`${text} \`${escapeLine(truncate(name))}\`.`);
  }
  const facts = {
    skipped: skipped.map(({ row, rows }) => ({ file: rows.name, row: row.number })),
  };
  const same = skipped.filter(({ sameAs }) => sameAs !== undefined);
  const others = skipped.filter(({ sameAs }) => sameAs === undefined);
  const list = listSome(others.map(describeSkipped));
  const sentences = [
    ...(others.length === 0 ? [] : [`Skipped ${pluralize(others.length, "row")}: ${list}.`]),
    ...(same.length === 0 ? [] : [describeSame(same)]),
  ];
  if (sentences.length > 0) await messages.info(sentences.join(" "), facts);
  for (const column of columns) {
    if (column.used < column.of) await messages.info(describeColumn(column));
  }
  const failed = counts.failed + checked.refused.size;
  const { rows } = counts;
  const done = pluralize(kept.length, "course");
  const rest = `${formatNumber(skipped.length)} skipped, ${formatNumber(failed)} failed`;
  const sentence = `${pluralize(rows, "row")}: ${done}, ${rest}`;
  const amounts = { courses: kept.length, rowsSkipped: skipped.length, rowsFailed: failed };
  return { kept, sentence, facts: { counts: { rows, ...amounts }, columns } };
}

/** Describes a skipped row by its key or first value: `row 5 of a.csv ("IT & Büro")`. */
function describeSkipped({ row, rows, key }: SkippedRow): string {
  const [first] = isObject(row.value) ? Object.values(row.value) : [row.value];
  const value = key ?? first;
  return `row ${row.number} of ${rows.name} (${value === undefined ? "empty" : truncateJson(value)})`;
}

/** Says which rows repeat others: `1 row is the same as row 2: row 3 of a.csv.` */
function describeSame(same: readonly SkippedRow[]): string {
  const list = listSome(same.map(({ row, rows }) => `row ${row.number} of ${rows.name}`));
  const first = new Set(same.map(({ sameAs }) => sameAs?.row.number));
  const origin = first.size === 1 ? `row ${[...first].join("")}` : "earlier rows";
  return `${pluralize(same.length, "row is", "rows are")} the same as ${origin}: ${list}.`;
}
