/** `catalog courses create`: creates courses from files, standard input or flags. */

import { usageError } from "../../base/errors.ts";
import { DRY_RUN_FLAG, type Flag, type Typed } from "../../cli/arguments.ts";
import { ASSIGNMENT_FLAGS, collectAssignments } from "../../cli/assignments.ts";
import { readCatalog } from "../../cli/catalog.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { PATH_ARGUMENT, stopAtFound, TABLE_FLAGS } from "../../cli/course-files.ts";
import { RECORD_FLAGS } from "../../cli/record.ts";
import { RESULTS } from "../../cli/results.ts";
import { runSteps } from "../../cli/run.ts";
import { drain } from "../../cli/work.ts";
import type { Outcome } from "../../core/apply.ts";
import { makePlan } from "../../core/plan.ts";
import { findSame, planNew } from "../../core/sync.ts";
import { draftCourses } from "./drafts.ts";

const FLAGS = [
  ...ASSIGNMENT_FLAGS,
  DRY_RUN_FLAG,
  ...TABLE_FLAGS,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

type Options = ReturnType<typeof parseOptions>;

/** Sends GETs of the providers and of their courses, then a POST for each course. */
export const create = command({
  description:
    "Prints the ids of the new courses, one per line, in the order of the input. If one course has an error, " +
    "nothing is sent. A course that already exists is reported and never created twice.",
  arguments: [{ ...PATH_ARGUMENT, name: "file" }],
  flags: FLAGS,
  output: RESULTS,
  examples: {
    "Create a course and print its id": "catalog courses create intro.yaml",
    "Create a copy with another url":
      "catalog courses create intro.yaml --url https://academy.example/intro-2",
    "See what would be created": "catalog courses create courses/ --dry-run",
  },
  parse: parseOptions,
  run: createCourses,
});

function parseOptions({ words: paths, ...flags }: Typed<typeof FLAGS>) {
  const assignments = collectAssignments(flags);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError(
      "missing <file>, or flags such as --name",
      "For example: catalog courses create intro.yaml",
    );
  }
  return { ...flags, paths, assignments };
}

async function createCourses(options: Options, context: Context): Promise<void> {
  const { courses } = await drain(draftCourses({ ...options, mode: "create" }, context));
  const index = await readCatalog(context);
  const steps = await Promise.all(courses.map((from) => planNew(from, index)));
  await drain(stopAtFound(findSame(steps, index), context));
  const plan = makePlan(steps, index);
  await runSteps(plan, { ...options, doing: "Creating", plain: printId }, context);
}

function printId({ step, status }: Outcome): string {
  return step.action === "create" && /^(done|unchanged)$/.test(status) ? `${step.id}\n` : "";
}
