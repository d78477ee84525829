/** `catalog courses create`: creates courses from files, standard input or flags. */
import { CatalogError, usageError } from "../../base/errors.ts";
import type { Flag, FlagValues, ParsedArguments } from "../../command-support/arguments.ts";
import type { Assignment } from "../../command-support/assign.ts";
import { ASSIGNMENT_FLAGS, parseAssignments } from "../../command-support/assignments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { checkRecordFile, RECORD_FLAG, type Recording } from "../../command-support/recording.ts";
import { checkResultOptions, RESULT_COLUMNS, type Result } from "../../command-support/results.ts";
import { readProviders, showWork } from "../../command-support/work.ts";
import { EXTERNAL_KEY } from "../../course/field-names.ts";
import { possibleProviders } from "../../course/ownership.ts";
import type { Provider } from "../../course/provider.ts";
import { type Course, derivedId, toCreateBody } from "../../course/request-body.ts";
import type { CourseIndex } from "../../sync/identify.ts";
import { runRecorded } from "./batch.ts";
import { type Draft, loadDrafts, resolveDrafts } from "./drafts.ts";
import { locateFailure, locateRefusal } from "./locate-refusal.ts";
import { findCourses } from "./read-courses.ts";

const FLAGS = [
  ...ASSIGNMENT_FLAGS,
  { name: "dry-run", description: "read and check the courses, create nothing" },
  { name: "skip-existing", description: "do not fail if a course exists; leave it unchanged" },
  RECORD_FLAG,
] as const satisfies readonly Flag[];

interface Options extends FlagValues<typeof FLAGS> {
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
}

interface Creation {
  readonly draft: Draft;
  readonly body: Course;
  /** The course that is there already, and the field by which it was found. */
  readonly existing?: { readonly id: string; readonly field: "id" | "key" | "url" };
}

/** Sends GETs of the providers and of courses that may exist, then a POST for each course. */
export const create = command({
  description:
    "Prints the new ids, one per line, in the order of the input. Nothing is sent until every course passes the checks.",
  arguments: [
    {
      name: "file",
      variadic: true,
      completes: "course-file",
      description: "course files or folders; - reads standard input",
    },
  ],
  flags: FLAGS,
  columns: RESULT_COLUMNS,
  examples: [
    {
      description: "Create a course and store its id",
      line: "id=$(catalog courses create intro.yaml)",
    },
    {
      description: "Create a copy with another URL",
      line: "catalog courses create intro.yaml --url https://academy.example/intro-2",
    },
    {
      description: "Create the courses that do not exist yet",
      line: "catalog courses create courses/ --skip-existing",
    },
    {
      description: "Show what would be created",
      line: "catalog courses create courses/ --dry-run",
    },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseOptions,
  run: createCourses,
});

function parseOptions({ values, ...words }: ParsedArguments<typeof FLAGS>): Options {
  const assignments = parseAssignments(words);
  const paths = parsePaths(words);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError(
      "nothing to create",
      "Pass a course file, - for standard input, or flags such as --name.",
    );
  }
  return { ...values, paths, assignments };
}

async function createCourses(options: Options, context: Context): Promise<void> {
  checkResultOptions(context);
  checkRecordFile(options.record, context);
  const { assignments, record: file } = options;
  const drafts = await loadDrafts(options, "create", context);
  const providers = await readProviders(context);
  const resolved = await resolveDrafts(drafts, assignments, providers, context);
  const items = await prepareCreations(resolved, providers, context);
  const courses = items.map(({ body }) => body);
  const run = { file, courses, items };
  await runRecorded(run, context, (recording) => ({
    doing: "Creating",
    describe: ({ body, existing, draft }) => ({
      id: existing?.id ?? body.id,
      course: body,
      source: draft.source,
      action: "create",
    }),
    run: async (creation) => {
      if (creation.existing !== undefined) return skipExisting(creation.existing, options);
      if (options.dryRun) return { status: "planned" };
      return { id: await createOne(creation, recording) };
    },
    locate: (error, { draft, existing }) =>
      existing === undefined
        ? locateRefusal(error, draft)
        : locateFailure(error, draft, [existing.field]),
    plain: ({ id, action, status }) => (action === "create" && status === "done" ? `${id}\n` : ""),
    summary: { done: "Created", planned: "Would create" },
  }));
}

/** The creations, with the courses that exist already. */
async function prepareCreations(
  drafts: readonly Draft[],
  providers: readonly Provider[],
  context: Context,
): Promise<Creation[]> {
  const creations = drafts.map((draft) => {
    const { course } = draft;
    const id = typeof course.id === "string" ? course.id : derivedId(course);
    return { draft, body: { ...toCreateBody(course), id: id.toLowerCase() } };
  });
  const isNamed = ({ draft }: Creation): boolean => typeof draft.course.id === "string";
  const bodies = creations.map(({ body }) => body);
  const named = new Set(creations.filter(isNamed).map(({ body }) => body.id));
  const providersOf = (course: Course): string[] => possibleProviders(course, providers);
  const index = await showWork("Looking for existing courses", context, () =>
    findCourses(bodies, context, { named, providersOf }),
  );
  return creations.map((creation) => {
    const existing = findExisting(creation, index);
    return existing === undefined ? creation : { ...creation, existing };
  });
}

function findExisting({ draft, body }: Creation, index: CourseIndex): Creation["existing"] {
  const { course } = draft;
  const same = index.find(body.id);
  if (same !== undefined) {
    if (typeof course.id === "string") return { id: same.id, field: "id" };
    return { id: same.id, field: typeof course[EXTERNAL_KEY] === "string" ? "key" : "url" };
  }
  const [first] = index.findByUrl(String(body.url));
  return first === undefined ? undefined : { id: first.id, field: "url" };
}

/** @throws CatalogError of kind `refused` unless existing courses are skipped */
function skipExisting(
  { id, field }: NonNullable<Creation["existing"]>,
  options: Pick<Options, "skipExisting">,
): Partial<Result> {
  if (options.skipExisting) return { action: "unchanged" };
  const message = `a course with this ${field} exists: ${id}; use push to update it`;
  throw new CatalogError("refused", message, { rule: "course-exists" });
}

/** @returns the id of the course, which a service may choose itself */
async function createOne({ body, draft }: Creation, recording: Recording): Promise<string> {
  const creation = await recording.create(body, draft.source?.file.name);
  if (creation.outcome === "created") return creation.id;
  // There was none before: a proxy repeated the request.
  if (creation.isSame) return body.id;
  throw creation.refusal.with({
    advice: `A course with the id ${body.id} already exists. To change it: catalog courses update ${body.id}`,
  });
}
