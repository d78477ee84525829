/** Describes the result of a check: as a summary for people, and as plain data for reports. */
import { maskValue } from "../base/credentials.ts";
import type { CatalogError } from "../base/errors.ts";
import {
  escapeLine,
  formatNumber,
  joinList,
  pluralize,
  truncate,
  truncateJson,
} from "../base/text.ts";
import { changedFields, type PlainObject } from "../base/values.ts";
import type { Outcome } from "../core/apply.ts";
import type { Risk, Step, StepChange } from "../core/step.ts";
import type { Located, RuleId } from "../course/problem.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { type FailureFacts, failureFacts, failureSummary, maskFailure } from "./failure.ts";
import type { ListedRisk } from "./plan-text.ts";
import { plain, type Styles } from "./text-measure.ts";

/** A warning or a notice of a run, and the place that it is about. */
export type Remark = Pick<ReportEntry, "text" | "file" | "line">;

/** The result of a run of `check`, `diff` or `push`, from which every report is written. */
export interface CheckReport {
  /** The command; `catalog courses check` by default. */
  readonly command?: string;
  /** The paths that were given; what has no place of its own is at the first one. */
  readonly paths?: readonly string[] | undefined;
  /** The names of the files in order, with unreadable files, without entries that are not files. */
  readonly files: readonly string[];
  /** How many courses the files contain. */
  readonly courses: number;
  /** The problems of each file in the order of their positions; then those that need the catalog. */
  readonly diagnostics: readonly Diagnostic[];
  /** The service and the account that the run changes, or would change. */
  readonly target?: Target | undefined;
  /** Sentences about what was done with the courses after the check. */
  readonly outcome?: readonly string[] | undefined;
  /** Warnings and notices of the run that are not problems of courses. */
  readonly notices?: readonly Remark[] | undefined;
  /** Why the run failed, apart from problems of files. */
  readonly failures?: readonly CatalogError[] | undefined;
  /** When the run began, in milliseconds since 1970, and how many milliseconds it took. */
  readonly time?: { readonly start: number; readonly duration: number };
  /** What was done with each course, or is planned. */
  readonly results?: readonly ReportedResult[] | undefined;
  /** What a push would change. */
  readonly plan?:
    | {
        /** What to look at first. */
        readonly risks: readonly ListedRisk[];
        readonly steps: readonly ReportedStep[];
      }
    | undefined;
  /** The plan that the run saved, on which a page decides; absent if it contains secrets. */
  readonly planText?: string | undefined;
  /** The courses as pages show them; absent if no page was asked for. */
  readonly cards?: readonly CourseCard[] | undefined;
  /** The names of the columns, if all courses are those of one table. */
  readonly columns?: readonly string[] | undefined;
  /** The courses that workbooks remember. */
  readonly remembered?: readonly PlainObject[] | undefined;
  /** The names of providers by their ids and slugs in lowercase. */
  readonly providers?: Readonly<Record<string, string>>;
}

/** A course with the facts that a card shows. */
export interface CourseCard {
  /** The id of the step that changes the course. */
  readonly id?: string;
  /** The same value as `course` of the diagnostics of this course. */
  readonly key?: string | undefined;
  /** The fields of the course after all changes; of any type, because a file may contain anything. */
  readonly course: unknown;
  /** The course file and the line in it. */
  readonly file?: string | null | undefined;
  readonly line?: number | null | undefined;
  /** The cells of the row of the course, by the names of their columns. */
  readonly cells?: PlainObject | undefined;
  readonly problems?: readonly Diagnostic[];
  /** What happens or happened to the course. */
  readonly state?: CourseState | undefined;
  /** The changes, with old and new values; none if the course is created or deleted. */
  readonly changes?: readonly StepChange[];
  /** Why the course was not changed. */
  readonly failure?: FailureFacts | undefined;
}

