/** `catalog history`: lists the past runs, or shows what one of them changed. */

import { parseUrl } from "../base/credentials.ts";
import { usageError } from "../base/errors.ts";
import { escapeLine, truncate } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { type ReportTarget, reportFlag } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { findNamedRun, readRuns } from "../cli/history.ts";
import { printRows } from "../cli/results.ts";
import { toPlanEntries } from "../cli/run.ts";
import { writeReports } from "../cli/write-reports.ts";
import { countOutcomes } from "../core/apply.ts";
import type { RecordHeader, RunRecord } from "../core/record.ts";
import { listChanges } from "../core/step.ts";
import { briefTime } from "../output/cells.ts";
import { toRow as resultRow } from "../output/diagnostics.ts";
import { PRINTED_FORMATS } from "../output/formats.ts";
import { differencesText, listCounts } from "../output/plan-text.ts";

const LIST_COLUMNS = ["run", "time", "command", "baseUrl", "counts", "undone", "note"];
/** What a run is in a table: one line of 80 columns. */
const BRIEF_COLUMNS = ["run", "time", "command", "changes", "note"];
/** The columns for runs of several services. The time comes late, because the name of a run contains it. */
const SERVICE_COLUMNS = ["run", "service", "command", "changes", "time", "note"];
const WHO = ["user", "actor", "review"];
const WHERE = ["undoes", "host", "commit", "runUrl", "catalogVersion", "target", "account"];
const ALL_COLUMNS = [...LIST_COLUMNS, ...WHO, ...WHERE];
const SHOW_COLUMNS = ["id", "name", "url", "file", "action", "status", "fields"];

const FLAGS = [reportFlag(["html"])] as const;

/** Reads the history folder; sends nothing. */
export const history = command({
  description:
    "Each command that changes the catalog, except api, is a run, and saves a record of the old and new " +
    "values. catalog keeps the newest 200 records. With a run, history shows field by field what that run " +
    'changed, and "catalog undo" takes it back.',
  arguments: [
    { name: "run", description: "the run to show: its name from the list, or a record file" },
  ],
  flags: FLAGS,
  output: { formats: PRINTED_FORMATS.records, columns: ALL_COLUMNS },
  examples: {
    "List the runs, newest first": "catalog history",
    "Show what a run changed": "catalog history 20260131-120000000-1a2b3c",
    "Write a page about the run of a CI job": "catalog history push.ndjson --report html=push.html",
  },
  parse: ({ words: [run], report }) => {
    if (run !== undefined || report.length === 0) return { run, report };
    throw usageError("--report needs a run", 'Run "catalog history" to list the runs.');
  },
  printed: ({ run }) => {
    const columns = run === undefined ? ALL_COLUMNS : SHOW_COLUMNS;
    return { formats: PRINTED_FORMATS.records, columns };
  },
  run: ({ run, report }, context) =>
    run === undefined ? listRuns(context) : showRun(run, report, context),
});

async function listRuns(context: Context): Promise<void> {
  const { options, messages, io } = context;
  const { format = io.out.isTerminal ? "table" : "tsv", fields } = options;
  const isBrief = format === "table" && fields === undefined;
  const rows: PlainObject[] = [];
  const services = new Set<string>();
  for await (const past of readRuns(context)) {
    rows.push(toRow(past, isBrief));
    services.add(past.header.baseUrl);
  }
  const brief = services.size < 2 ? BRIEF_COLUMNS : SERVICE_COLUMNS;
  await printRows(rows, { columns: isBrief ? brief : LIST_COLUMNS, optional: ["note"] }, context);
  if (rows.length === 0)
    await messages.info("No changes yet. Commands that change the catalog appear here.");
}

/** A run; in a table, all its changes are in one column: `+14 ~1 −2, 1 failed, undone`, or null without any. */
function toRow(
  { header, steps, isUndone }: RunRecord & { readonly isUndone: boolean },
  isBrief: boolean,
): PlainObject {
  const { catalog: _, version: __, changes: ___, scope: ____, ...rest } = header;
  const { run, time, command: words, baseUrl, ...origin } = rest;
  const counts = countOutcomes(steps);
  if (!isBrief) return { run, time, command: words, baseUrl, counts, undone: isUndone, ...origin };
  const { created, updated, deleted, failed, unknown } = counts;
  const signs = Object.entries({ "+": created, "~": updated, "\u2212": deleted });
  const done = signs.filter(([, count]) => count > 0).map((sign) => sign.join(""));
  const parts = [done.join(" "), ...listCounts({ failed, unknown }), isUndone ? "undone" : ""];
  return {
    ...rest,
    changes: parts.filter(Boolean).join(", ") || null,
    service: parseUrl(baseUrl)?.host ?? baseUrl,
  };
}

async function showRun(
  run: string,
  report: readonly ReportTarget[],
  context: Context,
): Promise<void> {
  const { io, messages, options, styles } = context;
  const { header, steps } = findNamedRun(run, context);
  const courses = steps.map(({ step, status }) => {
    const { error: _, ...row } = resultRow({ step, status });
    return { ...row, fields: listChanges(step) };
  });
  if (options.format === undefined && options.fields === undefined) {
    await messages.info(escapeLine(describeRun(header)));
    const entries = toPlanEntries(steps.map(({ step }) => step)).map((entry, index) => {
      const { status = "done" } = steps[index] ?? {};
      return { ...entry, note: status === "done" ? undefined : status };
    });
    await io.out.write(await differencesText(entries, styles, io.out));
  } else {
    await printRows(courses, { optional: ["file"] }, context);
  }
  const text = async (): Promise<string> => {
    const { runPage } = await import("../output/page/report-page.ts");
    return runPage({ header, steps }, messages.failures);
  };
  await writeReports(report, text, context);
}

function describeRun(header: RecordHeader) {
  const { run, command: words, time, baseUrl, actor, user, note, review } = header;
  const by = actor ?? user;
  const facts = [
    ...[words, briefTime(time), baseUrl, ...(by === undefined ? [] : [`by ${by}`])],
    ...(review === undefined
      ? []
      : [`reviewed by ${truncate(review.by)} at ${briefTime(review.at)}`]),
  ].join(", ");
  return `Run ${run}: ${facts}${note === undefined ? "" : `: ${note}`}`;
}
