/** What is known about a run. Its reports are written once, when the run ends, however it ends. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import type { Outcome } from "../core/apply.ts";
import type { Many } from "../core/risks.ts";
import { isWrite, listChanges } from "../core/step.ts";
import { RULES } from "../course/problem.ts";
import { type Provider, providerNames } from "../course/provider.ts";
import type { SourceCourse } from "../files/course-file.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import type { CheckReport, ReportedResult, Target } from "../output/diagnostics.ts";
import { failureSummary } from "../output/failure.ts";
import { githubAnnotations } from "../output/github-annotations.ts";
import { listRisks } from "../output/plan.ts";
import { ReportedError } from "./command.ts";
import type { Context } from "./context.ts";
import { isImportant } from "./course-files.ts";
import { hasPage, publishReport, type ReportTarget, writeReports } from "./reports.ts";
import { toRow } from "./results.ts";
import { toPlanEntries } from "./show-steps.ts";

/** The facts of a run. Its entries add what they find out. */
export class Report {
  /** The names of the files in order. */
  files: readonly string[] = [];
  /** Every course of the files. */
  courses: readonly SourceCourse[] = [];
  /** How many courses the files have, if not all of them are in memory. */
  courseCount: number | undefined;
  diagnostics: readonly Diagnostic[] = [];
  providers: readonly Provider[] = [];
  target: Target | undefined;
  /** Undefined until the steps are known; in the order of the steps. */
  outcomes: readonly Outcome[] | undefined;
  /** The field that changes in many courses. */
  many: Many | undefined;
  /** Sentences about what was done. */
  sentences: readonly string[] = [];
  /** What the user should know about the plan. */
  notices: readonly string[] = [];
}

const CHECK = "courses check";

/**
 * Does the work, then writes the reports and, in GitHub Actions, annotations. Each of them contains every failure that
 * was printed or thrown before it.
 *
 * @returns the exit code, if it does not follow from the failures
 * @throws CatalogError if the work throws
 */
export async function reporting(
  targets: readonly ReportTarget[],
  context: Context,
  work: (report: Report) => Promise<number | undefined>,
): Promise<number | undefined> {
  const { clock, messages, environment, options, io, path } = context;
  const [start, began] = [clock.now(), clock.monotonic()];
  const report = new Report();
  let thrown: CatalogError | undefined;
  try {
    return await work(report);
  } catch (error) {
    thrown = asCatalogError(error);
    throw thrown;
  } finally {
    const time = { start, duration: clock.monotonic() - began };
    const { failures, ...complete } = await completeReport(report, targets, thrown, context);
    const before = messages.failures.length;
    const published = (diagnostics = complete.diagnostics): CheckReport => {
      const all = [...failures, ...messages.failures.slice(before)];
      return publishReport({ ...complete, diagnostics, failures: all, time }, context);
    };
    const text = async (format: ReportTarget["format"]): Promise<string> =>
      (await import("../output/report.ts")).reportText(format, published());
    await writeReports(targets, report.files, text, context);
    if (environment.GITHUB_ACTIONS === "true" && options.format === undefined) {
      // `check` prints the annotations of its problems itself.
      const own = path === CHECK ? [] : complete.diagnostics.filter(isImportant);
      await io.err.write(githubAnnotations(published(own)), "verbatim");
    }
  }
}

async function completeReport(
  { courses, many, outcomes, target, ...known }: Report,
  targets: readonly ReportTarget[],
  thrown: CatalogError | undefined,
  { messages, path, stop }: Context,
) {
  const failures = new Set(messages.failures);
  if (thrown !== undefined && !(thrown instanceof ReportedError)) failures.add(thrown);
  if (stop.reason !== undefined && thrown?.kind !== "interrupted") {
    failures.add(new CatalogError("interrupted", "the run was stopped before it was complete"));
  }
  const diagnostics = [...known.diagnostics];
  const others: CatalogError[] = [];
  const keyOf = (file: unknown, message: string): string => JSON.stringify([file, message]);
  const found = new Set(diagnostics.map(({ file, message }) => keyOf(file, message)));
  for (const failure of failures) {
    if (found.has(keyOf(failure.facts.file, failure.message))) continue;
    const diagnostic = locatedFailure(failure);
    if (diagnostic === undefined) others.push(failure);
    else diagnostics.push(diagnostic);
  }
  const report = {
    files: known.files,
    courses: known.courseCount ?? courses.length,
    diagnostics,
    failures: others,
    target,
    outcome: known.sentences,
    notices: [...messages.warnings, ...known.notices],
    providers: providerNames(known.providers),
  };
  const pages = hasPage(targets) ? await import("./reports.ts") : undefined;
  if (path === CHECK) return { ...report, cards: pages?.reportCards(courses) };
  const command = `catalog ${path}`;
  if (targets.length === 0) return { ...report, command };
  const results = outcomes?.map((outcome): ReportedResult => {
    const { duration } = outcome;
    return { ...toRow(outcome), seconds: duration && duration / 1000 };
  });
  const steps = (outcomes ?? []).map(({ step }) => step);
  const changes = steps.flatMap((step, index) => {
    const row = results?.[index];
    if (row === undefined || !(isWrite(step) || step.compared?.left !== undefined)) return [];
    return { ...row, action: isWrite(step) ? step.action : "update", fields: listChanges(step) };
  });
  const risks = listRisks(toPlanEntries(steps), many);
  const plan = { risks, steps: changes };
  const cards = pages?.reportCards(courses, outcomes, diagnostics);
  return { ...report, command, ...(results && { results }), plan, cards };
}

/** The problem of a failure with a rule and a position in a file; undefined for other failures. */
function locatedFailure(failure: CatalogError): Diagnostic | undefined {
  const { file, line, column = 1, excerpt, rule: id } = failure.facts;
  const rule = RULES.find((each) => each === id);
  if (file === undefined || line === undefined || rule === undefined) return undefined;
  return {
    endLine: line,
    endColumn: column,
    ...excerpt,
    ...{ file, line, column },
    severity: "error",
    rule,
    message: failureSummary(failure),
    path: [],
  };
}
