/** `catalog courses update`: changes only the given fields of courses. */
import { CatalogError, usageError } from "../../../base/errors.ts";
import { STANDARD_INPUT } from "../../../base/io.ts";
import { isUuid } from "../../../base/uuid.ts";
import type { PlainObject } from "../../../base/values.ts";
import type {
  CommandWords,
  Flag,
  FlagValues,
  ParsedArguments,
} from "../../../command-support/arguments.ts";
import type { Assignment } from "../../../command-support/assign.ts";
import { ASSIGNMENT_FLAGS, parseAssignments } from "../../../command-support/assignments.ts";
import { command } from "../../../command-support/command.ts";
import type { Context } from "../../../command-support/context.ts";
import { parsePaths } from "../../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../../command-support/exit-codes.ts";
import { readIds } from "../../../command-support/ids.ts";
import { noSuchCourse, readBeforeWriting } from "../../../command-support/read-courses.ts";
import { checkRecordFile, RECORD_FLAG } from "../../../command-support/recording.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../../command-support/results.ts";
import { EXTERNAL_KEY } from "../../../course/field-names.ts";
import { type Course, toUpdateBody } from "../../../course/request-body.ts";
import { runRecorded } from "../batch.ts";
import { locateFailure, locateRefusal } from "../locate-refusal.ts";
import { findTargetsById, findTargetsInFiles, mergeNested, type Target } from "./update-targets.ts";

const FLAGS = [
  ...ASSIGNMENT_FLAGS,
  { name: "dry-run", description: "read and check the course, change nothing" },
  RECORD_FLAG,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  /** UUIDs, or `-`; undefined if the files name their courses. */
  readonly ids: readonly string[] | undefined;
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
}

/** Sends a GET of the providers if they matter, then a GET and a PATCH for each course. */
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
  flags: FLAGS,
  columns: RESULT_COLUMNS,
  examples: [
    {
      description: "Rename a course",
      line: 'catalog courses update $id --name "Knitting for Beginners"',
    },
    {
      description: "Change one price, and only its amount",
      line: "catalog courses update $id --set 'prices[0].price=49.90'",
    },
    {
      description: "Change every course in a file, found by its id or key",
      line: "catalog courses update prices.csv",
    },
    { description: "Remove the video", line: "catalog courses update $id --unset video" },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: parseOptions,
  run: updateCourses,
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>): Options {
  const { ids, paths } = parseTargets(words);
  const assignments = parseAssignments(words);
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
  return { ...values, ids, paths, assignments };
}

/** The ids, and the paths among the arguments: all that are not UUIDs. */
function parseTargets(typed: Pick<CommandWords, "arguments">): Pick<Options, "ids" | "paths"> {
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
  checkRecordFile(options.record, context);
  const { dryRun, paths, record } = options;
  const isNested = ({ path }: Assignment): boolean => path.length > 1;
  const nested = options.assignments.filter(isNested);
  const assignments = options.assignments.filter((assignment) => !isNested(assignment));
  const sources = { paths, assignments, isChanged: options.assignments.length > 0 };
  const targets =
    options.ids === undefined
      ? await findTargetsInFiles(sources, context)
      : await findTargetsById(await readIds(options.ids, context), sources, context);
  if (targets.length === 0) return await new Results(context).end();
  const items = await prepareUpdates(targets, nested, context);
  const courses = items.flatMap(({ changes, remote }) =>
    remote instanceof CatalogError ? [] : [changes, remote],
  );
  const run = { file: record, courses, items };
  await runRecorded(run, context, (recording) => ({
    doing: "Updating",
    describe: ({ id, course, source, remote }) => ({
      id,
      course: remote instanceof CatalogError ? course : { ...remote, ...course },
      source,
      action: "update",
    }),
    run: async ({ remote, changes, source }) => {
      if (remote instanceof CatalogError) throw remote;
      if (dryRun) return { status: "planned" };
      await recording.update(changes, { remote, file: source?.file.name });
      return undefined;
    },
    locate: async (error, target) => {
      if (error.kind === "refused") return await locateRefusal(error, target);
      const isNamed = error.kind === "missing" && options.ids === undefined;
      return isNamed ? await locateMissing(target) : error;
    },
    summary: { done: "Updated", planned: "Would update" },
  }));
}

/** The failure for a course that does not exist, where a file names it. */
async function locateMissing(target: Update): Promise<CatalogError> {
  const { id, course } = target;
  const isKeyed = typeof course.id !== "string";
  const error = noSuchCourse(isKeyed ? `key ${JSON.stringify(course[EXTERNAL_KEY])}` : id);
  return await locateFailure(error, target, [isKeyed ? EXTERNAL_KEY : "id"]);
}

/** A course that is updated, with the body of its PATCH; empty if the course could not be read. */
interface Update extends Target {
  readonly remote: Course | CatalogError;
  readonly changes: PlainObject;
}

async function prepareUpdates(
  targets: readonly Target[],
  nested: readonly Assignment[],
  context: Context,
): Promise<Update[]> {
  const ids = [...new Set(targets.map(({ id }) => id))];
  const read = await readBeforeWriting(ids, context);
  const byId = new Map(read.map((each) => [each.id, each.course]));
  return targets.map((target) => {
    const remote = byId.get(target.id) ?? noSuchCourse(target.id);
    if (remote instanceof CatalogError) return { ...target, remote, changes: {} };
    const changes =
      nested.length === 0
        ? toUpdateBody(target.course)
        : mergeNested(remote, target.course, nested);
    return { ...target, remote, changes };
  });
}
