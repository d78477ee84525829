/** `catalog courses update`: changes only the given fields of a course. */
import type { CatalogClient } from "../../api/client.ts";
import { CatalogError, usageError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
import { formatPath, type Path, type PlainObject } from "../../base/values.ts";
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
import { isSet, parseUuid } from "../../command-support/flag-values.ts";
import { readIds, STANDARD_INPUT } from "../../command-support/ids.ts";
import { checkResultOptions, RESULT_COLUMNS, Results } from "../../command-support/results.ts";
import { checkCourse } from "../../course/check.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "../../course/field-names.ts";
import type { Problem } from "../../course/problem.ts";
import { toUpdateBody } from "../../course/request-body.ts";
import { runBatch } from "./batch.ts";
import { type Draft, flagMessage, loadDrafts, resolveDrafts } from "./drafts.ts";
import { locateRefusal } from "./locate-refusal.ts";
import { readById } from "./read-by-id.ts";

interface Options {
  /** A UUID, or `-`. */
  readonly id: string;
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
  readonly dryRun: boolean;
}

/** Sends a GET of the providers if `url` or the provider changes, then a PATCH for each id. */
export const update = command({
  description:
    "Fields not given in the file or as a flag stay unchanged. In a file, null clears a field.",
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
  flags: [
    ...ASSIGNMENT_FLAGS,
    { name: "dry-run", description: "read and check the course, change nothing" },
  ],
  columns: RESULT_COLUMNS,
  examples: [
    {
      description: "Rename a course",
      line: 'catalog courses update $id --name "Knitting for Beginners"',
    },
    {
      description: "Change the currency of one price",
      line: "catalog courses update $id --set 'prices[0].currency=EUR'",
    },
    { description: "Remove the video", line: "catalog courses update $id --unset video" },
  ],
  exits: [...SERVICE_EXITS, 3, 5],
  parse: parseOptions,
  run: updateCourses,
});

function parseOptions(typed: ParsedArguments): Options {
  const [first = "", ...paths] = typed.arguments;
  const id = first === STANDARD_INPUT ? first : parseUuid(first, "the course id");
  if (first === STANDARD_INPUT && paths.includes(STANDARD_INPUT)) {
    throw usageError("- can be used only once: standard input cannot be read twice");
  }
  const assignments = parseAssignments(typed);
  const assignedKey = assignments.find(({ path }) => path[0] === EXTERNAL_KEY);
  if (assignedKey !== undefined) {
    throw usageError(
      `${assignedKey.origin}: a key is never sent`,
      "Write it into the course file.",
    );
  }
  const assignedId = assignments.find(({ path }) => path[0] === "id");
  if (assignedId !== undefined) throw usageError(`${assignedId.origin}: an id cannot be changed`);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError("nothing to change", "Pass a file, or flags such as --name or --set.");
  }
  return { id, paths, assignments, dryRun: isSet(typed, "dry-run") };
}

async function updateCourses(options: Options, context: Context): Promise<void> {
  checkResultOptions(context);
  const ids = await readIds([options.id], context);
  const isNested = ({ path }: Assignment): boolean => path.length > 1;
  const nested = options.assignments.filter(isNested);
  const assignments = options.assignments.filter((assignment) => !isNested(assignment));
  // Everything that can be checked without the remote course is checked before any request.
  const drafts = await loadDrafts({ paths: options.paths, assignments }, "patch", context);
  const draft = requireOneDraft(drafts);
  await requireChange(draft, options, ids);
  if (ids.length === 0) return await new Results(context).end();
  const client = await context.client();
  const resolved = await resolveIfNeeded(draft, assignments, client, context);
  await runBatch(
    {
      items: await prepareUpdates(ids, resolved, nested, client, context),
      doing: "Updating",
      describe: ({ id }) => ({
        id,
        course: draft.course,
        ...(draft.source === undefined ? {} : { source: draft.source }),
        action: "update",
      }),
      run: async ({ id, changes }) => {
        if (changes instanceof CatalogError) throw changes;
        if (options.dryRun) return { status: "planned" };
        await client.update(id, changes);
        return undefined;
      },
      locate: async (error) =>
        error.kind === "refused" ? locateRefusal(error, draft.source) : error,
      summary: { done: "Updated", planned: "Would update" },
    },
    context,
  );
}

