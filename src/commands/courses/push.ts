/** `catalog courses push`: makes the catalog match the files. docs/how-to/ explains plans and deletions. */

import { resolve } from "node:path";
import { STDIN_NAME } from "../../base/io.ts";
import { pluralize } from "../../base/text.ts";
import { addTo, isObject } from "../../base/values.ts";
import { DRY_RUN_FLAG, type Flag, REPORT_FLAG, type Typed } from "../../cli/arguments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { PATH_ARGUMENT } from "../../cli/course-files.ts";
import { RECORD_FLAGS } from "../../cli/record.ts";
import { RESULTS } from "../../cli/results.ts";
import { runSteps } from "../../cli/run.ts";
import type { Stages } from "../../cli/work.ts";
import { editStep, writeFiles } from "../../cli/write-files.ts";
import type { Outcome } from "../../core/apply.ts";
import { FileCourse } from "../../core/located.ts";
import { writtenValue } from "../../files/course-file.ts";
import type { Replacement } from "../../files/edit.ts";
import {
  OUT_FLAG,
  PLAN_FLAG,
  PLAN_FLAGS,
  planFiles,
  readPlan,
  requirePaths,
  savePlan,
} from "./plan-push.ts";

const FLAGS = [
  DRY_RUN_FLAG,
  {
    name: "prune",
    description:
      "delete courses that are in none of the files (only for providers named in the files)",
  },
  ...PLAN_FLAGS,
  { name: "yes", short: "y", description: "do not ask before deleting courses" },
  { name: "write-ids", description: "add missing ids to the files" },
  { ...OUT_FLAG, needs: "dry-run" },
  {
    ...PLAN_FLAG,
    excludes: [...PLAN_FLAG.excludes, "write-ids"],
    description: "apply a plan written by diff --out; reads no files",
  },
  REPORT_FLAG,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

/** Sends GETs of the providers and courses, then POST, PATCH and, with `--prune`, DELETE. */
export const push = command({
  description:
    "Creates new courses and updates changed courses. Fields that are missing from a file stay as they are, " +
    "and without --prune, push deletes nothing. If one file has an error, nothing is sent. If a push ends " +
    "halfway, push again: it sends only what is left, and creates no course twice.",
  arguments: [PATH_ARGUMENT],
  flags: FLAGS,
  output: RESULTS,
  examples: {
    "Show what would change": "catalog courses push --dry-run courses/",
    "Push a folder": "catalog courses push courses/",
    "In a CI job: also delete the courses that no file has":
      "catalog courses push --prune --yes courses/",
    "Apply a reviewed plan": "catalog courses push --plan plan.ndjson",
  },
  parse: requirePaths,
  run: pushCourses,
});

async function* pushCourses(options: Typed<typeof FLAGS>, context: Context): Stages<undefined> {
  const plan = yield* options.plan === undefined
    ? planFiles(options, context)
    : readPlan(options.plan, true, context);
  yield { plan };
  const shown = options.plan !== undefined && options.dryRun ? "values" : "lines";
  const outcomes = await runSteps(plan, { ...options, doing: "Pushing", shown }, context);
  yield { outcomes };
  if (options.out !== undefined) yield { planText: await savePlan(options.out, plan, context) };
  if (options.writeIds && !options.dryRun) await writeIds(outcomes, context);
}

/** Adds the ids of courses that the catalog has to those that have none in their files, and reports failures. */
async function writeIds(outcomes: readonly Outcome[], context: Context): Promise<void> {
  const { folder, messages } = context;
  const byFile = new Map<string, Replacement[]>();
  for (const { step, status } of outcomes) {
    const { id, from } = step;
    if (!(from instanceof FileCourse) || (status !== "done" && status !== "unchanged")) continue;
    const written = writtenValue(from.source);
    if (!isObject(written) || (written.id ?? "") !== "") continue;
    const { index } = from.source;
    addTo(byFile, from.file, { index, old: written, wanted: { ...written, id } });
  }
  if (byFile.delete(STDIN_NAME)) {
    await messages.warn("--write-ids cannot change standard input; pass a file instead");
  }
  const steps = [...byFile].map(([name, replacements]) =>
    editStep({ name, path: resolve(folder, name), courses: [] }, replacements),
  );
  const written = await writeFiles(steps, "Writing ids", false, context);
  const done = written.filter(({ status }) => status === "done");
  const amount = done.flatMap(({ step: { name } }) => byFile.get(name) ?? []).length;
  if (amount > 0) await messages.info(`Added ${pluralize(amount, "id")} to the files.`);
}
