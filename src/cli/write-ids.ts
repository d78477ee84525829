/** `push --write-ids`: adds the ids of courses to their files, and changes nothing else there. */
import { resolve } from "node:path";
import { STDIN_NAME } from "../base/io.ts";
import { pluralize } from "../base/text.ts";
import { addTo, isObject } from "../base/values.ts";
import { describePlaced } from "../core/located.ts";
import { type SourceCourse, type SourceFile, writtenValue } from "../files/course-file.ts";
import { type Replacement, replaceCourses } from "../files/edit.ts";
import type { Context } from "./context.ts";
import { type FileStep, writeFiles } from "./write-files.ts";

/** A course of a file, and the id that it has in the catalog. */
export interface ChosenId {
  readonly source: SourceCourse;
  readonly id: string;
}

/** Adds ids to courses that have none in their files, and reports failures. */
export async function writeIds(ids: readonly ChosenId[], context: Context): Promise<void> {
  const byFile = new Map<SourceFile, Replacement[]>();
  for (const { source, id } of ids) {
    const written = writtenValue(source);
    if (!isObject(written) || (written.id ?? "") !== "") continue;
    addTo(byFile, source.file, { source, wanted: { ...written, id } });
  }
  const steps: FileStep[] = [];
  for (const [{ name }, replacements] of byFile) {
    if (name === STDIN_NAME) {
      await context.messages.warn("--write-ids cannot change standard input; pass a file instead");
      continue;
    }
    const path = resolve(context.folder, name);
    const courses = replacements.map(({ source, wanted }) => {
      return { ...describePlaced(wanted, source), action: "update" as const };
    });
    const edit = replaceCourses(replacements);
    steps.push({ action: "edit", name, path, edit, courses });
  }
  if (steps.length === 0) return;
  const writing = {
    doing: "Writing ids",
    what: "the ids of courses",
    advice: 'Add them to the file yourself: "catalog courses ls" lists them.',
    adviceIfChanged: "Push again.",
    dryRun: false,
  };
  const outcomes = await writeFiles(steps, writing, context);
  const done = outcomes.filter(({ status }) => status === "done");
  const written = done.flatMap(({ step }) => step.courses).length;
  if (written > 0) await context.messages.info(`Added ${pluralize(written, "id")} to the files.`);
}