/** A course id with the body of its PATCH, or why there is none. */
interface Update {
  readonly id: string;
  readonly changes: PlainObject | CatalogError;
}

async function prepareUpdates(
  ids: readonly string[],
  draft: Draft,
  nested: readonly Assignment[],
  client: CatalogClient,
  context: Context,
): Promise<Update[]> {
  if (nested.length === 0) return ids.map((id) => ({ id, changes: toUpdateBody(draft.course) }));
  const updates: Update[] = [];
  for await (const { id, course } of readById(ids, client, context)) {
    const changes = course instanceof CatalogError ? course : nestedChanges(course, draft, nested);
    updates.push({ id, changes });
  }
  return updates;
}

function nestedChanges(
  remote: PlainObject,
  draft: Draft,
  nested: readonly Assignment[],
): PlainObject {
  const fields = new Set(nested.map(({ path }) => String(path[0])));
  const base = {
    ...Object.fromEntries([...fields].map((field) => [field, remote[field]])),
    ...draft.course,
  };
  const course = assign(base, nested, "null");
  // Only problems that the flags caused count; the service accepted the others.
  const before = new Set(findErrors(base).map(problemKey));
  const isBelow = (path: Path, parent: Path): boolean =>
    parent.every((key, index) => key === path[index]);
  const caused = findErrors(course).filter((problem) => {
    const isInNewValue = nested.some(({ path }) => isBelow(problem.path, path));
    return isInNewValue || !before.has(problemKey(problem));
  });
  if (caused.length > 0) {
    throw usageError(caused.map((problem) => flagMessage(problem, nested)).join("; "));
  }
  return toUpdateBody(course);
}

function findErrors(course: PlainObject): Problem[] {
  return checkCourse(course, { mode: "patch" }).filter(({ severity }) => severity === "error");
}

function problemKey({ rule, path }: Problem): string {
  return `${rule} ${formatPath(path)}`;
}

function requireOneDraft([draft, ...others]: readonly Draft[]): Draft {
  if (draft === undefined) throw usageError("nothing to change");
  if (others.length === 0) return draft;
  const name = draft.source?.file.name;
  const amount = pluralize(others.length + 1, "course");
  throw new CatalogError("file", `${name} contains ${amount}; update accepts only one`, {
    file: name,
    advice: "Pass a file with one course.",
  });
}

/** @throws CatalogError of kind `file` if the file has another id, or no field that can be changed */
async function requireChange(
  { course, source }: Draft,
  { assignments }: Options,
  ids: readonly string[],
): Promise<void> {
  if (source === undefined) return;
  const file = source.file.name;
  const ownId = typeof course.id === "string" ? course.id.toLowerCase() : undefined;
  if (ownId !== undefined && ids.some((id) => id !== ownId)) {
    const { line, column } = source.file.lines.range(await source.locate(["id"], "value"));
    const message = "the file's id differs from the id on the command line";
    const advice = "Remove the id from the file, or pass the same id.";
    throw new CatalogError("file", message, { file, line, column, rule: "other-id", advice });
  }
  const changesAny =
    Object.keys(toUpdateBody(course)).length > 0 || course[PROVIDER_KEY] !== undefined;
  if (assignments.length > 0 || changesAny) return;
  throw new CatalogError("file", `${file} contains no field that can be changed`, { file });
}

async function resolveIfNeeded(
  draft: Draft,
  assignments: readonly Assignment[],
  client: CatalogClient,
  context: Context,
): Promise<Draft> {
  const checked = ["url", "provider_id", PROVIDER_KEY];
  if (checked.every((field) => draft.course[field] === undefined)) return draft;
  const [resolved] = await resolveDrafts([draft], assignments, await client.providers(), context);
  return resolved ?? draft;
}
