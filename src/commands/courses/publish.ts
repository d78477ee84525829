/** `catalog courses publish` and `unpublish`: set `published` of each course. */
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { type AnyCommand, command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { isSet } from "../../command-support/flag-values.ts";
import { ID_ARGUMENTS, parseIds, readIds } from "../../command-support/ids.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { runBatch } from "./batch.ts";
import { noSuchCourse } from "./read-by-id.ts";

/** Sends PATCH published=true for each id. */
export const publish = commandTo(true);

/** Sends PATCH published=false for each id. */
export const unpublish = commandTo(false);

function commandTo(published: boolean): AnyCommand {
  const word = published ? "publish" : "unpublish";
  const Word = published ? "Publish" : "Unpublish";
  return command({
    description: published
      ? "Sets published to true. A course is shown once the service has approved it."
      : "Sets published to false. The course stays in the catalog and can be published again.",
    arguments: ID_ARGUMENTS,
    flags: [{ name: "dry-run", description: "read the courses, change nothing" }],
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
    exits: [...SERVICE_EXITS, 5],
    parse: (words: ParsedArguments) => ({
      typed: parseIds(words),
      dryRun: isSet(words, "dry-run"),
    }),
    run: async ({ typed, dryRun }, context: Context) => {
      checkResultOptions(context);
      const ids = await readIds(typed, context);
      if (ids.length === 0) return await new Results(context).end();
      const client = await context.client();
      await runBatch(
        {
          items: ids,
          doing: `${Word}ing`,
          describe: (id) => ({ id, action: "update" }),
          run: async (id) => {
            if (dryRun) {
              if ((await client.course(id)) !== undefined) return { status: "planned" };
              throw noSuchCourse(id);
            }
            await client.update(id, { published });
            return undefined;
          },
          summary: { done: `${Word}ed`, planned: `Would ${word}` },
        },
        context,
      );
    },
  });
}
