/** `catalog courses rm`: deletes courses, if the user confirms. */
import { DRY_RUN_FLAG, type Flag } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import { COURSE_ARGUMENTS, resolveCourses } from "../../cli/course-arguments.ts";
import { RECORD_FLAGS } from "../../cli/record.ts";
import { RESULTS } from "../../cli/results.ts";
import { runSteps } from "../../cli/run.ts";
import { makePlan } from "../../core/plan.ts";
import { planDeletion } from "../../core/step.ts";

const FLAGS = [
  { name: "yes", short: "y", description: "do not ask for confirmation" },
  DRY_RUN_FLAG,
  { name: "ignore-not-found", description: "skip ids, keys and urls that name no course" },
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

/** Sends GETs of the providers and courses, then a DELETE for each course. */
export const rm = command({
  description:
    "Before rm deletes anything, it saves the complete courses in a record. undo brings them back with " +
    "the same ids, but their approval status is pending, as for every new course.",
  arguments: COURSE_ARGUMENTS,
  flags: FLAGS,
  output: RESULTS,
  examples: {
    "Delete a course": "catalog courses rm 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    "Delete in a script": "catalog courses rm --yes --ignore-not-found $id",
  },
  run: async ({ words, ignoreNotFound, ...flags }, context) => {
    // The record says which other courses have the url of a course, so that undo may restore it.
    const named = { isListed: true, ignoreNotFound };
    const { courses, index } = await resolveCourses(words, context, named);
    const plan = makePlan(courses.map(planDeletion), index);
    const options = { ...flags, doing: "Deleting", mustExist: !ignoreNotFound };
    await runSteps(plan, options, context);
  },
});
