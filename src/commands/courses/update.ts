/** `catalog courses update`: changes only the given fields of a course (cli.md section 8). */
import type { CatalogClient } from "../../api/client.ts";
import { inOrder } from "../../base/concurrent.ts";
import { asCatalogError, CatalogError, usageError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import { formatPath, type PlainObject } from "../../base/values.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import {
  ASSIGNMENT_FLAGS,
  type Assignment,
  assign,
  parseAssignments,
} from "../../command-support/assignments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { readIds, STANDARD_INPUT } from "../../command-support/ids.ts";
import { concurrencyOf } from "../../command-support/limits.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { isSet, uuid } from "../../command-support/values.ts";
import { checkCourse } from "../../course/check.ts";
import { PROVIDER_KEY } from "../../course/fields.ts";
import type { Problem } from "../../course/problem.ts";
import { toChange } from "../../course/wire.ts";
import { checkDrafts, type Draft, flagFault, readDrafts, resolveDrafts } from "./drafts.ts";
import { type EachNeeds, each } from "./each.ts";
import { noSuchCourse } from "./get.ts";
import { placeRefusal } from "./locate-refusal.ts";

interface Request {
  /** A UUID, or `-`. */
  readonly id: string;
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
  readonly dryRun: boolean;
}

type Needs = EachNeeds & Pick<Context, "client" | "folder">;

/** GET providers when `url` or the provider changes, then PATCH. */
export const update = command({
  description:
    "Fields that neither the file nor a flag names stay as they are. In a file, null clears a field.",
  arguments: [
    {
      name: "id",
      required: true,
      completes: "course",
      description: "the course's id; - reads ids from standard input",
    },
    {
      name: "file",
      completes: "course-file",
      description: "a course file, which may be partial; - reads standard input",
    },
  ],
  flags: [...ASSIGNMENT_FLAGS, { name: "dry-run", description: "read and check, change nothing" }],
  columns: RESULT_COLUMNS,
  examples: [
    { says: "Rename a course", line: 'catalog courses update $id --name "Knitting for Beginners"' },
    {
      says: "Change one price's currency",
      line: "catalog courses update $id --set 'prices[0].currency=EUR'",
    },
    { says: "Take the video away", line: "catalog courses update $id --unset video" },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: parseRequest,
  run: updateCourse,
});

function parseRequest(words: ParsedArguments): Request {
  const [first = "", ...paths] = words.arguments;
  const id = first === STANDARD_INPUT ? first : uuid(first, "the course id");
  if (first === STANDARD_INPUT && paths.includes(STANDARD_INPUT)) {
    throw usageError("- stands for standard input, which can be read once");
  }
  const assignments = parseAssignments(words);
  const ofId = assignments.find(({ path }) => path[0] === "id");
  if (ofId !== undefined) throw usageError(`${ofId.origin}: an id cannot be changed`);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError(
      "there is nothing to change",
      "Name a file, or give flags such as --name or --set.",
    );
  }
  return { id, paths, assignments, dryRun: isSet(words, "dry-run") };
}

async function updateCourse(request: Request, context: Needs): Promise<void> {
  checkResultOptions(context);
  const ids = await readIds([request.id], context);
  const isDeep = ({ path }: Assignment): boolean => path.length > 1;
  const deep = request.assignments.filter(isDeep);
  const flat = request.assignments.filter((assignment) => !isDeep(assignment));
  const { paths } = request;
  const draft = onlyDraft(await readDrafts({ paths, assignments: flat }, "patch", context));
  // What needs no look at the course is checked before anything is sent.
  await checkDrafts([draft], "patch", context);
  requireChange(draft, request, ids);
  if (ids.length === 0) {
    await new Results(context).end();
    return;
  }
  const client = await context.client();
  const resolved = await resolveIfNeeded(draft, client, context);
  const targets = await prepare(ids, resolved, deep, client, context);
  const results = await each(
    {
      items: targets,
      doing: "Updating",
      describe: ({ id }) => ({
        id,
        ...(draft.source === undefined ? {} : { file: draft.source.file.name }),
        action: "update",
      }),
      work: async ({ id, changes, failure }) => {
        if (failure !== undefined) throw failure;
        if (request.dryRun) return { status: "planned" };
        await client.update(id, changes);
        return undefined;
      },
      explain: (error) => (error.kind === "refused" ? placeRefusal(error, draft.source) : error),
    },
    context,
  );
  const done = results.count("done");
  if (done > 0) await context.messages.info(`Updated ${pluralize(done, "course")}.`);
  const planned = results.count("planned");
  if (planned > 0) await context.messages.info(`Would update ${pluralize(planned, "course")}.`);
}

