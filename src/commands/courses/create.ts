/** `catalog courses create`: creates courses from files, standard input or flags. */

import { CatalogError, usageError } from "../../base/errors.ts";
import { DRY_RUN_FLAG, type Flag, type ParsedArguments, parseWords } from "../../cli/arguments.ts";
import { ASSIGNMENT_FLAGS, collectAssignments } from "../../cli/assignments.ts";
import { command } from "../../cli/command.ts";
import type { Context } from "../../cli/context.ts";
import { PATH_ARGUMENT, stopAtFound, TABLE_FLAGS } from "../../cli/course-files.ts";
import { RECORD_FLAGS } from "../../cli/record.ts";
import { runSteps } from "../../cli/run.ts";
import { RESULTS } from "../../cli/show.ts";
import { readCatalog } from "../../cli/work.ts";
import type { Outcome } from "../../core/apply.ts";
import { type CourseIndex, chooseId } from "../../core/identify.ts";
import { locateError } from "../../core/located.ts";
import { findSame } from "../../core/plan.ts";
import { refuseReading } from "../../core/risks.ts";
import { planCreation, refuseStep, type Step } from "../../core/step.ts";
import type { Located } from "../../course/problem.ts";
import { toCreateBody } from "../../course/request-body.ts";
import { EXTERNAL_KEY } from "../../course/special-fields.ts";
import { loadDrafts, resolveDrafts } from "./drafts.ts";

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

function parseOptions({ values, arguments: words }: ParsedArguments<typeof FLAGS>) {
  const assignments = collectAssignments(values);
  const paths = parseWords(words);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError(
      "missing <file>, or flags such as --name",
      "For example: catalog courses create intro.yaml",
    );
  }
  return { ...values, paths, assignments };
}

async function createCourses(options: Options, context: Context): Promise<void> {
  const sources = { ...options, mode: "create" } as const;
  const drafts = await resolveDrafts(await loadDrafts(sources, context), sources, context);
  const { index, isUnreliable } = await readCatalog(context);
  const steps = await Promise.all(drafts.map((from) => planStep(from, index)));
  await stopAtFound(findSame(steps), context);
  const report = { steps, refusal: refuseReading(steps, isUnreliable) };
  await runSteps(report, { ...options, doing: "Creating", plain: printId }, context);
}

function printId({ step, status }: Outcome): string {
  return step.action === "create" && /^(done|unchanged)$/.test(status) ? `${step.id}\n` : "";
}

/** The step that creates a course; refused if the course exists. */
async function planStep(from: Located, index: CourseIndex): Promise<Step> {
  const { value } = from;
  const id = chooseId(value);
  const step = planCreation(from, toCreateBody(value, id));
  const match = index.identify(value);
  const candidates = "candidates" in match ? match.candidates : [];
  const existing = "found" in match ? match.found : "other" in match ? match.other : candidates[0];
  if (existing === undefined) return step;
  const own = ["id", EXTERNAL_KEY].find((name) => typeof value[name] === "string") ?? "url";
  const field = existing.id.toLowerCase() === id ? own : "url";
  const message = `a course with this ${field} exists: ${existing.id}; use push to update it`;
  const error = new CatalogError("rejected", message, { rule: "course-exists" });
  const known = { ...step, id: existing.id.toLowerCase() };
  return refuseStep(known, "create", await locateError(error, from, [field]));
}
