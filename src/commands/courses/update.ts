/** `catalog courses update`: changes only the given fields of courses. */
import type { CatalogClient } from "../../api/client.ts";
import { CatalogError, usageError } from "../../base/errors.ts";
import { isUuid } from "../../base/uuid.ts";
import type { PlainObject } from "../../base/values.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import {
  ASSIGNMENT_FLAGS,
  type Assignment,
  parseAssignments,
} from "../../command-support/assignments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { isSet } from "../../command-support/flag-values.ts";
import { readIds, STANDARD_INPUT } from "../../command-support/ids.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { EXTERNAL_KEY } from "../../course/field-names.ts";
import { toUpdateBody } from "../../course/request-body.ts";
import { runBatch } from "./batch.ts";
import { locateRefusal } from "./locate-refusal.ts";
import { nestedChanges } from "./nested-changes.ts";
import { readById } from "./read-by-id.ts";
import { type Target, targetsInFiles, targetsWithIds } from "./update-targets.ts";

interface Options {
  /** UUIDs, or `-`; undefined if the files name their courses. */
  readonly ids: readonly string[] | undefined;
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
  readonly dryRun: boolean;
}

/**
 * Sends a GET of the providers if `url` or the provider changes or a course has a key, then a PATCH
 * for each course.
 */
export const update = command({
  description:
    "Fields not given in a file or as a flag stay unchanged. In a file, null clears a field. Without " +
    "an id, every course in the files is updated; each needs its id or key.",
  arguments: [
    {
      name: "id",
      required: true,
      completes: "course",
      description: "the course's id, or a course file; - reads ids from standard input",
    },
    {
      name: "file",
      variadic: true,
      completes: "course-file",
      description: "course files, which may be partial; - reads standard input",
    },
  ],
  flags: [
    ...ASSIGNMENT_FLAGS,
    { name: "dry-run", description: "read and check the course, change nothing" },
  ],
  columns: RESULT_COLUMNS,
  examples: [
    {
      description: "Rename a course",
      line: 'catalog courses update $id --name "Knitting for Beginners"',
    },
    {
      description: "Change the currency of one price",
      line: "catalog courses update $id --set 'prices[0].currency=EUR'",
    },
    {
      description: "Change the fields in a file of every course in it",
      line: "catalog courses update prices.csv",
    },
    { description: "Remove the video", line: "catalog courses update $id --unset video" },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: parseOptions,
  run: updateCourses,
});

function parseOptions(typed: ParsedArguments): Options {
  const { ids, paths } = parseTargets(typed);
  const assignments = parseAssignments(typed);
  const assignedKey = assignments.find(({ path }) => path[0] === EXTERNAL_KEY);
  if (assignedKey !== undefined) {
    throw usageError(
      `${assignedKey.origin}: a key is never sent`,
      "Write it into the course file.",
    );
  }
  const assignedId = assignments.find(({ path }) => path[0] === "id");
  if (assignedId !== undefined) throw usageError(`${assignedId.origin}: an id cannot be changed`);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError("nothing to change", "Pass a file, or flags such as --name or --set.");
  }
  return { ids, paths, assignments, dryRun: isSet(typed, "dry-run") };
}

/** The ids, and the paths among the arguments: all that are not UUIDs. */
function parseTargets(typed: ParsedArguments): Pick<Options, "ids" | "paths"> {
  const [first, ...others] = typed.arguments;
  const words = parsePaths(typed);
  if (first === STANDARD_INPUT) return { ids: [first], paths: requireOneFile(others) };
  const ids = words.filter((word) => isUuid(word)).map((word) => word.toLowerCase());
  const paths = words.filter((word) => !isUuid(word));
  return ids.length === 0 ? { ids: undefined, paths } : { ids, paths: requireOneFile(paths) };
}

function requireOneFile(paths: readonly string[]): readonly string[] {
  if (paths.length <= 1) return paths;
  throw usageError(
    "with an id, update accepts only one file",
    "Leave the id out to update every course in the files by its own id or key.",
  );
}

async function updateCourses(options: Options, context: Context): Promise<void> {
  checkResultOptions(context);
  const { dryRun, paths } = options;
  const isNested = ({ path }: Assignment): boolean => path.length > 1;
  const nested = options.assignments.filter(isNested);
  const assignments = options.assignments.filter((assignment) => !isNested(assignment));
  const sources = { paths, assignments, isChanged: options.assignments.length > 0 };
  const targets =
    options.ids === undefined
      ? await targetsInFiles(sources, context)
      : await targetsWithIds(await readIds(options.ids, context), sources, context);
  if (targets.length === 0) return await new Results(context).end();
  const client = await context.client();
  await runBatch(
    {
      items: await prepareUpdates(targets, nested, client, context),
      doing: "Updating",
      describe: ({ id, course, source }) => ({
        id,
        course,
        ...(source === undefined ? {} : { source }),
        action: "update",
      }),
      run: async ({ id, changes }) => {
        if (changes instanceof CatalogError) throw changes;
        if (dryRun) return { status: "planned" };
        await client.update(id, changes);
        return undefined;
      },
      locate: async (error, { source }) =>
        error.kind === "refused" ? locateRefusal(error, source) : error,
      summary: { done: "Updated", planned: "Would update" },
    },
    context,
  );
}

/** A course id with the body of its PATCH, or why there is none. */
interface Update extends Target {
  readonly changes: PlainObject | CatalogError;
}

async function prepareUpdates(
  targets: readonly Target[],
  nested: readonly Assignment[],
  client: CatalogClient,
  context: Context,
): Promise<Update[]> {
  if (nested.length === 0) {
    return targets.map((target) => ({ ...target, changes: toUpdateBody(target.course) }));
  }
  const byId = new Map(targets.map((target) => [target.id, target]));
  const updates: Update[] = [];
  for await (const { id, course: remote } of readById([...byId.keys()], client, context)) {
    const target = byId.get(id) ?? { id, course: {} };
    const isRead = !(remote instanceof CatalogError);
    const changes = isRead ? nestedChanges(remote, target.course, nested) : remote;
    updates.push({ ...target, changes });
  }
  return updates;
}
