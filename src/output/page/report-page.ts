/** Writes pages of `--report html=<file>`: the result of a run, or past runs (docs/how-to/review-changes.md). */
import type { CatalogError } from "../../base/errors.ts";
import { joinList, pluralize } from "../../base/text.ts";
import type { PlainObject } from "../../base/values.ts";
import type { Summary } from "../../core/apply.ts";
import type { RecordHeader } from "../../core/record.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { briefTime } from "../cells.ts";
import {
  type CheckReport,
  commandOf,
  describeTarget,
  type ReportedCard,
  type ReportedResult,
  type ReportedStep,
  splitBySeverity,
  summaryText,
} from "../diagnostics.ts";
import { failureFacts } from "../failure.ts";
import { listCounts } from "../plan.ts";
import { plain } from "../text-measure.ts";
import type { CourseCard, CourseState } from "./course-card.ts";
import { humanize } from "./labels.ts";
import { renderPage } from "./page.ts";

const FAILED = "This run failed";

function errorsText(diagnostics: readonly Diagnostic[]): string | undefined {
  const { errors } = splitBySeverity(diagnostics);
  return errors.length === 0 ? undefined : `${pluralize(errors.length, "error")} to correct`;
}

/** The page of a run: target, counts, failures, and a card for each course. */
export function reportPage(report: CheckReport): string {
  const { cards = [], diagnostics, failures = [], target, time } = report;
  const { plan, outcome = [], notices = [] } = report;
  const { shown, others } = attachProblems(cards, diagnostics);
  // A plan, or the catalog, has no files.
  const found = report.files.length === 0 ? [] : [`${summaryText(report, plain)}.`];
  const providers = new Map(Object.entries(report.providers ?? {}));
  return renderPage({
    title: commandOf(report),
    facts: [
      ...(target === undefined ? [] : [["Target", describeTarget(target)] as const]),
      ...(time ? [["Time", `${briefTime(new Date(time.start).toISOString())} UTC`] as const] : []),
    ],
    outcome: [...outcome, ...found, ...notices],
    risks: plan?.risks ?? [],
    banner: failures.length > 0 ? FAILED : errorsText(diagnostics),
    failures: failures.map(failureFacts),
    problems: others,
    cards: shown,
    providers,
  });
}

/** The cards with the problems of their courses, and the problems that belong to no card. */
function attachProblems(
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

/** A run of the history, with the courses that it changed or tried to change. */
interface ReportedRun {
  readonly header: RecordHeader;
  readonly counts: Summary;
  readonly courses: readonly ReportedCourse[];
  /** Other reports that could not be written. */
  readonly failures: readonly CatalogError[];
}

/** The page of a run of the history. */
export function runPage({ header, counts, courses, failures }: ReportedRun): string {
  const { command, run, time, baseUrl, target = baseUrl, user, actor = user } = header;
  const { created, updated, deleted, failed, unknown } = counts;
  const facts = {
    Run: run,
    Target: target,
    Time: `${briefTime(time)} UTC`,
    By: actor,
    Commit: header.commit,
    Job: header.runUrl,
    Note: header.note,
  };
  const changes = joinList(listCounts({ created, updated, deleted, failed, unknown }), "and");
  return renderPage({
    title: `catalog ${command}`,
    facts: Object.entries(facts).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, text] as const],
    ),
    outcome: [`${changes || "Nothing changed"}.`],
    banner: failed + unknown + failures.length > 0 ? FAILED : undefined,
    failures: failures.map(failureFacts),
    cards: courses.map((course) => cardOf(course)),
    providers: new Map(),
  });
}

/** A course of a plan, a run or the catalog, with what was done with the course. */
type ReportedCourse = Pick<ReportedStep, "id" | "name" | "url" | "action" | "fields"> &
  Partial<Pick<ReportedResult, "status" | "error" | "line">> & { readonly file?: string | null };

/** The card of a course with its changes. @param whole the known fields of the course after the changes */
export function cardOf(reported: ReportedCourse, whole?: PlainObject): CourseCard {
  const { id, name, url, file, line, action, fields, status = "planned", error } = reported;
  const isNew = action === "create";
  const isGone = action === "delete";
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

const KINDS: Readonly<Record<string, CourseState["kind"]>> = {
  create: "new",
  delete: "deleted",
  unchanged: "same",
};

/** The words of what happens to a course, and of a result that is neither planned nor done. */
const WORDS = new Map(
  Object.entries({
    create: "New",
    update: "Change",
    delete: "Deletion",
    unknown: "outcome unknown",
    skipped: "not sent",
  }),
);

function stateOf(action: string, status: string): CourseState {
  const text = WORDS.get(action) ?? humanize(action);
  const isFailed = status === "failed" || status === "unknown";
  const kind = isFailed ? "failed" : (KINDS[action] ?? "changed");
  const isSure = status === "planned" || status === "done" || status === action;
  return { kind, text: isSure ? text : `${text}: ${WORDS.get(status) ?? status}` };
}