/** What happens or happened to a course, in words, and the kind of change that decides about the color. */
export interface CourseState {
  readonly text: string;
  readonly kind: "new" | "changed" | "deleted" | "same" | "failed";
}

/** The service and the account that a run changes. */
export interface Target {
  readonly baseUrl: string;
  /** Whether it is the sandbox that runs the command, and ends with it. */
  readonly sandbox?: true | undefined;
  /** The names of the user's providers. */
  readonly providers: readonly string[];
  readonly profile?: string | undefined;
  /** The settings that a project config file decided, of `profile`, `apiKey` and `complete`; and that file. */
  readonly decided?: readonly string[];
  readonly file?: string | undefined;
}

/**
 * `https://api.example as Example Academy (profile production)`; several providers are counted: `(2 providers)`. The port
 * of a sandbox that ends with the command says nothing.
 */
export function describeTarget(target: Target): string {
  const { baseUrl, sandbox, providers, profile, decided = [], file } = target;
  const [name = "", ...others] = providers;
  const count = others.length === 0 ? [] : [pluralize(providers.length, "provider")];
  const owner = name === "" || others.length > 0 ? "" : ` as ${escapeLine(truncate(name))}`;
  const facts = [...count, ...(profile === undefined ? [] : [`profile ${profile}`])].join(", ");
  const named = decided.map((setting) => (setting === "apiKey" ? "API key" : setting));
  const by = named.length === 0 ? "" : `; ${joinList(named, "and")} from ${file}`;
  return `${sandbox ? "the sandbox" : baseUrl}${owner}${facts && ` (${facts})`}${by}`;
}

/** One course of a plan, with old and new values. */
export interface ReportedStep extends Omit<ReportedResult, "action"> {
  /** What is done with the course, or what happened to it in the catalog. */
  readonly action: string;
  readonly fields: readonly StepChange[];
}

/** The result for one course: of a step, or of a course of a file that is written. */
export interface Result extends Pick<Outcome, "status" | "error"> {
  /** What was to be done with the course. */
  readonly step: {
    readonly id: string | null;
    readonly name: unknown;
    readonly url: unknown;
    /** Where the course is described. */
    readonly from?: Pick<Located, "file" | "line"> | undefined;
    readonly action: Step["action"];
    /** What a refused step would have done. */
    readonly wanted?: Step["action"];
    /** The fields that the course has in the catalog, and that are missing from its file. */
    readonly unmanaged?: readonly string[] | undefined;
    readonly risks?: readonly Risk[] | undefined;
    readonly compared?: Step["compared"];
    readonly reason?: string;
  };
}

/** A result as plain data for JSON. Unknown values are null. */
export function toRow({ step, status, error }: Result) {
  const { id, name, url, from, action, wanted = action, unmanaged, risks = [], compared } = step;
  const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    id,
    name: textOf(name),
    url: textOf(url),
    file: from?.file ?? null,
    line: from?.line ?? null,
    action: wanted,
    status,
    error: error && failureFacts(error),
    reason: step.reason,
    unmanaged,
    risks: risks.length === 0 ? undefined : [...new Set(risks.map(({ kind }) => kind))],
    inCatalog: compared?.event,
  };
}

/** What was done with one course, as `--json` prints it. */
export type ReportedResult = ReturnType<typeof toRow>;

/** The name of the command that made a report, as reports show it. */
export function commandOf({ command = "catalog courses check" }: CheckReport): string {
  return command;
}

/** A report with secrets masked. */
export function maskReport(report: CheckReport, mask: (text: string) => string): CheckReport {
  const { failures = [], planText, ...data } = report;
  const masked = maskValue(data, mask) as CheckReport;
  const isSafe = planText !== undefined && mask(planText) === planText;
  return {
    ...masked,
    planText: isSafe ? planText : undefined,
    failures: failures.map((failure) => maskFailure(failure, mask)),
  };
}

