/** `catalog courses update`: changes only the given fields of courses. */
import { CatalogError, usageError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import type { Flag, FlagValues, ParsedArguments } from "../../command-support/arguments.ts";
import {
  ASSIGNMENT_FLAGS,
  type Assignment,
  collectAssignments,
} from "../../command-support/assignments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { locateError, requireSeparate } from "../../command-support/located.ts";
import { noSuchCourse } from "../../command-support/read-courses.ts";
import { checkRunFlags, RECORD_FLAGS } from "../../command-support/record-flag.ts";
import { describeOutcomes, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { runSteps, type StepRun } from "../../command-support/run-steps.ts";
import { EXTERNAL_KEY } from "../../course/field-names.ts";
import { planChange, refuseStep, type Step } from "../../sync/step.ts";
import { withValue } from "./drafts.ts";
import {
  findTargetsByArgument,
  findTargetsInFiles,
  mergeNested,
  peekInput,
  splitWords,
  type UpdateTarget,
} from "./update-targets.ts";

const FLAGS = [
  ...ASSIGNMENT_FLAGS,
  { name: "dry-run", description: "read and check the course, change nothing" },
  { name: "yes", short: "y", description: "do not ask before updating many courses" },
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  /** Courses and files, as typed. */
  readonly words: readonly string[];
  readonly assignments: readonly Assignment[];
}

/** Sends a GET of the providers if they matter, then a GET and a PATCH for each course. */
export const update = command({
  description:
    "Fields not given in a file or as a flag stay unchanged. In a file, null clears a field. Without " +
    "an id, every course in the files is updated; each needs its id or key.",
  arguments: [
    {
      name: "course",
      required: true,
      completes: "course",
      description:
        "the course's id, url, key or name, or a course file; - reads either from standard input",
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
    {
      description: "Change the courses that a program writes, such as jq",
      line: `catalog courses ls -o ndjson | jq -c '{id, level: ["beginner"]}' | catalog courses update -`,
    },
    { description: "Remove the video", line: "catalog courses update $id --unset video" },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: parseOptions,
  run: updateCourses,
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>): Options {
  const assignments = collectAssignments(values);
  const assignedKey = assignments.find(({ path }) => path[0] === EXTERNAL_KEY);
  if (assignedKey !== undefined) {
    throw usageError(
      `${assignedKey.origin}: a key is never sent`,
      "Write it into the course file.",
    );
  }
  const assignedId = assignments.find(({ path }) => path[0] === "id");
  if (assignedId !== undefined) throw usageError(`${assignedId.origin}: an id cannot be changed`);
  return { ...values, words: parsePaths(words), assignments };
}

async function updateCourses(options: Options, given: Context): Promise<void> {
  checkRunFlags(options, given);
  const { context, hasFields } =
    options.words[0] === STANDARD_INPUT
      ? await peekInput(given)
      : { context: given, hasFields: false };
  const { yes, dryRun } = options;
  const isNested = ({ path }: Assignment): boolean => path.length > 1;
  const nested = options.assignments.filter(isNested);
  const assignments = options.assignments.filter((assignment) => !isNested(assignment));
  const { courses, paths } = splitWords(options.words, hasFields, context);
  if (paths.length === 0 && options.assignments.length === 0) {
    const advice = "Pass a file, or flags such as --name or --set; - reads courses or their names.";
    throw usageError("nothing to change", advice);
  }
  const sources = { paths, assignments, isChanged: options.assignments.length > 0 };
  const forChange = dryRun ? undefined : { verb: "Update", yes };
  const targets =
    courses.length === 0
      ? await findTargetsInFiles(sources, context)
      : await findTargetsByArgument(courses, sources, forChange, context);
  if (targets.length === 0) return await new Results(context).end();
  const steps = await Promise.all(targets.map((target) => planUpdate(target, nested)));
  if (courses.length === 0) await requireSeparate(steps, context);
  const run: StepRun = {
    ...{ steps, doing: "Updating" },
    questions: { updates: true, isInputData: options.words.includes(STANDARD_INPUT) },
    shown: { as: "values", always: false },
    summarize: (counts) => [describeOutcomes(counts, { done: "Updated", planned: "Would update" })],
  };
  await runSteps(run, options, context);
}

async function planUpdate(target: UpdateTarget, nested: readonly Assignment[]): Promise<Step> {
  const { from, course: remote } = target;
  if (remote instanceof CatalogError) return await refuse(target, remote);
  const value = nested.length === 0 ? from.value : mergeNested(remote, from.value, nested);
  return planChange(withValue(from, value), remote, { partial: true });
}

/** The step of a course that cannot be read; one that does not exist, where a file names it. */
async function refuse({ id, from }: UpdateTarget, error: CatalogError): Promise<Step> {
  const { [EXTERNAL_KEY]: key, id: named } = from.value;
  if (error.kind !== "missing") return refuseStep({ id, from }, "update", error);
  const isKeyed = typeof named !== "string" && key !== undefined;
  const missing = isKeyed ? noSuchCourse(`key ${JSON.stringify(key)}`) : error;
  const located = await locateError(missing, from, [isKeyed ? EXTERNAL_KEY : "id"]);
  return refuseStep({ id, from }, "update", located);
}
