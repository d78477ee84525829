/** Writes the reports of a run. They are complete even if the run fails. */
import { asCatalogError, CatalogError } from "../base/errors.ts";
import { isObject } from "../base/values.ts";
import { RULES } from "../course/problem.ts";
import type { SourceCourse } from "../files/course-file.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import type { CheckReport, ReportedResult } from "../output/diagnostics.ts";
import { failureSummary } from "../output/failure.ts";
import { githubAnnotations } from "../output/github-annotations.ts";
import type { Step } from "../sync/step.ts";
import type { Context } from "./context.ts";
import { isImportant } from "./course-files.ts";
import { ReportedError } from "./exit-codes.ts";
import { publishReport } from "./published-report.ts";
import {
  checkReports,
  hasPage,
  REPORT_FLAG,
  type ReportTarget,
  requireDifferentFiles,
  writeReports,
} from "./report-flag.ts";
import { describeResult, type Result, toRow } from "./results.ts";

/** The facts about a run that its reports contain. */
export interface RunState extends Partial<Omit<CheckReport, "command" | "time" | "results">> {
  /** Every course of the files. Without results, reports list them as skipped. */
  readonly courseSources?: readonly SourceCourse[];
  readonly outcomes?: readonly Result[];
  readonly steps?: readonly Step[];
}

type Needs = Pick<
  Context,
  "clock" | "environment" | "folder" | "io" | "messages" | "path" | "stop"
> & { readonly options: Pick<Context["options"], "format"> };

/** The end of a run: the facts for its reports, and an exit code that replaces the code of its failures. */
export interface Ended {
  readonly known: RunState;
  readonly code?: number | undefined;
}

/** An error that ended a run, with the facts about the run until then. */
class EndedEarly extends Error {
  readonly error: CatalogError;
  readonly known: RunState;

  constructor(error: CatalogError, known: RunState) {
    super(error.message);
    this.error = error;
    this.known = known;
  }
}

/** Does a part of a run. If it throws, the reports contain the facts from before it. */
export async function withKnown<Value>(
  known: () => RunState | Promise<RunState>,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof EndedEarly) throw thrown;
    throw new EndedEarly(asCatalogError(thrown), await known());
  }
}

/**
 * Does the work, then writes the reports and, in GitHub Actions, annotations. Each of them contains every failure that
 * was printed or thrown during the work.
 *
 * @returns the exit code, if it does not follow from the failures
 * @throws CatalogError if the work throws
 */
export async function runReported(
  targets: readonly ReportTarget[],
  context: Needs,
  work: () => Promise<Ended>,
): Promise<number | undefined> {
  const { clock } = context;
  const [start, began] = [clock.now(), clock.monotonic()];
  let known: RunState = {};
  let thrown: CatalogError | undefined;
  try {
    const ended = await work();
    known = ended.known;
    return ended.code;
  } catch (error) {
    if (error instanceof EndedEarly) known = error.known;
    thrown = error instanceof EndedEarly ? error.error : asCatalogError(error);
    throw thrown;
  } finally {
    const time = { start, duration: clock.monotonic() - began };
    const report = { ...(await completeReport(known, targets, { ...context, thrown })), time };
    const unwritten = await writeReports(targets, checkReports(report, context), context);
    await annotate({ ...report, failures: [...(report.failures ?? []), ...unwritten] }, context);
  }
}

const CHECK = "courses check";

const REPORTED: ReadonlySet<string> = new Set([CHECK, "courses diff", "courses push"]);

/** The files that the flags of a command line name, as typed. */
export interface TypedFiles {
  readonly report: readonly string[];
  readonly record?: string | undefined;
  readonly out?: string | undefined;
}

/** Writes the reports of a command line that was refused before its command ran. */
export async function reportRefusal(
  error: CatalogError,
  { report, record, out }: TypedFiles,
  context: Needs,
): Promise<void> {
  if (!REPORTED.has(context.path)) return;
  try {
    const targets = report.map((text) => REPORT_FLAG.parse(text));
    requireDifferentFiles(targets, out, record);
    await runReported(targets, context, () => Promise.reject(error));
  } catch {
    // The caller prints the refusal.
  }
}

async function completeReport(
  { courseSources = [], outcomes, steps = [], ...state }: RunState,
  targets: readonly ReportTarget[],
  { messages, path, stop, thrown }: Needs & { readonly thrown: CatalogError | undefined },
): Promise<CheckReport> {
  const failures = new Set([...(state.failures ?? []), ...messages.failures]);
  if (thrown !== undefined && !(thrown instanceof ReportedError)) failures.add(thrown);
  if (stop.reason !== undefined && thrown?.kind !== "interrupted") {
    failures.add(new CatalogError("interrupted", "the run was stopped before it was complete"));
  }
  const diagnostics = [...(state.diagnostics ?? [])];
  const others: CatalogError[] = [];
  const keyOf = (file: unknown, message: string): string => JSON.stringify([file, message]);
  const found = new Set(diagnostics.map(({ file, message }) => keyOf(file, message)));
  for (const failure of failures) {
    if (found.has(keyOf(failure.facts.file, failure.message))) continue;
    const diagnostic = locatedFailure(failure);
    if (diagnostic === undefined) others.push(failure);
    else diagnostics.push(diagnostic);
  }
  const report = { files: [], courses: 0, ...state, diagnostics, failures: others };
  const isCheck = path === CHECK;
  // Only reports need the lines of courses, which take time to find.
  const isReported = targets.length > 0 && !isCheck;
  const results = isReported ? await describeResults(courseSources, outcomes) : [];
  const known = isCheck ? report : { ...report, command: `catalog ${path}`, results };
  if (!hasPage(targets)) return known;
  const { reportCards } = await import("./report-cards.ts");
  const problems = new Set(diagnostics.map(({ course }) => course));
  const run = { sources: courseSources, steps, results, plan: state.plan, problems };
  return { ...known, cards: await reportCards(run) };
}

async function describeResults(
  sources: readonly SourceCourse[],
  outcomes: readonly Result[] | undefined,
): Promise<ReportedResult[]> {
  if (outcomes !== undefined) {
    return await Promise.all(
      outcomes.map(async (result) => {
        const { duration } = result;
        return { ...(await toRow(result)), seconds: duration && duration / 1000 };
      }),
    );
  }
  return await Promise.all(
    sources.map(async (source) => {
      const { name, url } = isObject(source.value) ? source.value : {};
      const from = { file: source.file.name, line: source.line };
      const described = await describeResult({ id: null, name, url, from });
      return { ...described, action: null, status: "skipped" };
    }),
  );
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

/** Annotates problems and failures in GitHub Actions. `check` prints the annotations of its problems itself. */
async function annotate(report: CheckReport, context: Needs): Promise<void> {
  const { environment, options, io } = context;
  if (environment.GITHUB_ACTIONS !== "true" || options.format !== undefined) return;
  const isCheck = report.command === undefined;
  const diagnostics = isCheck ? [] : report.diagnostics.filter(isImportant);
  const shown = publishReport({ ...report, diagnostics }, context);
  await io.err.write(githubAnnotations(shown), "verbatim");
}