/** A report with other names of files; messages keep the names that they contain. */
export function placeReport(report: CheckReport, place: (file: string) => string): CheckReport {
  const { paths, files, diagnostics, notices, failures, results, plan, cards } = report;
  const put = <Value extends { readonly file?: string | null | undefined }>(value: Value): Value =>
    typeof value.file === "string" ? { ...value, file: place(value.file) } : value;
  return {
    ...report,
    paths: paths?.map(place),
    files: files.map(place),
    diagnostics: diagnostics.map(put),
    notices: notices?.map(put),
    failures: failures?.map((failure) => failure.with(put(failure.facts))),
    results: results?.map((result) => ({
      ...put(result),
      error: result.error && put(result.error),
    })),
    plan: plan && { ...plan, steps: plan.steps.map(put) },
    cards: cards?.map(put),
  };
}

/** The rules whose suggestion is written literally, with the quotes that it needs. */
const LITERAL_SUGGESTIONS: ReadonlySet<RuleId> = new Set<RuleId>(["type", "video-source"]);

/** `Did you mean "currency"?`; undefined without a suggestion. @param style of the suggestion */
export function suggestionText(
  { rule, suggestion }: Pick<Diagnostic, "rule" | "suggestion">,
  style = (text: string): string => text,
): string | undefined {
  if (suggestion === undefined) return undefined;
  const text = escapeLine(suggestion);
  const isLiteral = LITERAL_SUGGESTIONS.has(rule) || /^".*"$/.test(text);
  return `Did you mean ${style(isLiteral ? text : `"${text}"`)}?`;
}

/** A problem on one line, safe to show: `a.yaml:3:7: error: unknown field "curency" [unknown-field]`. */
export function problemLine(diagnostic: Diagnostic, styles: Styles, message: string): string {
  const { file, line, column, severity, rule } = diagnostic;
  const position = styles.bold(`${escapeLine(file)}:${line}:${column}:`);
  const level = severityStyle(diagnostic, styles)(`${severity}:`);
  return `${position} ${level} ${escapeLine(message)} ${styles.dim(`[${escapeLine(rule)}]`)}`;
}

/** The style of problems of that severity. */
export function severityStyle({ severity }: Diagnostic, styles: Styles): (text: string) => string {
  return severity === "error" ? styles.red : styles.yellow;
}

/** The message with the suggestion, not yet escaped: `unknown field "curency". Did you mean "currency"?` */
export function problemText(diagnostic: Diagnostic): string {
  return joinSentences([diagnostic.message, suggestionText(diagnostic)]);
}

/** The sentences in one text; the last one gets no full stop. */
export function joinSentences(sentences: readonly (string | undefined)[]): string {
  return sentences
    .filter((sentence) => sentence !== undefined)
    .reduce((text, next) => `${text}${/[.!?]$/.test(text) ? "" : "."} ${next}`);
}

/** The result of the check on one line, without a line break. */
export function summaryText(report: CheckReport, styles: Styles): string {
  const { files, courses, diagnostics, failures = [], results } = report;
  const failed = failures.length === 0 ? [] : [styles.red(pluralize(failures.length, "failure"))];
  if (diagnostics.length === 0) {
    const result = failed[0] ?? styles.green("no problems");
    // A plan is applied without its files.
    if (files.length === 0 && results !== undefined) return result;
    return `${pluralize(files.length, "file")}, ${pluralize(courses, "course")}: ${result}`;
  }
  const { errors, warnings } = splitBySeverity(diagnostics);
  const found = countProblems(errors.length, warnings.length, styles);
  const unread = diagnostics.filter(({ rule }) => rule === "unreadable" || rule === "not-read");
  const named = new Set(diagnostics.map(({ file }) => file));
  // Defaults are read, too.
  const read = new Set([...files, ...named]);
  for (const { file } of unread) if (named.delete(file)) read.delete(file);
  const checked = pluralize(read.size, "file");
  const unaffected = read.size === 0 ? "" : `; ${checked} checked`;
  const of = named.size === read.size ? "" : `${formatNumber(named.size)} of `;
  const where = named.size === 0 ? unaffected : ` in ${of}${checked}`;
  return [`${found}${where}`, ...failed].join(", and ");
}

