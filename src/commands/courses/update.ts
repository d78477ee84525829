/** `catalog courses update`: changes only the given fields of courses. */
import { usageError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import { quoteShell } from "../../base/text.ts";
import { DRY_RUN_FLAG, type Flag, type ParsedArguments } from "../../command-support/arguments.ts";
import {
  ASSIGNMENT_FLAGS,
  type Assignment,
  collectAssignments,
} from "../../command-support/assignments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { parsePaths, TABLE_FLAGS } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { requireSeparate } from "../../command-support/located.ts";
import { checkRunFlags, RECORD_FLAGS } from "../../command-support/record-flag.ts";
import { describeOutcomes, RESULTS, Results } from "../../command-support/results.ts";
import { runSteps, type StepRun } from "../../command-support/run-steps.ts";
import { EXTERNAL_KEY } from "../../course/field-names.ts";
import { planUpdates } from "./plan-updates.ts";
import {
  findTargetsByArgument,
  findTargetsInFiles,
  peekInput,
  splitWords,
} from "./update-targets.ts";

const FLAGS = [
  ...ASSIGNMENT_FLAGS,
  DRY_RUN_FLAG,
  {
    name: "yes",
    short: "y",
    description: "do not ask about many courses, or courses given by name",
  },
  ...TABLE_FLAGS,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

type Options = ReturnType<typeof parseOptions>;

/** Sends a GET of the providers if the url or the provider changes, then a GET and a PATCH for each course. */
export const update = command({
  description:
    "Changes only the fields that you give, as flags or in a file. In a file, null clears a field. In a table, " +
    "a column such as prices[0].price changes only that value. Without a course, update changes every course " +
    "in the files; each needs an id or key there. To see what would change, pass --dry-run.",
  arguments: [
    {
      name: "course",
      description:
        "the course's id, url, key or name; - reads courses, or a file, from standard input",
    },
    {
      name: "file",
      variadic: true,
      completes: "course-file",
      description: "course files with the fields that change; - reads standard input",
    },
  ],
  flags: FLAGS,
  output: RESULTS,
  examples: [
    {
      description: "Rename a course",
      line: 'catalog courses update K-1042 --name "Knitting for Beginners"',
    },
    {
      description: "Change only the amount of a price",
      line: "catalog courses update $id --set 'prices[0].price=49.90'",
    },
    {
      description: "Change every course in a table, found by its id or key",
      line: "catalog courses update prices.csv",
    },
    {
      description: "Change courses with values that a program such as jq writes",
      line: `catalog courses ls -o ndjson | jq -c '{id, level: ["beginner"]}' | catalog courses update -`,
    },
    { description: "Clear the video", line: "catalog courses update $id --unset video" },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: parseOptions,
  run: updateCourses,
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>) {
  const assignments = collectAssignments(values);
  if (words.arguments.length === 0) {
    throw usageError("missing <course> or <file>", "For example: catalog courses update new.csv");
  }
  const assignedKey = assignments.find(({ path }) => path[0] === EXTERNAL_KEY);
  if (assignedKey !== undefined) {
    throw usageError(
      `${assignedKey.origin}: key is never sent, because only course files have it`,
      "Write the key into the course file.",
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
      ? await peekInput(options.encoding, given)
      : { context: given, hasFields: false };
  const { yes, dryRun } = options;
  const isNested = ({ path }: Assignment): boolean => path.length > 1;
  const nested = options.assignments.filter(isNested);
  const assignments = options.assignments.filter((assignment) => !isNested(assignment));
  const { courses, paths } = splitWords(options.words, hasFields, context);
  if (paths.length === 0 && options.assignments.length === 0) {
    const advice = `For example: catalog courses update ${quoteShell(courses[0] ?? "-")} --name "Knitting"`;
    throw usageError("nothing to change: pass a file, or flags such as --name or --set", advice);
  }
  const { sheet, encoding } = options;
  const isChanged = options.assignments.length > 0;
  const sources = { paths, assignments, isChanged, sheet, encoding };
  const forChange = dryRun ? undefined : { verb: "Update", yes };
  const targets =
    courses.length === 0
      ? await findTargetsInFiles(sources, context)
      : await findTargetsByArgument(courses, sources, forChange, context);
  if (targets.length === 0) return await new Results(context).end();
  const steps = await planUpdates(targets, nested, context);
  const isFromFiles = courses.length === 0;
  if (isFromFiles) await requireSeparate(steps, context);
  const isDone = steps.every(({ action }) => action === "unchanged");
  const run: StepRun = {
    ...{ steps, doing: "Updating" },
    questions: { updates: true, isInputData: options.words.includes(STANDARD_INPUT) },
    shown: { as: dryRun ? "values" : "lines", always: isFromFiles },
    // If nothing changes, the plan already says so. Programs always get the counts.
    summarize: (counts) =>
      isFromFiles && isDone && !context.options.json
        ? []
        : [describeOutcomes(counts, { planned: "Would update" })],
  };
  await runSteps(run, options, context);
}
