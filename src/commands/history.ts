/** `catalog history`: lists the past runs, and shows what one of them changed. */
import { asCatalogError, type CatalogError, usageError } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import { quoteShell } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import type { FlagValues, ParsedArguments } from "../command-support/arguments.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { findLatestRun, findNamedRun, RUN_ARGUMENT } from "../command-support/find-undo-records.ts";
import {
  type Reports,
  reportFlag,
  requireDifferentFiles,
  writeReports,
} from "../command-support/report-flag.ts";
import { rendererFor, type Showing } from "../command-support/show.ts";
import { HISTORY_REPORT_FORMATS, PRINTED_FORMATS } from "../output/formats.ts";
import { differencesText, listCounts, maskEntries, type PlanEntry } from "../output/plan.ts";
import { maskHistory, type ReportedRun } from "../output/report-history.ts";
import type { RecordedWrite, RunRecord, RunSummary } from "../sync/record-format.ts";
import {
  findHistoryFolder,
  listRuns,
  markUndone,
  readRecord,
  readSummary,
} from "../sync/record-store.ts";
import { restoreStep } from "../sync/saved-plan.ts";
import { listChanges } from "../sync/step.ts";
import { RUN_FILTER_FLAGS, selectRuns } from "./history-filter.ts";

const SHOW = "show";
const LIST_COLUMNS: readonly string[] = [
  ...["run", "time", "command", "baseUrl"],
  ...["created", "updated", "deleted", "failed", "unknown", "undone"],
  ...["user", "actor", "note"],
];
/** The columns of the list on a terminal, chosen so that a run fits on a line of 80 columns. */
const BRIEF_COLUMNS: readonly string[] = [
  ...["run", "time", "command", "changes", "service", "user", "actor", "note"],
];
/** The columns that a table omits if no run has a value in them. */
const OPTIONAL_COLUMNS: readonly string[] = BRIEF_COLUMNS.slice(4);
const ALL_LIST_COLUMNS: readonly string[] = [
  ...LIST_COLUMNS,
  ...["undoes", "host", "commit", "runUrl", "target", "providers"],
];
const SHOW_COLUMNS: readonly string[] = ["id", "name", "url", "file", "action", "status", "fields"];

const FLAGS = [...RUN_FILTER_FLAGS, reportFlag(HISTORY_REPORT_FORMATS)] as const;

/** Reads the history folder; sends nothing. */
export const history = command({
  description:
    "Each command that changes the catalog, except api, is a run, and saves an undo record of the old and new " +
    "values. catalog keeps the newest 200 records and all of the last week, up to 500 MB. " +
    '"catalog history show" shows field by field what a run changed, and "catalog undo" takes it back.',
  arguments: [
    { name: SHOW, choices: [SHOW], description: "show what one run changed" },
    RUN_ARGUMENT,
  ],
  flags: FLAGS,
  output: {
    formats: PRINTED_FORMATS.records,
    columns: [...new Set([...ALL_LIST_COLUMNS, ...SHOW_COLUMNS])],
  },
  examples: [
    { description: "List the runs, newest first", line: "catalog history" },
    { description: "Show what the latest run changed", line: "catalog history show" },
    {
      description: "Report who pushed what in the last 30 days",
      line: "catalog history --since 30d --command push --report markdown=pushes.md",
    },
    {
      description: "Print the latest run, for a script",
      line: "catalog history --fields run --limit 1",
    },
  ],
  exits: [1],
  parse: parseWords,
  run: (options, context) =>
    options.show ? showChanges(options.run, context) : showRuns(options, context),
});

interface Options extends FlagValues<typeof FLAGS> {
  readonly show: boolean;
  /** The run to show; undefined for the latest. */
  readonly run: string | undefined;
}

function parseWords({ arguments: [word, run], values }: ParsedArguments<typeof FLAGS>): Options {
  requireDifferentFiles(values.report);
  if (word === SHOW) {
    const given = FLAGS.find(({ name }) => String(values[name] ?? "") !== "");
    if (given === undefined) return { ...values, show: true, run };
    throw usageError(
      `--${given.name} cannot be combined with "history show"`,
      `--${given.name} selects runs of the list. To show one run: catalog history show <run>`,
    );
  }
  if (word === undefined) return { ...values, show: false, run };
  const meant = `catalog history show ${quoteShell(word)}`;
  throw usageError(`unexpected argument ${JSON.stringify(word)}`, `Did you mean "${meant}"?`);
}

