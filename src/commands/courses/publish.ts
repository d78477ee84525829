/** `catalog courses publish` and `unpublish`: set `published` of each course. */
import { DRY_RUN_FLAG } from "../../cli/arguments.ts";
import { type AnyCommand, command } from "../../cli/command.ts";
import { COURSE_ARGUMENTS, resolveCourses } from "../../cli/course-arguments.ts";
import { RECORD_FLAGS } from "../../cli/record.ts";
import { RESULTS } from "../../cli/results.ts";
import { runSteps } from "../../cli/run.ts";
import { makePlan } from "../../core/plan.ts";
import { planChange } from "../../core/step.ts";
import { withoutFile } from "../../course/problem.ts";

/** Reads each course, then sends PATCH published=true. */
export const publish = defineCommand(true);

/** Reads each course, then sends PATCH published=false. */
export const unpublish = defineCommand(false);

function defineCommand(published: boolean): AnyCommand {
  const word = published ? "publish" : "unpublish";
  const Word = published ? "Publish" : "Unpublish";
  return command({
    description: published
      ? "Sets published to true. Students see a course only after the service has approved it."
      : "Sets published to false. The course stays in your catalog, and you can publish it later.",
    arguments: COURSE_ARGUMENTS,
    flags: [DRY_RUN_FLAG, ...RECORD_FLAGS],
    output: RESULTS,
    examples: {
      [`${Word} a course`]: `catalog courses ${word} 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10`,
      [`${Word} all courses of a provider`]: `catalog courses ls --all --provider example-school -o id | catalog courses ${word} -`,
    },
    run: async ({ words, ...flags }, context) => {
      const { courses, index } = await resolveCourses(words, context);
      const from = withoutFile({ published });
      const steps = courses.map((course) => planChange(from, course, { partial: true }));
      await runSteps(makePlan(steps, index), { ...flags, doing: `${Word}ing` }, context);
    },
  });
}
