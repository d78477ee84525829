/** `catalog courses update`: changes only the given fields of courses. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { usageError } from "../../base/errors.ts";
import { STANDARD_INPUT } from "../../base/io.ts";
import { quoteShell } from "../../base/text.ts";
import { isUuid } from "../../base/values.ts";
import { DRY_RUN_FLAG, type Flag, type Typed } from "../../cli/arguments.ts";
import { ASSIGNMENT_FLAGS, type Assignment, collectAssignments } from "../../cli/assignments.ts";
import { readCatalog } from "../../cli/catalog.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { hasCourseExtension, resolveCourses } from "../../cli/course-arguments.ts";
import { stopAtFound, TABLE_FLAGS } from "../../cli/course-files.ts";
import { RECORD_FLAGS } from "../../cli/record.ts";
import { RESULTS } from "../../cli/results.ts";
import { runSteps } from "../../cli/run.ts";
import { drain, readProviders } from "../../cli/work.ts";
import { type CourseIndex, findTakenUrls } from "../../core/identify.ts";
import { makePlan } from "../../core/plan.ts";
import { findLost } from "../../core/risks.ts";
import type { Step } from "../../core/step.ts";
import { findSame } from "../../core/sync.ts";
import { EXTERNAL_KEY } from "../../course/special-fields.ts";
import { loadBase, ON_DRIFT_FLAG, settleFiles } from "./base.ts";
import { draftCourses } from "./drafts.ts";
import { findDescribed, planUpdates } from "./plan-update.ts";

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
    "needs an id, key or url. In a file, null clears a field, and a column or field such as prices[0].price changes " +
    "only that value. To see what would change, pass --dry-run.",
  arguments: [
    {
      name: "course|file",
      required: true,
      variadic: true,
      description:
        "ids, keys or urls of courses, or course files; - reads standard input: a course file or, if you pass flags, ids, keys or urls",
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

function parseOptions(typed: Typed<typeof FLAGS>) {
  const assignments = collectAssignments(typed);
  const fixed = assignments.find(({ path: [field] }) => FIXED.some((each) => each === field));
  if (fixed !== undefined) {
    throw usageError(
      `${fixed.path[0]} cannot be changed after the course is created (${fixed.origin})`,
    );
  }
  return { ...typed, assignments };
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
  const drafts = await drain(draftCourses(sources, context));
  const given = assignments.find(({ path: [field] }) => field === "url");
  // Without records on standard input, there is nothing to do.
  const isNothing = isFromFiles && drafts.courses.length === 0;
  const named =
    isFromFiles && !isNothing
      ? { courses: [], index: await readCatalog(context) }
      : await resolveCourses(courses, context, { isListed: given !== undefined });
  const { index } = named;
  const providers = drafts.files.length > 0 ? await readProviders(context) : [];
  const loaded = await loadBase(options, drafts, providers, context);
  const base = index && loaded.at(index);
  const targets =
    isFromFiles && index !== undefined
      ? await findDescribed(drafts.courses, index, base, context)
      : drafts.courses.flatMap((from) =>
          named.courses.map((course) => ({ from, id: course.id, course })),
        );
  const planned = await planUpdates(targets, nested, context);
  const { steps, notices, refusal } = settleFiles(planned, base, options, loaded);
  if (given !== undefined && index !== undefined) requireFreeUrl(given, steps, index);
  if (isFromFiles && index !== undefined) {
    await drain(stopAtFound([...findSame(steps, index), ...findLost(steps)], context));
  }
  const shown = options.dryRun ? "values" : isFromFiles ? "lines" : undefined;
  const origin = { workbooks: loaded.workbooks };
  const plan = makePlan(steps, index, { notices, origin, refusal });
  await runSteps(plan, { ...options, doing: "Updating", shown }, context);
}

/** @throws CatalogError if a flag gives courses a url that another course has, or the same url to several */
function requireFreeUrl({ origin }: Assignment, steps: readonly Step[], index: CourseIndex): void {
  const [taken] = findTakenUrls(steps, index);
  if (taken === undefined) return;
  const { id, by } = taken;
  const reason = by ? "several courses cannot have one url" : `the course ${id} has this url`;
  throw usageError(`${origin}: ${reason}`);
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
