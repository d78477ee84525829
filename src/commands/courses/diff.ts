/** `catalog courses diff`: shows what `push` would change, field by field. */
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { PATH_ARGUMENTS, parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { ANY_FIELDS, NO_FIELDS } from "../../command-support/fields-flag.ts";
import { isSet } from "../../command-support/flag-values.ts";
import { checkNamedFormat, rendererFor, type Showing } from "../../command-support/show.ts";
import { differencesText, maskEntries, planSummary } from "../../output/plan.ts";
import { countSteps, planPush, toPlanEntries } from "./plan-push.ts";

interface Options {
  readonly paths: readonly string[];
  readonly prune: boolean;
  readonly exitCode: boolean;
}

const COLUMNS: readonly string[] = ["id", "file", "action", "fields"];

/** Sends GETs of the providers and courses, and never writes. */
export const diff = command({
  description: "The old and new value of each field, without sending anything.",
  arguments: PATH_ARGUMENTS,
  flags: [
    { name: "exit-code", description: "exit with 7 if there are differences" },
    { name: "prune", description: "also show what push --prune would delete" },
  ],
  columns: COLUMNS,
  examples: [
    { description: "Show what a push would change", line: "catalog courses diff courses/" },
    {
      description: "Fail a CI job if the catalog has changed",
      line: "catalog courses diff --exit-code courses/",
    },
  ],
  exits: [...SERVICE_EXITS, 3, 7],
  parse: (typed: ParsedArguments): Options => ({
    paths: parsePaths(typed),
    prune: isSet(typed, "prune"),
    exitCode: isSet(typed, "exit-code"),
  }),
  run: showDifferences,
});

const DIFFERENCES = 7;

const SHOWING: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: COLUMNS,
  optional: ["file"],
  isLocal: true,
  inside: {
    id: NO_FIELDS,
    file: NO_FIELDS,
    action: NO_FIELDS,
    fields: {
      element: { keys: { path: { element: NO_FIELDS }, old: ANY_FIELDS, new: ANY_FIELDS } },
    },
  },
};

async function showDifferences(options: Options, context: Context): Promise<number | undefined> {
  const { io, options: globals, messages } = context;
  checkNamedFormat(SHOWING, globals);
  const steps = await planPush(options, () => undefined, context);
  const entries = maskEntries(toPlanEntries(steps), io.out.mask);
  const summary = planSummary(countSteps(steps));
  if (globals.format === undefined) {
    await io.out.write(await differencesText(entries, await context.styles()));
    await io.out.write(`${entries.length > 0 ? "\n" : ""}${summary}\n`);
  } else {
    const renderer = await rendererFor(SHOWING, context);
    const rows = entries.map(({ id, file, action, changes: fields }) => {
      return { id, ...(file === undefined ? {} : { file }), action, fields };
    });
    await renderer.rows(rows);
    await renderer.end();
    if (entries.length === 0) await messages.info(summary);
  }
  return options.exitCode && entries.length > 0 ? DIFFERENCES : undefined;
}
