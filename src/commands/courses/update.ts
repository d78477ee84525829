/** `catalog courses update`: changes only the given fields of courses. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import { quoteShell, truncate } from "../../base/text.ts";
import { isUuid } from "../../base/values.ts";
import { DRY_RUN_FLAG, type Flag, type ParsedArguments, parseWords } from "../../cli/arguments.ts";
import { ASSIGNMENT_FLAGS, collectAssignments } from "../../cli/assignments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { hasCourseExtension, resolveCourses } from "../../cli/course-arguments.ts";
import { stopAtFound, TABLE_FLAGS } from "../../cli/course-files.ts";
import { RECORD_FLAGS } from "../../cli/record.ts";
import { type Report, runSteps } from "../../cli/run.ts";
import { RESULTS } from "../../cli/show.ts";
import { readCatalog } from "../../cli/work.ts";
import type { Assignment } from "../../core/assign.ts";
import { settleDrift } from "../../core/base.ts";
import { findSame } from "../../core/plan.ts";
import { addRisks, findLost, findMany } from "../../core/risks.ts";
import type { Course } from "../../course/request-body.ts";
import { EXTERNAL_KEY } from "../../course/special-fields.ts";
import { loadBase, ON_DRIFT_FLAG } from "./base.ts";
import { loadDrafts, resolveDrafts } from "./drafts.ts";
import { findDescribed, planUpdates } from "./plan-updates.ts";

const FLAGS = [
  ...ASSIGNMENT_FLAGS,
  DRY_RUN_FLAG,
  ON_DRIFT_FLAG,
  ...TABLE_FLAGS,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

type Options = ReturnType<typeof parseOptions>;

/** Reads the providers and the courses, then sends a PATCH for each course. */
export const update = command({
  description:
    "Changes only the fields that you give: as flags for the courses that you name, or in files, where each course " +
    "needs an id, key or url. In a file, null clears a field. In a table, a column such as prices[0].price changes " +
    "only that value. To see what would change, pass --dry-run.",
  arguments: [
    {
      name: "course|file",
      required: true,
      variadic: true,
      description:
        "the ids, keys or urls of courses, or files; - reads courses from standard input, or without flags a file",
    },
  ],
  flags: FLAGS,
  output: RESULTS,
  examples: {
    "Rename a course": 'catalog courses update K-1042 --name "Knitting for Beginners"',
    "Change only the amount of a price": "catalog courses update $id --set 'prices[0].price=49.90'",
    "Change every course in a table, found by its id, key or url":
      "catalog courses update prices.csv",
    "Change courses with values that a program such as jq writes": `catalog courses ls --all -o ndjson | jq -c '{id, level: ["beginner"]}' | catalog courses update -`,
    "Clear the video": "catalog courses update $id --unset video",
  },
  parse: parseOptions,
  run: updateCourses,
});

/** The fields that identify a course, which an update cannot change. */
const FIXED = ["id", EXTERNAL_KEY, "slug"];

function parseOptions({ values, arguments: words }: ParsedArguments<typeof FLAGS>) {
  const assignments = collectAssignments(values);
  const fixed = assignments.find(({ path: [field] }) => FIXED.some((each) => each === field));
  if (fixed !== undefined) {
    throw usageError(
      `${fixed.path[0]} cannot be changed after the course is created (${fixed.origin})`,
    );
  }
  return { ...values, words: parseWords(words), assignments };
}

async function updateCourses(options: Options, context: Context): Promise<void> {
  const isNested = ({ path }: Assignment): boolean => path.length > 1;
  const nested = options.assignments.filter(isNested);
  const assignments = options.assignments.filter((assignment) => !isNested(assignment));
  const hasFlags = options.assignments.length > 0;
  const { courses, paths } = splitWords(options.words, hasFlags, context);
  const isFromFiles = paths.length > 0;
  if (!isFromFiles && !hasFlags) {
    const advice = `For example: catalog courses update ${quoteShell(courses[0] ?? "-")} --name "Knitting"`;
    throw usageError("nothing to change: pass a file, or flags such as --name or --set", advice);
  }
  const sources = { ...options, paths, assignments, mode: "patch" } as const;
  const report: Report = {};
  const drafts = await loadDrafts(sources, context, report);
  const named = isFromFiles ? [] : await resolveCourses(courses, context);
  await requireFreeUrl(named, assignments, context);
  const resolved = await resolveDrafts(drafts, sources, context);
  const targets = isFromFiles
    ? await findDescribed(resolved, context)
    : resolved.flatMap((from) => named.map((course) => ({ from, course })));
  const planned = await planUpdates(targets, nested, context);
  const base = isFromFiles ? await loadBase(options, report, [], context) : undefined;
  const settled = settleDrift(planned, base, options.onDrift ?? "stop");
  const steps = addRisks(settled.steps);
  if (isFromFiles) await stopAtFound([...findSame(steps), ...findLost(steps)], context);
  const shown = options.dryRun ? "values" : isFromFiles ? "lines" : undefined;
  const run = { ...report, ...settled, steps, many: findMany(steps, steps.length) };
  await runSteps(run, { ...options, doing: "Updating", shown }, context);
}

/** @throws CatalogError if a flag gives courses a url that another course has, or the same url to several */
async function requireFreeUrl(
  [course, ...others]: readonly Course[],
  assignments: readonly Assignment[],
  context: Context,
): Promise<void> {
  const given = assignments.find(({ path: [field] }) => field === "url");
  if (given === undefined || course === undefined) return;
  if (others.length > 0) throw usageError(`${given.origin}: several courses cannot have one url`);
  const { index } = await readCatalog(context);
  const same = index.findByUrl(given.value).find(({ id }) => id !== course.id);
  if (same === undefined) return;
  throw usageError(`${given.origin}: a course with this url exists: ${truncate(same.id)}`);
}

/** The courses and the files among words. @param hasFlags whether flags give the new values, so that `-` is a list of courses */
function splitWords(words: readonly string[], hasFlags: boolean, { folder }: Context) {
  const isFile = (word: string): boolean => {
    if (word === STANDARD_INPUT) return !hasFlags;
    return hasCourseExtension(word) || (!isUuid(word) && existsSync(resolve(folder, word)));
  };
  const paths = words.filter(isFile);
  const courses = words.filter((word) => !isFile(word));
  if (courses.length === 0 || paths.length === 0) return { courses, paths };
  throw usageError(
    "files and courses cannot be combined",
    "A file names its courses itself. To change other courses, run update again.",
  );
}
