/** `catalog courses create`: creates courses from files, standard input or flags. */
import type { CatalogClient } from "../../api/client.ts";
import { usageError } from "../../base/errors.ts";
import type { PlainObject } from "../../base/values.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import {
  ASSIGNMENT_FLAGS,
  type Assignment,
  parseAssignments,
} from "../../command-support/assignments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { isSet } from "../../command-support/flag-values.ts";
import { checkResultOptions, RESULT_COLUMNS } from "../../command-support/results.ts";
import { toCreateBody } from "../../course/request-body.ts";
import { runBatch } from "./batch.ts";
import { type Draft, loadDrafts, resolveDrafts } from "./drafts.ts";
import { locateRefusal } from "./locate-refusal.ts";

interface Options {
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
  readonly dryRun: boolean;
}

interface Creation {
  readonly draft: Draft;
  readonly body: PlainObject & { readonly id: string };
  /** Whether the id was generated here. */
  readonly hasNewId: boolean;
}

/** Sends a GET of the providers, then a POST for each course. */
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
  flags: [
    ...ASSIGNMENT_FLAGS,
    { name: "dry-run", description: "read and check the courses, create nothing" },
  ],
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
      description: "Show what would be created",
      line: "catalog courses create courses/ --dry-run",
    },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseOptions,
  run: createCourses,
});

function parseOptions(typed: ParsedArguments): Options {
  const assignments = parseAssignments(typed);
  const paths = parsePaths(typed);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError(
      "nothing to create",
      "Pass a course file, - for standard input, or flags such as --name.",
    );
  }
  return { paths, assignments, dryRun: isSet(typed, "dry-run") };
}

async function createCourses(options: Options, context: Context): Promise<void> {
  checkResultOptions(context);
  const { assignments } = options;
  const drafts = await loadDrafts(options, "create", context);
  const client = await context.client();
  const resolved = await resolveDrafts(drafts, assignments, await client.providers(), context);
  await runBatch(
    {
      items: resolved.map((draft) => prepareCreation(draft, context)),
      doing: "Creating",
      describe: ({ body, hasNewId, draft }) => ({
        id: options.dryRun && hasNewId ? null : body.id,
        course: body,
        ...(draft.source === undefined ? {} : { source: draft.source }),
        action: "create",
      }),
      run: async (creation) => {
        if (options.dryRun) return { status: "planned" };
        await createOne(creation, client);
        return undefined;
      },
      locate: (error, { draft }) => locateRefusal(error, draft.source),
      plain: ({ id, status }) => (status === "done" ? `${id}\n` : ""),
      summary: { done: "Created", planned: "Would create" },
    },
    context,
  );
}

function prepareCreation(draft: Draft, { clock }: Context): Creation {
  const body = toCreateBody(draft.course);
  const hasNewId = typeof body.id !== "string";
  const id = hasNewId ? clock.uuid() : String(body.id);
  return { draft, hasNewId, body: { ...body, id: id.toLowerCase() } };
}

async function createOne({ body, hasNewId }: Creation, client: CatalogClient): Promise<void> {
  const creation = await client.create(body, hasNewId);
  if (creation.outcome === "created") return;
  throw creation.refusal.with({
    advice: `A course with the id ${body.id} already exists. To change it: catalog courses update ${body.id}`,
  });
}
