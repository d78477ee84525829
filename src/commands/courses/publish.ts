/** `catalog courses publish` and `unpublish`: set `published` of each course. */
import { CatalogError } from "../../base/errors.ts";
import { type AnyCommand, command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import {
  COURSE_ARGUMENTS,
  parseCourses,
  resolveCourses,
} from "../../command-support/course-arguments.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { describeRead, selectExisting } from "../../command-support/read-courses.ts";
import { checkRecordFile, RECORD_FLAG } from "../../command-support/recording.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { runRecorded } from "./batch.ts";

/** Reads each course, then sends PATCH published=true. */
export const publish = defineCommand(true);

/** Reads each course, then sends PATCH published=false. */
export const unpublish = defineCommand(false);

function defineCommand(published: boolean): AnyCommand {
  const word = published ? "publish" : "unpublish";
  const Word = published ? "Publish" : "Unpublish";
  return command({
    description: published
      ? "Sets published to true. A course is shown once the service has approved it."
      : "Sets published to false. The course stays in the catalog and can be published again.",
    arguments: COURSE_ARGUMENTS,
    flags: [
      { name: "yes", short: "y", description: "do not ask before a name is used" },
      { name: "dry-run", description: "read the courses, change nothing" },
      RECORD_FLAG,
    ],
    columns: RESULT_COLUMNS,
    examples: [
      {
        description: `${Word} a course`,
        line: `catalog courses ${word} 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10`,
      },
      {
        description: `${Word} every course in a listing`,
        line: `catalog courses ls --name Draft -o id | catalog courses ${word} -`,
      },
    ],
    exits: [...SERVICE_EXITS, 3, 5],
    parse: ({ values, ...words }) => ({ ...values, typed: parseCourses(words) }),
    run: async ({ typed, yes, dryRun, record: file }, context: Context) => {
      checkResultOptions(context);
      checkRecordFile(file, context);
      const forChange = dryRun ? undefined : { verb: Word, yes };
      const items = await resolveCourses(typed, { forChange }, context);
      if (items.length === 0) return await new Results(context).end();
      const courses = selectExisting(items);
      const run = { file, courses, items };
      await runRecorded(run, context, (recording) => ({
        doing: `${Word}ing`,
        describe: (target) => ({ ...describeRead(target), action: "update" }),
        run: async ({ course }) => {
          if (course instanceof CatalogError) throw course;
          if (dryRun) return { status: "planned" };
          await recording.update({ published }, { remote: course });
          return undefined;
        },
        summary: { done: `${Word}ed`, planned: `Would ${word}` },
      }));
    },
  });
}