async function showRuns(filter: Options, context: Context): Promise<void> {
  const { options, messages, clock, io } = context;
  const isBrief = io.out.isTerminal && options.format === undefined && options.fields === undefined;
  const renderer = await rendererFor(
    {
      kind: "list",
      columns: isBrief ? BRIEF_COLUMNS : LIST_COLUMNS,
      allColumns: isBrief ? BRIEF_COLUMNS : ALL_LIST_COLUMNS,
      now: clock.now(),
      optional: OPTIONAL_COLUMNS,
    },
    context,
  );
  const stored = listRuns(findHistoryFolder(context));
  const { report } = filter;
  const failures: CatalogError[] = [];
  const read = await readRuns(stored, failures, context);
  const runs = selectRuns(read, filter, clock.now());
  const present = isBrief ? (await context.settings()).baseUrl?.value : undefined;
  for (const row of runs.map(toRow)) {
    await renderer.rows([isBrief ? brief(row, present, context) : { ...row }]);
  }
  await renderer.end();
  if (stored.length === 0)
    await messages.info("No changes yet. Commands that change the catalog appear here.");
  else if (read.length > 0 && runs.length === 0) await messages.info("No run matches these flags.");
  if (report.length > 0) await reportRuns(report, runs, failures, context);
}

type ListedRun = RunSummary & { readonly isUndone: boolean; readonly path: string };

/** The summaries of the runs. Warns about each record that cannot be read. @param failures receives those errors */
async function readRuns(
  runs: ReturnType<typeof listRuns>,
  failures: CatalogError[],
  context: Context,
): Promise<ListedRun[]> {
  const found: Omit<ListedRun, "isUndone">[] = [];
  for (const { run, path } of runs) {
    const summary = await readOrWarn(run, () => readSummary(path), failures, context);
    if (summary !== undefined) found.push({ ...summary, path });
  }
  return [...markUndone(found)];
}

/** What `read` returns, or undefined after a warning. @param failures receives the error */
async function readOrWarn<Value>(
  run: string,
  read: () => Value,
  failures: CatalogError[],
  { messages }: Context,
): Promise<Value | undefined> {
  try {
    return read();
  } catch (thrown) {
    const failure = asCatalogError(thrown);
    failures.push(failure);
    await messages.warn(`${failure.facts.file ?? run}: ${failure.message}`);
    return undefined;
  }
}

/** Writes a report of the runs and of the courses that they changed. @param failures errors of records */
async function reportRuns(
  targets: Options["report"],
  runs: readonly ListedRun[],
  failures: CatalogError[],
  context: Context,
): Promise<void> {
  const reported: ReportedRun[] = [];
  for (const run of runs) {
    const read = (): RunRecord => readRecord(run.path);
    const record = await readOrWarn(run.header.run, read, failures, context);
    if (record !== undefined)
      reported.push({ ...toRow(run), courses: record.writes.map(toCourse) });
  }
  const time = new Date(context.clock.now()).toISOString();
  const { historyReportText } = await import("../output/report.ts");
  const text: Reports["text"] = (format, unwritten, used) => {
    const all = { time, runs: reported, failures: [...failures, ...unwritten] };
    return historyReportText(format, maskHistory(all, context.io.out.mask), used);
  };
  await writeReports(targets, { files: [], text }, context);
}

function toRow({ header, end, isUndone }: ListedRun): Omit<ReportedRun, "courses"> {
  const { formatVersion: _, run, time, command: words, baseUrl, ...origin } = header;
  const { left: __, ...counts } = end;
  return { run, time, command: words, baseUrl, ...counts, undone: isUndone, ...origin };
}

/** A row of the list on a terminal: all changes in one column; no service or user that is the current one. */
function brief(
  row: Omit<ReportedRun, "courses">,
  baseUrl: string | undefined,
  { author }: Context,
): PlainObject {
  const service = row.baseUrl === baseUrl ? null : (parseUrl(row.baseUrl)?.host ?? row.baseUrl);
  const user = row.user === author.user ? null : row.user;
  return { ...row, service, user, changes: changesOf(row) };
}

/** The counts of a run, such as `+14 ~1 −2, 1 failed, undone`; null if all are zero. */
function changesOf(row: Omit<ReportedRun, "courses">): string | null {
  const { created, updated, deleted, failed, unknown, undone } = row;
  const signs = { "+": created, "~": updated, "\u2212": deleted };
  const done = Object.entries(signs).filter(([, count]) => count > 0);
  const changes = done.map(([sign, count]) => `${sign}${count}`).join(" ");
  const parts = [changes, ...listCounts({ failed, unknown }), undone ? "undone" : ""];
  return parts.filter(Boolean).join(", ") || null;
}

const SHOWING: Showing = {
  kind: "list",
  columns: SHOW_COLUMNS,
  optional: ["file"],
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
    await io.out.write(await differencesText(entries, styles, io.out, clock.monotonic));
    return;
  }
  const renderer = await rendererFor(SHOWING, context);
  await renderer.rows(writes.map(toCourse));
  await renderer.end();
}

function toCourse(write: RecordedWrite) {
  const { id, name, url, file, action, status } = write;
  const described = { id, name, url, ...(file === null ? {} : { file }) };
  return { ...described, action, status, fields: listChanges(restoreStep(write)) };
}

function toEntry(write: RecordedWrite): PlanEntry {
  const { action, id, name, file, status } = write;
  return {
    ...{ action, id, name, file: file ?? undefined },
    changes: listChanges(restoreStep(write)),
    note: status === "done" ? undefined : status,
  };
}
