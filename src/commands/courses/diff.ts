/** `catalog courses diff`: shows what `push` would change, field by field. */
import type { Output } from "../../base/io.ts";
import type { ParsedArguments } from "../../command-support/arguments.ts";
import { command } from "../../command-support/command.ts";
import type { Context } from "../../command-support/context.ts";
import { PATH_ARGUMENTS, parsePaths } from "../../command-support/course-files.ts";
import { SERVICE_EXITS } from "../../command-support/exit-codes.ts";
import { ANY_FIELDS, NO_FIELDS } from "../../command-support/fields-flag.ts";
import { isSet } from "../../command-support/flag-values.ts";
import { checkNamedFormat, rendererFor, type Showing } from "../../command-support/show.ts";
import { differencesText, maskEntries, planSummary } from "../../output/plan.ts";
import { exceededLimit, warnAboutLimit } from "./deletion-limit.ts";
import { reportAdopted, reportUnmanaged, unmanagedOf } from "./plan-findings.ts";
import { PLAN_FLAGS, type PlanChoices, parsePlanChoices } from "./plan-flags.ts";
import { countSteps, planPush, toPlanEntries } from "./plan-push.ts";
import type { PushStep } from "./push-step.ts";

interface Options extends PlanChoices {
  readonly paths: readonly string[];
  readonly exitCode: boolean;
}

const COLUMNS: readonly string[] = ["id", "file", "action", "fields"];
const ALL_COLUMNS: readonly string[] = [...COLUMNS, "unmanaged"];

/** Sends GETs of the providers and courses, and never writes. */
export const diff = command({
  description: "The old and new value of each field, without sending anything.",
  arguments: PATH_ARGUMENTS,
  flags: [
    { name: "exit-code", description: "exit with 7 if there are differences" },
    { name: "prune", description: "also show what push --prune would delete" },
    PLAN_FLAGS.maxDeletes,
    PLAN_FLAGS.allowRecreate,
    PLAN_FLAGS.complete,
  ],
  columns: ALL_COLUMNS,
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
    ...parsePlanChoices(typed),
    exitCode: isSet(typed, "exit-code"),
  }),
  run: showDifferences,
});

const DIFFERENCES = 7;

const SHOWING: Showing = {
  kind: "list",
  columns: COLUMNS,
  allColumns: ALL_COLUMNS,
  optional: ["file", "unmanaged"],
  isLocal: true,
  inside: {
    id: NO_FIELDS,
    file: NO_FIELDS,
    action: NO_FIELDS,
    unmanaged: NO_FIELDS,
    fields: {
      element: { keys: { path: { element: NO_FIELDS }, old: ANY_FIELDS, new: ANY_FIELDS } },
    },
  },
};

async function showDifferences(options: Options, context: Context): Promise<number | undefined> {
  const { io, options: globals, messages } = context;
  checkNamedFormat(SHOWING, globals);
  const { steps, adopted, scope } = await planPush(options, () => undefined, context);
  const entries = maskEntries(toPlanEntries(steps), io.out.mask);
  const summary = planSummary(countSteps(steps));
  const exceeded = exceededLimit(steps, scope, options.maxDeletes);
  if (globals.format === undefined) {
    await io.out.write(await differencesText(entries, await context.styles()));
    await io.out.write(`${entries.length > 0 ? "\n" : ""}${summary}\n`);
  } else {
    const renderer = await rendererFor(SHOWING, context);
    await renderer.rows(differenceRows(steps, io.out.mask));
    await renderer.end();
    if (entries.length === 0) await messages.info(summary);
  }
  await reportAdopted(adopted, context);
  await reportUnmanaged(steps, context);
  if (exceeded !== undefined) await warnAboutLimit(exceeded, context);
  return options.exitCode && entries.length > 0 ? DIFFERENCES : undefined;
}

/** One row per course that changes, or has fields that its file leaves out. */
function differenceRows(
  steps: readonly PushStep[],
  mask: Output["mask"],
): Readonly<Record<string, unknown>>[] {
  return steps.flatMap((step): Readonly<Record<string, unknown>>[] => {
    const unmanaged = unmanagedOf(step);
    const shown = unmanaged.length === 0 ? {} : { unmanaged };
    if (step.action === "unchanged") {
      const { id, action, item } = step;
      return unmanaged.length === 0
        ? []
        : [{ id, file: item.source.file.name, action, fields: [], ...shown }];
    }
    return maskEntries(toPlanEntries([step]), mask).map(({ id, file, action, changes: fields }) => {
      return { id, ...(file === undefined ? {} : { file }), action, fields, ...shown };
    });
  });
}