/** A course with the body of its PATCH, or why it has none. */
interface Target {
  readonly id: string;
  readonly changes: PlainObject;
  readonly failure?: CatalogError;
}

/** Reads what must be read, and checks all of it before the first change is sent. */
async function prepare(
  ids: readonly string[],
  draft: Draft,
  deep: readonly Assignment[],
  client: CatalogClient,
  context: Needs,
): Promise<Target[]> {
  if (deep.length === 0) return ids.map((id) => ({ id, changes: toChange(draft.course) }));
  const targets: Target[] = [];
  const prepareOne = async (id: string): Promise<Target> => {
    const held = await client.course(id).catch(asCatalogError);
    const failure = held instanceof CatalogError ? held : undefined;
    if (held === undefined || failure !== undefined) {
      return { id, changes: {}, failure: failure ?? noSuchCourse(id) };
    }
    return { id, changes: deepChanges(held as PlainObject, draft, deep) };
  };
  for await (const target of inOrder(ids, await concurrencyOf(context), prepareOne)) {
    targets.push(target);
  }
  return targets;
}

/** The course's own fields with the parts changed that the paths name. @throws `usage` */
function deepChanges(held: PlainObject, draft: Draft, deep: readonly Assignment[]): PlainObject {
  const fields = new Set(deep.map(({ path }) => String(path[0])));
  const base = Object.fromEntries([...fields].map((field) => [field, held[field]]));
  const course = assign({ ...base, ...draft.course }, deep, "null");
  // What was wrong before is the service's own affair; only what the flags made wrong counts.
  const before = new Set(errorsOf({ ...base, ...draft.course }).map(identityOf));
  const faults = errorsOf(course)
    .filter((problem) => !before.has(identityOf(problem)))
    .map((problem) => flagFault(problem, deep));
  if (faults.length > 0) throw usageError(faults.join("; "));
  return toChange(course);
}

function errorsOf(course: PlainObject): Problem[] {
  return checkCourse(course, { mode: "patch" }).filter(({ severity }) => severity === "error");
}

function identityOf({ rule, path, message }: Problem): string {
  return `${rule} ${formatPath(path)} ${message}`;
}

/** The one course that the file holds. @throws CatalogError of kind `file` */
function onlyDraft([draft, ...others]: readonly Draft[]): Draft {
  if (draft === undefined) throw usageError("there is nothing to change");
  if (others.length === 0) return draft;
  const name = draft.source?.file.name;
  const held = pluralize(others.length + 1, "course");
  throw new CatalogError("file", `${name} holds ${held}, but an update takes one`, {
    file: name,
    advice: "Name a file with one course.",
  });
}

/** Refuses a file that holds another course, or nothing that could be changed. */
function requireChange(draft: Draft, request: Request, ids: readonly string[]): void {
  const { course, source } = draft;
  if (source === undefined) return;
  const own = course.id;
  if (typeof own === "string" && ids.some((id) => id !== own.toLowerCase())) {
    const { line, column } = source.file.lines.range(source.locate(["id"], "value"));
    throw new CatalogError("file", "the file holds the course with another id", {
      file: source.file.name,
      line,
      column,
      rule: "other-id",
      advice: "An id cannot be changed: take it out of the file, or name that id.",
    });
  }
  const changes = Object.keys(toChange(course)).length;
  if (request.assignments.length > 0 || changes > 0 || course[PROVIDER_KEY] !== undefined) return;
  throw new CatalogError("file", `${source.file.name} names no field that can be changed`, {
    file: source.file.name,
  });
}

async function resolveIfNeeded(
  draft: Draft,
  client: CatalogClient,
  context: Needs,
): Promise<Draft> {
  const touched = ["url", "provider_id", PROVIDER_KEY];
  if (!touched.some((field) => draft.course[field] !== undefined)) return draft;
  const [resolved] = await resolveDrafts([draft], await client.providers(), context);
  return resolved ?? draft;
}
