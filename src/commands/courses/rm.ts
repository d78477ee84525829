/** `catalog courses rm`: deletes courses, after a confirmation and a backup. */
import type { CatalogClient } from "../../api/client.ts";
import { CatalogError } from "../../base/errors.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { isSet } from "../../command-support/flag-values.ts";
import { ID_ARGUMENTS, parseIds, readIds } from "../../command-support/ids.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { runBatch } from "./batch.ts";
import { prepareDeletion, requireConfirmableDeletion } from "./deletion.ts";
import { type ReadCourse, readById } from "./read-by-id.ts";

interface Options {
  readonly ids: readonly string[];
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly ignoreNotFound: boolean;
}

/** Sends a GET for each id to name the courses, then a DELETE. */
export const rm = command({
  description:
    'Complete copies are saved to a file first (its name is printed); run "catalog courses create" with that file to restore the courses under the same ids.',
  arguments: ID_ARGUMENTS,
  flags: [
    { name: "yes", short: "y", description: "do not ask for confirmation" },
    { name: "dry-run", description: "read and show the courses, delete nothing" },
    { name: "ignore-not-found", description: "do not fail if a course does not exist" },
  ],
  columns: RESULT_COLUMNS,
  examples: [
    {
      description: "Delete a course",
      line: "catalog courses rm 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    },
    { description: "In a script", line: "catalog courses rm --yes --ignore-not-found $id" },
  ],
  exits: [...SERVICE_EXITS, 5],
  parse: (typed: ParsedArguments): Options => ({
    ids: parseIds(typed),
    yes: isSet(typed, "yes"),
    dryRun: isSet(typed, "dry-run"),
    ignoreNotFound: isSet(typed, "ignore-not-found"),
  }),
  run: removeCourses,
});

async function removeCourses(options: Options, context: Context): Promise<void> {
  checkResultOptions(context);
  const { yes, dryRun } = options;
  if (!dryRun) {
    requireConfirmableDeletion("deleting courses", { yes, typed: options.ids }, context);
  }
  const ids = await readIds(options.ids, context);
  if (ids.length === 0) return await new Results(context).end();
  const client = await context.client();
  const targets: ReadCourse[] = [];
  for await (const target of readById(ids, client, context)) targets.push(target);
  const courses = targets.flatMap(({ course }) => (course instanceof CatalogError ? [] : course));
  const backup =
    dryRun || courses.length === 0
      ? undefined
      : await prepareDeletion(
          courses,
          { yes, cancelled: "nothing was deleted: cancelled" },
          context,
        );
  await runBatch(
    {
      items: targets,
      doing: "Deleting",
      describe: ({ id, course }) => ({
        id,
        action: "delete",
        ...(course instanceof CatalogError ? {} : { course }),
        ...(course instanceof CatalogError || backup === undefined ? {} : { backup }),
      }),
      run: (target) => removeOne(target, options, client),
      summary: { done: "Deleted", planned: "Would delete" },
    },
    context,
  );
}

async function removeOne(
  { id, course }: ReadCourse,
  { dryRun, ignoreNotFound }: Options,
  client: CatalogClient,
): Promise<{ readonly status: "done" | "planned" | "skipped" }> {
  try {
    if (course instanceof CatalogError) throw course;
    if (dryRun) return { status: "planned" };
    await client.delete(id);
    return { status: "done" };
  } catch (thrown) {
    if (!(ignoreNotFound && thrown instanceof CatalogError && thrown.kind === "missing"))
      throw thrown;
    return { status: "skipped" };
  }
}
