/** `push --write-ids`: adds the ids of courses to their files, and changes nothing else there. */
import { resolve } from "node:path";
import { STDIN_NAME } from "../../base/io.ts";
import { pluralize } from "../../base/text.ts";
import { addTo, isObject } from "../../base/values.ts";
import type { Context } from "../../cli/context.ts";
import { editStep, writeFiles } from "../../cli/write-files.ts";
import type { Outcome } from "../../core/apply.ts";
import { FileCourse } from "../../core/located.ts";
import { writtenValue } from "../../files/course-file.ts";
import type { Replacement } from "../../files/edit.ts";

/** Adds the ids of courses that the catalog has to those that have none in their files, and reports failures. */
export async function writeIds(outcomes: readonly Outcome[], context: Context): Promise<void> {
  const { folder, messages } = context;
  const byFile = new Map<string, Replacement[]>();
  for (const { step, status } of outcomes) {
    const { id, from } = step;
    if (!(from instanceof FileCourse) || (status !== "done" && status !== "unchanged")) continue;
    const written = writtenValue(from.source);
    if (!isObject(written) || (written.id ?? "") !== "") continue;
    const { index } = from.source;
    addTo(byFile, from.file, { index, old: written, wanted: { ...written, id } });
  }
  if (byFile.delete(STDIN_NAME)) {
    await messages.warn("--write-ids cannot change standard input; pass a file instead");
  }
  const steps = [...byFile].map(([name, replacements]) =>
    editStep({ name, path: resolve(folder, name), courses: [] }, replacements),
  );
  const written = await writeFiles(steps, "Writing ids", false, context);
  const done = written.filter(({ status }) => status === "done");
  const amount = done.flatMap(({ step: { name } }) => byFile.get(name) ?? []).length;
  if (amount > 0) await messages.info(`Added ${pluralize(amount, "id")} to the files.`);
}
