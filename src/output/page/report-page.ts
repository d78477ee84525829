/** Writes pages of `--report html=<file>`: the result of a run, or past runs (docs/how-to/review-changes.md). */
import type { CatalogError } from "../../base/errors.ts";
import { joinList, pluralize } from "../../base/text.ts";
import type { PlainObject } from "../../base/values.ts";
import { countOutcomes, type Outcome } from "../../core/apply.ts";
import type { RunRecord } from "../../core/record.ts";
import { addRisks } from "../../core/risks.ts";
import { describeAction, listChanges, type Step, type StepChange } from "../../core/step.ts";
import type { Diagnostic } from "../../files/diagnostic.ts";
import { briefTime } from "../cells.ts";
import {
  type CheckReport,
  type CourseCard,
  type CourseState,
  commandOf,
  describeTarget,
  splitBySeverity,
  summaryText,
} from "../diagnostics.ts";
import { failureFacts } from "../failure.ts";
import { listCounts, listRisks } from "../plan-text.ts";
import { plain } from "../text-measure.ts";
import { TECHNICAL } from "./card.ts";
import { renderPage } from "./page.ts";
import { humanize } from "./values.ts";

/** The page of a run: target, counts, failures, and a card for each course. */
export function reportPage(report: CheckReport): string {
  const { cards = [], diagnostics, failures = [], target, time } = report;
  const { plan, outcome = [], notices = [] } = report;
  const { shown, others } = attachProblems(cards, diagnostics);
  // A plan, or the catalog, has no files.
  const found = report.files.length === 0 ? [] : [`${summaryText(report, plain)}.`];
  const providers = new Map(Object.entries(report.providers ?? {}));
  return renderPage({
    title: titleOf(report),
    facts: {
      Command: commandOf(report),
      Target: target && describeTarget(target),
      Time: time && `${briefTime(new Date(time.start).toISOString())} UTC`,
    },
    outcome: [...outcome, ...found, ...notices.map(({ text }) => text)],
    risks: plan?.risks ?? [],
    failures: failures.map(failureFacts),
    problems: others,
    cards: shown,
    providers,
    planText: report.planText,
  });
}

/** What a page shows, in a few words: `6 errors`, `4 changes to review`. */
function titleOf({ courses, diagnostics, failures = [], plan, results = [] }: CheckReport): string {
  const { errors, warnings } = splitBySeverity(diagnostics);
  if (errors.length > 0) return pluralize(errors.length, "error");
  if (failures.length > 0) return pluralize(failures.length, "failure");
  if (plan !== undefined) {
    const isPlanned = results.some(({ status }) => status === "planned");
    return changesTitle(plan.steps.length, isPlanned ? " to review" : "");
  }
  const found = warnings.length === 0 ? "" : `, ${pluralize(warnings.length, "warning")}`;
  return `${pluralize(courses, "course")}${found}`;
}

function changesTitle(count: number, what = ""): string {
  return count === 0 ? "No changes" : `${pluralize(count, "change")}${what}`;
}

/** The cards with the problems of their courses, and the problems that belong to no card. */
function attachProblems(cards: readonly CourseCard[], diagnostics: readonly Diagnostic[]) {
  const byCourse = new Map<string, Diagnostic[]>();
  for (const { key } of cards) if (key !== undefined) byCourse.set(key, []);
  const others: Diagnostic[] = [];
  for (const found of diagnostics) (byCourse.get(found.course ?? "") ?? others).push(found);
  const shown = cards.map((card) => ({ ...card, problems: byCourse.get(card.key ?? "") ?? [] }));
  return { shown, others };
}

/** The page of a run of the history. @param failures other reports that could not be written */
export function runPage(
  { header, steps }: Pick<RunRecord, "header" | "steps">,
  failures: readonly CatalogError[],
): string {
  const { command, run, time, baseUrl, target = baseUrl, user, actor = user, review } = header;
  const { created, updated, deleted, failed, unknown } = countOutcomes(steps);
  const facts = {
    Command: `catalog ${command}`,
    Run: run,
    Target: target,
    Time: `${briefTime(time)} UTC`,
    By: actor,
    Commit: header.commit,
    Job: header.runUrl,
    Note: header.note,
    Reviewed: review && `by ${review.by}, ${briefTime(review.at)} UTC`,
  };
  const changes = joinList(listCounts({ created, updated, deleted, failed, unknown }), "and");
  return renderPage({
    title: changesTitle(created + updated + deleted),
    facts,
    outcome: [`${changes || "Nothing changed"}.`],
    risks: listRisks(addRisks(steps.map(({ step }) => step))),
    failures: failures.map(failureFacts),
    cards: steps.map((each) => cardOf(each)),
    providers: new Map(),
  });
}

/** The card of a course of a plan or run. @param isDecided whether a reader decides on the change */
export function cardOf({ step, status, error }: Outcome, isDecided = false): CourseCard {
  const { id, name, url, from } = step;
  return {
    id,
    course: { name, url, id, ...knownOf(step) },
    file: from?.file,
    line: from?.line,
    changes: changesOf(step, isDecided),
    state:
      step.action === "unchanged"
        ? stateOf(describeAction(step), "done")
        : step.action === "refused"
          ? stateOf(step.wanted, step.reason ?? status)
          : stateOf(step.action, status),
    failure: error && failureFacts(error),
  };
}

/** What is known about the course of a step after its changes. */
function knownOf(step: Step): PlainObject {
  if (step.action === "delete") return step.before;
  const remote = step.action === "update" ? step.remote : undefined;
  return { ...remote, ...step.from?.value, ...("body" in step ? step.body : {}) };
}

/** The fields of a new or deleted course that a table of changes shows: every field would be a change. */
const BRIEF: ReadonlySet<unknown> = new Set(["url", "short_description", "prices"]);

/** Fields with amounts, which are one change each, because an amount needs its currency. */
const PRICED = ["prices", "certificate"];

function changesOf(step: Step, isDecided: boolean): StepChange[] {
  const changes = listChanges(step);
  if (isDecided && step.action === "create") {
    return changes.filter(({ path: [name] }) => !TECHNICAL.includes(String(name)));
  }
  if (step.action === "create" || step.action === "delete") {
    return changes.filter(({ path: [name] }) => BRIEF.has(name));
  }
  if (step.action !== "update") return changes;
  const { body, before } = step;
  const whole = PRICED.filter((name) => Object.hasOwn(body, name));
  return [
    ...whole.map((name) => {
      const change = changes.find(({ path }) => path[0] === name);
      return { ...change, path: [name], old: before[name], new: body[name] };
    }),
    ...changes.filter(({ path }) => !whole.includes(String(path[0]))),
  ];
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
