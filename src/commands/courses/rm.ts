/** `catalog courses rm`: deletes courses, after a look at them and a backup (cli.md section 8). */
import type { CatalogClient } from "../../api/client.ts";
import { inOrder } from "../../base/concurrent.ts";
import { asCatalogError, CatalogError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { confirm, requireConfirmable } from "../../command-support/ask.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { parseIds, readIds, STANDARD_INPUT } from "../../command-support/ids.ts";
import { concurrencyOf } from "../../command-support/limits.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { isSet } from "../../command-support/values.ts";
import type { Course } from "../../course/wire.ts";
import { deletionQuestion, keepDeleted } from "./deletion.ts";
import { type EachNeeds, each } from "./each.ts";
import { noSuchCourse } from "./get.ts";

interface Request {
  readonly ids: readonly string[];
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly ignoreNotFound: boolean;
}

type Needs = EachNeeds & Pick<Context, "client" | "platform" | "clock">;

/** An id with what the service holds under it, or why it could not be read. */
interface Target {
  readonly id: string;
  readonly course?: Course;
  readonly failure?: CatalogError;
}

/** GET to name what goes, DELETE to let it go. */
export const rm = command({
  description:
    'The whole courses are kept in a file first; its name is printed, and "catalog courses create" of that file brings them back under their ids.',
  arguments: [
    {
      name: "id",
      required: true,
      variadic: true,
      completes: "course",
      description: "course ids; - reads them from standard input",
    },
  ],
  flags: [
    { name: "yes", short: "y", description: "do not ask" },
    { name: "dry-run", description: "read and show, delete nothing" },
    { name: "ignore-not-found", description: "a course that is not there is fine" },
  ],
  columns: RESULT_COLUMNS,
  examples: [
    { says: "Delete a course", line: "catalog courses rm 0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10" },
    { says: "In a script", line: "catalog courses rm --yes --ignore-not-found $id" },
  ],
  exits: [...SERVICE_EXITS, 5],
  parse: parseRequest,
  run: removeCourses,
});

function parseRequest(words: ParsedArguments): Request {
  return {
    ids: parseIds(words),
    yes: isSet(words, "yes"),
    dryRun: isSet(words, "dry-run"),
    ignoreNotFound: isSet(words, "ignore-not-found"),
  };
}

async function removeCourses(request: Request, context: Needs): Promise<void> {
  checkResultOptions(context);
  if (!request.dryRun) {
    // With the ids on standard input there is nobody to answer there.
    const asked = request.ids.includes(STANDARD_INPUT)
      ? { ...context, io: withoutInput(context) }
      : context;
    requireConfirmable(request.yes, "deleting courses", asked);
  }
  const ids = await readIds(request.ids, context);
  if (ids.length === 0) {
    await new Results(context).end();
    return;
  }
  const client = await context.client();
  const targets = await readTargets(ids, client, context);
  const courses = targets.flatMap(({ course }) => course ?? []);

  if (!request.dryRun && !request.yes && courses.length > 0) {
    const agreed = await confirm(deletionQuestion(courses), context);
    if (!agreed) throw new CatalogError("usage", "nothing was deleted: the answer was no");
  }
  const backup =
    request.dryRun || courses.length === 0 ? undefined : await keepDeleted(courses, context);

  const results = await each(
    {
      items: targets,
      doing: "Deleting",
      describe: ({ id, course }) => ({
        id,
        action: "delete" as const,
        ...(course === undefined || backup === undefined ? {} : { backup }),
      }),
      work: async (target) => {
        try {
          return await remove(target, request, client);
        } catch (thrown) {
          const error = asCatalogError(thrown);
          if (error.kind === "missing" && request.ignoreNotFound)
            return { status: "skipped" as const };
          throw error;
        }
      },
    },
    context,
  );
  await summarise(results.count("done"), results.count("planned"), context);
}

async function remove({ id, course, failure }: Target, { dryRun }: Request, client: CatalogClient) {
  if (failure !== undefined) throw failure;
  if (course === undefined) throw noSuchCourse(id);
  if (dryRun) return { status: "planned" as const };
  await client.delete(id);
  return undefined;
}

async function summarise(done: number, planned: number, context: Needs): Promise<void> {
  if (done > 0) await context.messages.info(`Deleted ${pluralize(done, "course")}.`);
  if (planned > 0) await context.messages.info(`Would delete ${pluralize(planned, "course")}.`);
}

async function readTargets(
  ids: readonly string[],
  client: CatalogClient,
  context: Needs,
): Promise<Target[]> {
  const targets: Target[] = [];
  for await (const target of inOrder(ids, await concurrencyOf(context), (id) =>
    readTarget(id, client),
  )) {
    targets.push(target);
  }
  return targets;
}

async function readTarget(id: string, client: CatalogClient): Promise<Target> {
  try {
    const course = await client.course(id);
    return course === undefined ? { id } : { id, course };
  } catch (thrown) {
    const failure = asCatalogError(thrown);
    // What every other id would meet, too, is told once.
    if (failure.kind === "auth" || failure.kind === "interrupted") throw failure;
    return { id, failure };
  }
}

function withoutInput({ io }: Needs): Context["io"] {
  return { ...io, in: { ...io.in, isTerminal: false } };
}
