/** Gives the courses of a check back as a table, with what is wrong with each in the first column. */
import { addTo, isObject } from "../base/values.ts";
import { PROBLEMS_COLUMN } from "../files/table.ts";
import { type CheckReport, problemText } from "./diagnostics.ts";
import { createRowFile } from "./formats.ts";
import { plain } from "./text-measure.ts";

/** The rows as they were. What is wrong with a file as a whole is in its first row. */
export async function tableReport(
  format: "xlsx" | "csv",
  { cards = [], diagnostics, columns, remembered }: CheckReport,
): Promise<Uint8Array> {
  const texts = new Map<string, string[]>();
  for (const problem of diagnostics) {
    addTo(texts, problem.course ?? problem.file, problemText(problem));
  }
  const rows = cards.map(({ course, file, key }) => {
    const own = [file, key].flatMap((name) => texts.get(name ?? "") ?? []);
    texts.delete(file ?? "");
    return { ...(isObject(course) ? course : {}), [PROBLEMS_COLUMN]: own.join("\n") };
  });
  const found = columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const names = [PROBLEMS_COLUMN, ...found.filter((name) => name !== PROBLEMS_COLUMN)];
  const options = { columns: names, fields: names, cleared: "null", styles: plain };
  const content = await createRowFile(format, { ...options, memory: remembered });
  await content.rows(rows);
  return await content.end();
}
