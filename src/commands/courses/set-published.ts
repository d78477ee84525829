/** What `publish` and `unpublish` share: one PATCH of `published` a course. */
import { pluralize } from "../../base/text.ts";
import type { AnyCommand } from "../../command-support/command.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { parseIds, readIds } from "../../command-support/ids.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { type EachNeeds, each } from "./each.ts";

/** The command that sets `published` to one value. */
export function setPublished(published: boolean): AnyCommand {
  const verb = published ? "publish" : "unpublish";
  return command({
    description: published
      ? "Sets published to true. A course is shown once the service has approved it."
      : "Sets published to false. The course stays in the catalog and can be published again.",
    arguments: [
      {
        name: "id",
        required: true,
        variadic: true,
        completes: "course",
        description: "course ids; - reads them from standard input",
      },
    ],
    columns: RESULT_COLUMNS,
    examples: [
      {
        says: `${published ? "Publish" : "Unpublish"} a course`,
        line: `catalog courses ${verb} 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10`,
      },
      {
        says: `${published ? "Publish" : "Unpublish"} what a listing names`,
        line: `catalog courses ls --name Draft -o id | catalog courses ${verb} -`,
      },
    ],
    exits: [...SERVICE_EXITS, 5],
    parse: parseIds,
    run: async (words, context: EachNeeds & Pick<Context, "client">) => {
      checkResultOptions(context);
      const ids = await readIds(words, context);
      if (ids.length === 0) {
        await new Results(context).end();
        return;
      }
      const client = await context.client();
      const results = await each(
        {
          items: ids,
          doing: published ? "Publishing" : "Unpublishing",
          describe: (id) => ({ id, action: "update" }),
          work: async (id) => {
            await client.update(id, { published });
            return undefined;
          },
        },
        context,
      );
      const done = results.count("done");
      if (done > 0)
        await context.messages.info(
          `${published ? "Published" : "Unpublished"} ${pluralize(done, "course")}.`,
        );
    },
  });
}
