/** `catalog courses rm`: deletes courses, after a confirmation. */
import { CatalogError, usageError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import type { Flag, FlagValues } from "../../command-support/arguments.ts";
import { requireConfirmable } from "../../command-support/ask.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import {
  COURSE_ARGUMENTS,
  parseCourses,
  readCourseWords,
  resolveCourses,
} from "../../command-support/course-arguments.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import {
  describeRead,
  type ReadCourse,
  readBeforeWriting,
  selectExisting,
} from "../../command-support/read-courses.ts";
import {
  checkRecordFile,
  RECORD_FLAG,
  type Recording,
  restoreAdvice,
} from "../../command-support/recording.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { runRecorded } from "./batch.ts";
import { confirmDeletion } from "./push/deletion.ts";
import { showEntries } from "./push/show-plan.ts";

const FLAGS = [
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  { name: "dry-run", description: "read and show the courses, delete nothing" },
  { name: "ignore-not-found", description: "do not fail if a course does not exist" },
  RECORD_FLAG,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly words: readonly string[];
}

/** Sends a GET for each id to name the courses, then a DELETE. */
export const rm = command({
  description:
    'The complete courses are recorded first; "catalog undo" restores them under the same ids.',
  arguments: COURSE_ARGUMENTS,
  flags: FLAGS,
  columns: RESULT_COLUMNS,
  examples: [
    {
      description: "Delete a course",
      line: "catalog courses rm 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    },
    { description: "In a script", line: "catalog courses rm --yes --ignore-not-found $id" },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: ({ values, ...words }): Options => ({ ...values, words: parseCourses(words) }),
  run: removeCourses,
});

async function removeCourses(options: Options, context: Context): Promise<void> {
  checkResultOptions(context);
  checkRecordFile(options.record, context);
  const { yes, dryRun, record: file } = options;
  const words = await readCourseWords(options.words, context);
  if (words.length === 0) return await new Results(context).end();
  if (!dryRun && !yes) {
    requireConfirmable("deleting courses", context, options.words.includes(STANDARD_INPUT));
  }
  const targets = await readTargets(words, yes || dryRun, context);
  const courses = selectExisting(targets);
  if (dryRun) {
    const entries = courses.map(({ id, name }) => ({
      action: "delete" as const,
      id,
      name,
      changes: [],
    }));
    await showEntries(entries, context);
  }
  const record = { file, courses, items: targets };
  await runRecorded(record, context, (recording) => {
    if (!dryRun && courses.length > 0) recording.prepareDeletions();
    const { run } = recording;
    return {
      doing: "Deleting",
      describe: (target) => {
        const described = describeRead(target);
        return { ...described, action: "delete", run: described.course && run };
      },
      run: (target) => removeOne(target, options, recording),
      summary: {
        done: "Deleted",
        planned: "Would delete",
        restore: (deleted) => restoreAdvice(deleted, run),
      },
    };
  });
}

/** Reads the courses and asks, whatever names them; then reads them again, so that the record has what is deleted. */
async function readTargets(
  words: readonly string[],
  isConfirmed: boolean,
  context: Context,
): Promise<readonly ReadCourse[]> {
  const targets = await resolveCourses(words, {}, context);
  const courses = selectExisting(targets);
  if (isConfirmed || courses.length === 0) return targets;
  if (!(await confirmDeletion(courses, undefined, context))) {
    throw usageError("nothing was deleted: cancelled");
  }
  return await readBeforeWriting(
    targets.map(({ id }) => id),
    context,
  );
}

async function removeOne(
  { course }: ReadCourse,
  { dryRun, ignoreNotFound }: Options,
  recording: Recording,
): Promise<{ readonly status: "done" | "planned" | "skipped" }> {
  try {
    if (course instanceof CatalogError) throw course;
    if (dryRun) return { status: "planned" };
    await recording.delete({ remote: course });
    return { status: "done" };
  } catch (thrown) {
    if (!(ignoreNotFound && thrown instanceof CatalogError && thrown.kind === "missing"))
      throw thrown;
    return { status: "skipped" };
  }
}
