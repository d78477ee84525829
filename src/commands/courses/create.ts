/** `catalog courses create`: creates courses from files, standard input or flags. */
import { CatalogError, usageError } from "../../base/errors.ts";
import { DRY_RUN_FLAG, type Flag, type ParsedArguments } from "../../command-support/arguments.ts";
import { ASSIGNMENT_FLAGS, collectAssignments } from "../../command-support/assignments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { PATH_ARGUMENT, parsePaths, TABLE_FLAGS } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { locateError, requireSeparate } from "../../command-support/located.ts";
import { searchCourses } from "../../command-support/read-courses.ts";
import { checkRunFlags, RECORD_FLAGS } from "../../command-support/record-flag.ts";
import { describeOutcomes, RESULTS } from "../../command-support/results.ts";
import { runSteps, type StepRun } from "../../command-support/run-steps.ts";
import { readProviders, showWork } from "../../command-support/work.ts";
import { EXTERNAL_KEY } from "../../course/field-names.ts";
import type { Provider } from "../../course/provider.ts";
import { possibleProviders } from "../../course/provider-ownership.ts";
import { type Course, toCreateBody } from "../../course/request-body.ts";
import { type CourseIndex, chooseId } from "../../sync/course-index.ts";
import { type Located, refuseStep, type Step, type StepTo } from "../../sync/step.ts";
import { loadDrafts, resolveDrafts } from "./drafts.ts";

const FLAGS = [
  ...ASSIGNMENT_FLAGS,
  DRY_RUN_FLAG,
  ...TABLE_FLAGS,
  ...RECORD_FLAGS,
] as const satisfies readonly Flag[];

type Options = ReturnType<typeof parseOptions>;

/** Sends GETs of the providers and of courses that may exist, then a POST for each course. */
export const create = command({
  description:
    "Prints the ids of the new courses, one per line, in the order of the input. If one course has an error, " +
    "nothing is sent. A course that already exists is reported and never created twice.",
  arguments: [{ ...PATH_ARGUMENT, name: "file" }],
  flags: FLAGS,
  output: RESULTS,
  examples: [
    { description: "Create a course and print its id", line: "catalog courses create intro.yaml" },
    {
      description: "Create a copy with another url",
      line: "catalog courses create intro.yaml --url https://academy.example/intro-2",
    },
    { description: "See what would be created", line: "catalog courses create courses/ --dry-run" },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseOptions,
  run: createCourses,
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>) {
  const assignments = collectAssignments(values);
  const paths = parsePaths(words);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError(
      "missing <file>, or flags such as --name",
      "For example: catalog courses create intro.yaml",
    );
  }
  return { ...values, paths, assignments };
}

async function createCourses(options: Options, context: Context): Promise<void> {
  checkRunFlags(options, context);
  const { assignments } = options;
  const drafts = await loadDrafts(options, "create", context);
  const providers = await readProviders(context);
  const resolved = await resolveDrafts(drafts, assignments, providers, context);
  const creations = resolved.map(planCreation);
  await requireSeparate(creations, context);
  const index = await findExistingCourses(creations, providers, context);
  const steps: Step[] = [];
  for (const step of creations) steps.push(await refuseExisting(step, index));
  const run: StepRun = {
    ...{ steps, doing: "Creating", questions: {}, shown: { as: "lines", always: false } },
    plain: ({ id, action, status }) => {
      const exists = status === "done" || status === "unchanged";
      return action === "create" && exists ? `${id}\n` : "";
    },
    summarize: (counts) => [
      describeOutcomes(counts, { planned: "Would create", unchanged: "already existed" }),
    ],
  };
  await runSteps(run, options, context);
}

function planCreation(from: Located): StepTo<"create"> {
  const id = chooseId(from.value);
  return { action: "create", id, from, body: { ...toCreateBody(from.value), id } };
}

/** The courses in the catalog that may be the same as the new courses. */
async function findExistingCourses(
  creations: readonly StepTo<"create">[],
  providers: readonly Provider[],
  context: Context,
): Promise<CourseIndex> {
  const named = creations.filter(({ from }) => typeof from?.value.id === "string");
  const providersOf = (course: Course): string[] => possibleProviders(course, providers);
  const options = { named: new Set(named.map(({ id }) => id)), providersOf };
  const bodies = creations.map(({ body }) => body);
  return await showWork("Looking for existing courses", context, () =>
    searchCourses(bodies, context, options),
  );
}

/** The step as it is, or a refused step if the course already exists. */
async function refuseExisting(step: StepTo<"create">, index: CourseIndex): Promise<Step> {
  const { id, from, body } = step;
  const same = index.find(id);
  const remote = same ?? index.findByUrl(String(body.url))[0];
  if (remote === undefined) return step;
  const known = { id: remote.id.toLowerCase(), from, remote };
  const value = from?.value ?? {};
  const own = ["id", EXTERNAL_KEY].find((name) => typeof value[name] === "string") ?? "url";
  const field = same === undefined ? "url" : own;
  const message = `a course with this ${field} exists: ${remote.id}; use push to update it`;
  const error = new CatalogError("refused", message, { rule: "course-exists" });
  return refuseStep(known, "create", await locateError(error, from, [field]));
}
