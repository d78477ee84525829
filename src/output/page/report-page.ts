/** Writes pages of `--report html=<file>`: the result of a run, or past runs (docs/how-to/review-courses-in-a-browser.md). */
import { joinList, pluralize } from "../../base/text.ts";
import type { PlainObject } from "../../base/values.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { plain } from "../color.ts";
import {
  type CheckReport,
  commandOf,
  describeTarget,
  type ReportedCard,
  type ReportedResult,
  type ReportedStep,
  summaryText,
} from "../diagnostics.ts";
import { failureFacts } from "../failure.ts";
import { listCounts } from "../plan.ts";
import type { HistoryReport, ReportedRun } from "../report-history.ts";
import type { CourseCard, CourseState } from "./course-card.ts";
import { groupByProvider } from "./group-cards.ts";
import { type CardGroup, renderPage } from "./page.ts";

const TITLES: Readonly<Record<string, string>> = {
  "catalog courses check": "Check of course files",
  "catalog courses diff": "Changes to review",
  "catalog courses push": "Push of course files",
};

/** The page of a run: target, counts, failures, and a card for each course. */
export function reportPage(report: CheckReport): string {
  const { cards = [], diagnostics, failures = [], outcome = [], target, time } = report;
  const command = commandOf(report);
  const { shown, others } = attachProblems(cards, diagnostics);
  const found = summaryText(report, plain);
  const providers = new Map(Object.entries(report.providers ?? {}));
  return renderPage({
    title: TITLES[command] ?? command,
    facts: [
      ["Command", command],
      ...(target === undefined ? [] : [["Target", describeTarget(target)] as const]),
      ...(time ? [["Time", timeText(new Date(time.start).toISOString())] as const] : []),
    ],
    outcome: [...outcome, `${found}.`],
    isFailed: failures.length > 0 || diagnostics.some(({ severity }) => severity === "error"),
    failures: failures.map(failureFacts),
    problems: others,
    groups: groupByProvider(shown, { providers }),
    providers,
  });
}

/** The cards with the problems of their courses, and the problems that belong to no card. */
export function attachProblems(
  cards: readonly ReportedCard[],
  diagnostics: readonly Diagnostic[],
): { readonly shown: readonly CourseCard[]; readonly others: readonly Diagnostic[] } {
  const byCourse = new Map<string, Diagnostic[]>();
  for (const { key } of cards) if (key !== undefined) byCourse.set(key, []);
  const others: Diagnostic[] = [];
  for (const found of diagnostics) (byCourse.get(found.course ?? "") ?? others).push(found);
  const shown = cards.map((card) => ({ ...card, problems: byCourse.get(card.key ?? "") ?? [] }));
  return { shown, others };
}

/** The page of past runs and the courses that they changed. */
export function historyReportPage({ time, runs, failures }: HistoryReport): string {
  return renderPage({
    title: "History of the catalog",
    facts: [["Time", timeText(time)]],
    outcome: [`${pluralize(runs.length, "run")}.`],
    isFailed: failures.length > 0,
    failures: failures.map(failureFacts),
    groups: runs.map(runGroup),
    providers: new Map(),
  });
}

function runGroup(run: ReportedRun): CardGroup {
  const { command, time, courses, undone, created, updated, deleted, failed, unknown } = run;
  const counts = joinList(listCounts({ created, updated, deleted, failed, unknown }), "and");
  const who = run.actor ?? run.user;
  const facts = [
    `${counts || "nothing changed"}${undone ? "; undone later" : ""}`,
    run.target ?? run.baseUrl,
    ...(who === undefined ? [] : [`by ${who}`]),
    ...(run.commit === undefined ? [] : [`commit ${run.commit}`]),
    ...(run.runUrl === undefined ? [] : [run.runUrl]),
    ...(run.note === undefined ? [] : [run.note]),
    `run ${run.run}`,
  ];
  const cards = courses.map((course) => cardOf(course));
  return { title: `${timeText(time)}: ${command}`, facts, cards };
}

/** `2026-11-24 14:40 UTC`. @param time in ISO 8601, in UTC */
export function timeText(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, "$1 $2 UTC");
}

/** A course of a plan, a run or the catalog, with what was done with the course. */
type ReportedCourse = Pick<ReportedStep, "id" | "name" | "url" | "action" | "fields"> &
  Partial<Pick<ReportedResult, "status" | "error" | "line">> & { readonly file?: string | null };

/** The card of a course with its changes. @param whole the known fields of the course after the changes */
export function cardOf(reported: ReportedCourse, whole?: PlainObject): CourseCard {
  const { id, name, url, file, line, action, fields, status = "planned", error } = reported;
  const isNew = action === "create" || action === "added";
  const isGone = action === "delete" || action === "deleted";
  const values = fields.flatMap(({ path, old, new: value }) =>
    path.length === 1 ? [[path[0], isGone ? old : value]] : [],
  );
  const known: PlainObject = { name, url, id, ...Object.fromEntries(values), ...whole };
  return {
    course: known,
    ...{ file, line },
    // Every value of a new or a deleted course would be a change.
    changes: isNew || isGone ? [] : fields,
    state: stateOf(action, status),
    failure: error,
  };
}

const ACTIONS: Readonly<
  Record<string, readonly [kind: CourseState["kind"], planned: string, done: string]>
> = {
  create: ["new", "New", "Created"],
  update: ["changed", "Changed", "Updated"],
  delete: ["deleted", "To be deleted", "Deleted"],
  unchanged: ["same", "Unchanged", "Unchanged"],
  added: ["new", "Added in the catalog", ""],
  deleted: ["deleted", "Deleted in the catalog", ""],
  changed: ["changed", "Changed in the catalog", ""],
  published: ["changed", "Published in the catalog", ""],
  unpublished: ["changed", "Unpublished in the catalog", ""],
};

const FAILURES = new Map([
  ["failed", "failed"],
  ["unknown", "outcome unknown"],
]);

function stateOf(action: string, status: string): CourseState {
  const [kind, planned, done] = ACTIONS[action] ?? ["changed", action, action];
  const failure = FAILURES.get(status);
  if (failure !== undefined) return { kind: "failed", text: `${planned}: ${failure}` };
  if (status === "skipped") return { kind, text: `${planned}: not sent` };
  return { kind, text: status === "done" ? done : planned };
}
