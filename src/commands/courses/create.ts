/** `catalog courses create`: creates courses from files, standard input or flags (cli.md section 8). */
import type { CatalogClient } from "../../api/client.ts";
import { usageError } from "../../base/errors.ts";
import { pluralize } from "../../base/text.ts";
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
import { checkResultOptions, RESULT_COLUMNS } from "../../command-support/results.ts";
import { isSet } from "../../command-support/values.ts";
import { toCreation } from "../../course/wire.ts";
import { checkDrafts, type Draft, readDrafts, resolveDrafts } from "./drafts.ts";
import { type EachNeeds, each } from "./each.ts";
import { placeRefusal } from "./locate-refusal.ts";

interface Request {
  readonly paths: readonly string[];
  readonly assignments: readonly Assignment[];
  readonly dryRun: boolean;
}

type Needs = EachNeeds & Pick<Context, "client" | "clock" | "folder">;

/** A course ready to be sent. */
interface Ready {
  readonly draft: Draft;
  readonly body: PlainObject & { readonly id: string };
  /** Whether the id was chosen here. */
  readonly chosen: boolean;
}

/** GET providers, then one POST a course. */
export const create = command({
  description:
    "Prints the new ids, one a line, in the order of the input. Nothing is sent until every course has passed the checks.",
  arguments: [
    {
      name: "file",
      variadic: true,
      completes: "course-file",
      description: "course files or folders; - reads standard input",
    },
  ],
  flags: [...ASSIGNMENT_FLAGS, { name: "dry-run", description: "read and check, create nothing" }],
  columns: RESULT_COLUMNS,
  examples: [
    { says: "Create a course and keep its id", line: "id=$(catalog courses create intro.yaml)" },
    {
      says: "A copy of a file with another address",
      line: "catalog courses create intro.yaml --url https://academy.example/intro-2",
    },
    { says: "See what would be created", line: "catalog courses create courses/ --dry-run" },
  ],
  exits: [...SERVICE_EXITS, 3],
  parse: parseRequest,
  run: createCourses,
});

function parseRequest(words: ParsedArguments): Request {
  const assignments = parseAssignments(words);
  const paths = parsePaths(words);
  if (paths.length === 0 && assignments.length === 0) {
    throw usageError(
      "there is nothing to create",
      "Name a course file, - for standard input, or give flags such as --name.",
    );
  }
  return { paths, assignments, dryRun: isSet(words, "dry-run") };
}

async function createCourses(request: Request, context: Needs): Promise<void> {
  checkResultOptions(context);
  const drafts = await readDrafts(request, "create", context);
  await checkDrafts(drafts, "create", context);
  const client = await context.client();
  const resolved = await resolveDrafts(drafts, await client.providers(), context);
  const ready = resolved.map((draft) => readyDraft(draft, context));
  const results = await each(
    {
      items: ready,
      doing: "Creating",
      describe: ({ body, chosen, draft }) => ({
        id: request.dryRun && chosen ? null : body.id,
        ...(draft.source === undefined ? {} : { file: draft.source.file.name }),
        action: "create",
      }),
      work: async (item) => {
        if (request.dryRun) return { status: "planned" };
        await createOne(item, client);
        return undefined;
      },
      explain: (error, { draft }) => placeRefusal(error, draft.source),
      plain: ({ id, status }) => (status === "done" ? `${id}\n` : ""),
    },
    context,
  );
  if (request.dryRun) {
    await context.messages.info(`Would create ${pluralize(results.count("planned"), "course")}.`);
  } else if (results.count("done") > 0) {
    await context.messages.info(`Created ${pluralize(results.count("done"), "course")}.`);
  }
}

function readyDraft(draft: Draft, { clock }: Needs): Ready {
  const body = toCreation(draft.course);
  const given = typeof body.id === "string" ? body.id : undefined;
  return {
    draft,
    chosen: given === undefined,
    body: { ...body, id: (given ?? clock.uuid()).toLowerCase() },
  };
}

async function createOne({ body, chosen }: Ready, client: CatalogClient): Promise<void> {
  const creation = await client.create(body, chosen);
  if (creation.outcome === "created") return;
  throw creation.refusal.with({
    advice: `A course with the id ${body.id} exists already: "catalog courses update ${body.id}" changes it.`,
  });
}
