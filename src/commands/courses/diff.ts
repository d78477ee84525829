/** `catalog courses diff`: what `push` would change, field by field (cli.md section 8). */

import type { ParsedArguments } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { ANY, PLAIN } from "../../command-support/field-names.ts";
import { checkNamedFormat, rendererFor, type Showing } from "../../command-support/show.ts";
import { isSet } from "../../command-support/values.ts";
import { differencesText } from "../../output/differences.ts";
import { planSummary } from "../../output/plan.ts";
import { countsOf, entriesOf, planFor, type WantedStep } from "./plan-push.ts";

interface Request {
  readonly paths: readonly string[];
  readonly prune: boolean;
  readonly exitCode: boolean;
}

const COLUMNS: readonly string[] = ["id", "file", "action", "fields"];

type Needs = Pick<
  Context,
  "io" | "folder" | "options" | "messages" | "styles" | "environment" | "client"
>;

/** GET providers and courses; nothing is sent that changes anything. */
export const diff = command({
  description: "Shows what push would change, field by field: the old value and the new one.",
  arguments: [
    {
      name: "path",
      required: true,
      variadic: true,
      completes: "course-file",
      description: "course files or folders; - reads standard input",
    },
  ],
  flags: [
    { name: "exit-code", description: "end with 7 when there are differences" },
    { name: "prune", description: "show what push --prune would delete, too" },
  ],
  columns: COLUMNS,
  examples: [
    { says: "What a push would change", line: "catalog courses diff courses/" },
    {
      says: "Fail a job when the catalog has drifted",
      line: "catalog courses diff --exit-code courses/",
    },
  ],
  exits: [...SERVICE_EXITS, 3, 7],
  parse: (words: ParsedArguments): Request => ({
    paths: parsePaths(words),
    prune: isSet(words, "prune"),
    exitCode: isSet(words, "exit-code"),
  }),
  run: showDifferences,
});

/** What `--exit-code` says when there are differences (cli.md section 4). */
const DIFFERENCES = 7;

const SHOWING: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: COLUMNS,
  optional: ["file"],
  inside: {
    id: PLAIN,
    file: PLAIN,
    action: PLAIN,
    fields: { element: { keys: { path: { element: PLAIN }, old: ANY, new: ANY } } },
  },
};

async function showDifferences(request: Request, context: Needs): Promise<number | undefined> {
  const { io, options, styles: paint, messages } = context;
  checkNamedFormat(SHOWING, options);
  const { steps } = await planFor(request, () => undefined, context);
  const entries = entriesOf(steps);
  if (options.format === undefined) {
    const painted = await paint();
    await io.out.write(await differencesText(entries, painted));
    if (entries.length > 0) await io.out.write("\n");
    await io.out.write(`${planSummary(countsOf(steps))}\n`);
  } else {
    const renderer = await rendererFor(SHOWING, context);
    await renderer.rows(rowsOf(steps));
    await renderer.end();
    if (entries.length === 0) await messages.info(planSummary(countsOf(steps)));
  }
  return request.exitCode && entries.length > 0 ? DIFFERENCES : undefined;
}

function rowsOf(steps: readonly WantedStep[]): Readonly<Record<string, unknown>>[] {
  return entriesOf(steps).map(({ id, file, action, changes }) => ({
    id,
    ...(file === undefined ? {} : { file }),
    action,
    fields: changes,
  }));
}
