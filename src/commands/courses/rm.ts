/** `catalog courses rm`: deletes courses, if the user confirms. */
import { CatalogError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import { DRY_RUN_FLAG, type Flag, type FlagValues } from "../../command-support/arguments.ts";
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
import { checkRunFlags, RECORD_FLAGS } from "../../command-support/record-flag.ts";
import { describeOutcomes, RESULTS, Results } from "../../command-support/results.ts";
import { runSteps, type StepRun } from "../../command-support/run-steps.ts";
import { refuseStep, type Step } from "../../sync/step.ts";

const FLAGS = [
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  DRY_RUN_FLAG,
  { name: "ignore-not-found", description: "skip courses that do not exist" },
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly words: readonly string[];
}

/** Sends a GET for each id to name the courses, then a DELETE. */
export const rm = command({
  description:
    "Before rm deletes anything, it saves the complete courses in an undo record. undo brings them back with " +
    "the same ids, but they need a new approval.",
  arguments: COURSE_ARGUMENTS,
  flags: FLAGS,
  output: RESULTS,
  examples: [
    {
      description: "Delete a course",
      line: "catalog courses rm 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    },
    { description: "Delete in a script", line: "catalog courses rm --yes --ignore-not-found $id" },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: ({ values, ...words }): Options => ({ ...values, words: parseCourses(words) }),
  run: removeCourses,
});

async function removeCourses(options: Options, context: Context): Promise<void> {
  checkRunFlags(options, context);
  const { yes, dryRun, ignoreNotFound } = options;
  const words = await readCourseWords(options.words, context);
  if (words.length === 0) return await new Results(context).end();
  const isInputData = options.words.includes(STANDARD_INPUT);
  if (!dryRun && !yes) requireConfirmable("deleting courses", context, isInputData);
  const steps = (await resolveCourses(words, context, { skipMissing: ignoreNotFound })).map(
    ({ id, course }): Step => {
      if (!(course instanceof CatalogError)) {
        return { action: "delete", id, remote: course, before: course };
      }
      return course.kind === "missing"
        ? refuseStep({ id }, "delete", undefined, "skipped")
        : refuseStep({ id }, "delete", course);
    },
  );
  const run: StepRun = {
    ...{ steps, doing: "Deleting", questions: { isInputData } },
    shown: { as: "lines", always: false },
    // "Deleted 2 courses. To restore them: …" is printed at the end of the run.
    summarize: (counts) =>
      counts.deleted > 0 && counts.failed + counts.skipped + counts.unknown === 0
        ? []
        : [describeOutcomes(counts, { planned: "Would delete", skipped: "skipped" })],
  };
  await runSteps(run, options, context);
}