/** How many problems there are, as words: `6 errors and 1 warning`. */
export function countProblems(errors: number, warnings: number, styles: Styles = plain): string {
  const counts = [
    errors > 0 ? styles.red(pluralize(errors, "error")) : "",
    warnings > 0 ? styles.yellow(pluralize(warnings, "warning")) : "",
  ];
  return counts.filter(Boolean).join(" and ");
}

/** The errors and the warnings among problems. */
export function splitBySeverity(diagnostics: readonly Diagnostic[]) {
  const select = (wanted: Diagnostic["severity"]): readonly Diagnostic[] =>
    diagnostics.filter(({ severity }) => severity === wanted);
  return { errors: select("error"), warnings: select("warning") };
}

/** The report as `check --json` prints it (docs/json.md), as plain data. */
export function jsonReport({ files, courses, diagnostics }: CheckReport) {
  const { errors, warnings } = splitBySeverity(diagnostics);
  return {
    files: files.length,
    courses,
    errors: errors.length,
    warnings: warnings.length,
    problems: diagnostics.map((diagnostic) => {
      const { file, line, column, severity, rule, message, suggestion, fix } = diagnostic;
      return { file, line, column, severity, rule, message, suggestion, fix };
    }),
  };
}

/** A problem of a file, a notice, or a failure of the run, as an entry of a report. */
export interface ReportEntry {
  readonly isFailure: boolean;
  readonly level: Diagnostic["severity"] | "notice";
  /** The rule of a problem, or the kind of a failure. */
  readonly id: string;
  /** What is wrong; not yet escaped. */
  readonly text: string;
  /** What else helps, or what to do. */
  readonly advice?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly endLine?: number | undefined;
  readonly endColumn?: number | undefined;
}

const NOTICE = { isFailure: false, level: "notice", id: "notice" } as const;

/** The problems of a report, then its notices and the failures of the run; those without a place are at the first path. */
export function reportEntries(report: CheckReport): ReportEntry[] {
  const { diagnostics, notices = [], failures = [], paths: [first] = [], plan } = report;
  return [
    ...diagnostics.map((diagnostic): ReportEntry => {
      const { severity: level, rule: id, notes = [] } = diagnostic;
      const advice = notes.length === 0 ? undefined : joinSentences(notes);
      const text = problemText(diagnostic);
      const { file, line, column, endLine, endColumn } = diagnostic;
      const range = { file, line, column, endLine, endColumn };
      return { ...range, isFailure: false, level, id, text, advice };
    }),
    ...notices.map(({ text, file = first, line }) => ({ ...NOTICE, text, file, line })),
    ...(plan?.steps ?? []).flatMap((step) => describeEvent(step)),
    ...failures.map((failure): ReportEntry => {
      const { file = first, line, column, advice, rule: id = failure.kind } = failure.facts;
      const text = failureSummary(failure);
      return { isFailure: true, level: "error", id, text, advice, file, line, column };
    }),
  ];
}

/** What others did to a course in the catalog, at the place of its file. */
function describeEvent({ name, id, inCatalog, fields, ...place }: ReportedStep): ReportEntry[] {
  if (inCatalog === undefined) return [];
  const names = changedFields(fields.filter(({ changedIn }) => changedIn !== "file"));
  const what = inCatalog === "changed" && names.length > 0 ? `: ${names.join(", ")}` : "";
  const text = `${truncateJson(name ?? id)} was ${inCatalog} in the catalog${what}`;
  const [file, line] = [place.file ?? undefined, place.line ?? undefined];
  return [{ ...NOTICE, text, file, line }];
}
