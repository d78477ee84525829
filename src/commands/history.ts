/** `catalog history`: lists the past runs, and shows what one of them changed. */
import { asCatalogError, usageError } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { CHANGES_FIELDS, NO_FIELDS, withoutFields } from "../command-support/fields-flag.ts";
import { rendererFor, type Showing } from "../command-support/show.ts";
import { capabilitiesOf } from "../output/formats.ts";
import { differencesText, maskEntries, type PlanEntry } from "../output/plan.ts";
import type { RecordedWrite, RunSummary } from "../sync/record-format.ts";
import { findHistoryFolder, listRuns, markUndone, readSummary } from "../sync/record-store.ts";
import { restoreStep } from "../sync/saved-plan.ts";
import { listChanges } from "../sync/step.ts";
import { findLatestRun, findNamedRun, runArgument } from "./find-run.ts";

const SHOW = "show";
const LIST_COLUMNS: readonly string[] = [
  ...["run", "time", "command", "baseUrl"],
  ...["created", "updated", "deleted", "failed", "unknown", "undone"],
  ...["user", "actor", "note"],
];
/** What a table leaves out where no run has a value: 80 columns are few. */
const OPTIONAL_COLUMNS: readonly string[] = LIST_COLUMNS.slice(3);
const ALL_LIST_COLUMNS: readonly string[] = [
  ...[...LIST_COLUMNS, "undoes", "host", "commit", "runUrl", "target", "providers"],
];
const SHOW_COLUMNS: readonly string[] = [
  ...["id", "name", "url", "file"],
  ...["action", "status", "fields"],
];

/** Reads the history folder; sends nothing. */
export const history = command({
  description:
    "Every command that writes to the catalog, except api, records what it did; the newest 200 records, " +
    "and those of the last week, are kept, at most 500 MB. " +
    '"history show" shows the changes of a run field by field, and "catalog undo" reverses them.',
  arguments: [
    { name: SHOW, choices: [SHOW], description: "show the changes of one run" },
    runArgument("the latest run"),
  ],
  columns: [...new Set([...ALL_LIST_COLUMNS, ...SHOW_COLUMNS])],
  examples: [
    { description: "List the runs, the newest first", line: "catalog history" },
    { description: "Show what the latest run changed", line: "catalog history show" },
    { description: "The newest run, for a script", line: "catalog history -o id | head -n 1" },
  ],
  exits: [],
  parse: parseWords,
  run: ({ show, run }, context) => (show ? showChanges(run, context) : showRuns(context)),
});

interface Options {
  /** Whether to show a run instead of the list of runs. */
  readonly show: boolean;
  /** The run to show; undefined for the latest. */
  readonly run: string | undefined;
}

function parseWords({ arguments: [word, run] }: ParsedArguments): Options {
  if (word === undefined || word === SHOW) return { show: word === SHOW, run };
  throw usageError(`unexpected argument: ${word}`, 'Did you mean "catalog history show <run>"?');
}

async function showRuns(context: Context): Promise<void> {
  const { options, messages } = context;
  const renderer = await rendererFor(
    {
      kind: "list",
      columns: LIST_COLUMNS,
      allColumns: ALL_LIST_COLUMNS,
      hidden: ["id"],
      inside: { providers: { element: NO_FIELDS } },
      now: context.clock.now(),
      optional: OPTIONAL_COLUMNS,
    },
    context,
  );
  const runs = listRuns(findHistoryFolder(context));
  const onlyRuns = options.format !== undefined && capabilitiesOf(options.format).onlyIds;
  if (onlyRuns) await context.io.out.write(runs.map(({ run }) => `${run}\n`).join(""), "data");
  else {
    const isForPeople = context.io.out.isTerminal && options.format === undefined;
    const present = isForPeople ? (await context.settings()).baseUrl?.value : undefined;
    for (const row of (await readRuns(runs, context)).map(toRow)) {
      await renderer.rows([isForPeople ? brief(row, present, context) : row]);
    }
  }
  await renderer.end();
  if (runs.length === 0) await messages.info("No run has written to the catalog yet.");
}

type ListedRun = RunSummary & { readonly isUndone: boolean };

/** What the records say about the runs; a warning for each that cannot be read. */
async function readRuns(
  runs: ReturnType<typeof listRuns>,
  { messages }: Context,
): Promise<ListedRun[]> {
  const found: RunSummary[] = [];
  for (const { run, path } of runs) {
    try {
      found.push(readSummary(path));
    } catch (thrown) {
      const { message, facts } = asCatalogError(thrown);
      await messages.warn(`${facts.file ?? run}: ${message}`);
    }
  }
  return [...markUndone(found)];
}

function toRow({ header, end, isUndone }: ListedRun): PlainObject {
  const { formatVersion: _, run, time, command: words, baseUrl, ...origin } = header;
  const { left: __, ...counts } = end;
  return { run, time, command: words, baseUrl, ...counts, undone: isUndone, ...origin };
}

/** A row without what says nothing: counts of zero, the base URL in effect, and the present user. */
function brief(row: PlainObject, baseUrl: string | undefined, { author }: Context): PlainObject {
  const usual: PlainObject = { baseUrl, undone: false, user: author.user };
  const entries = Object.entries(row).map(([name, value]) => {
    return [name, value === 0 || value === usual[name] ? null : value];
  });
  return Object.fromEntries(entries);
}

const SHOWING: Showing = {
  kind: "list",
  columns: SHOW_COLUMNS,
  allColumns: SHOW_COLUMNS,
  optional: ["file"],
  inside: {
    ...withoutFields(SHOW_COLUMNS),
    fields: CHANGES_FIELDS,
  },
};

async function showChanges(run: string | undefined, context: Context): Promise<void> {
  const { io, options, messages } = context;
  const { header, writes } =
    run === undefined ? await findLatestRun(context) : await findNamedRun(run, context);
  if (options.format === undefined && options.fields === undefined) {
    const { run: name, command: words, time, baseUrl, actor, user, note } = header;
    const by = actor ?? user;
    const facts = [words, time, baseUrl, ...(by === undefined ? [] : [`by ${by}`])].join(", ");
    await messages.info(`Run ${name}: ${facts}${note === undefined ? "" : `: ${note}`}`);
    const { clock, styles } = context;
    const entries = maskEntries(writes.map(toEntry), io.out.mask);
    await io.out.write(await differencesText(entries, styles, clock.monotonic));
    return;
  }
  const renderer = await rendererFor(SHOWING, context);
  await renderer.rows(
    writes.map((write) => {
      const { id, name: course, url, file, action, status } = write;
      const described = { id, name: course, url, ...(file === null ? {} : { file }) };
      return { ...described, action, status, fields: listChanges(restoreStep(write)) };
    }),
  );
  await renderer.end();
}

function toEntry(write: RecordedWrite): PlanEntry {
  const { action, id, name, file, status } = write;
  return {
    ...{ action, id, name, file: file ?? undefined },
    changes: listChanges(restoreStep(write)),
    note: status === "done" ? undefined : status,
  };
}
