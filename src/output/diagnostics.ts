/** Prints diagnostics of course files: for people, for programs and as GitHub annotations. */
import { escapeLine, formatNumber, pluralize } from "../base/text.ts";
import type { RuleId } from "../course/problem.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import type { Styles } from "./color.ts";
import { snippet } from "./snippet.ts";
import { loadTextMeasure, type TextMeasure, wrapMessage } from "./text-measure.ts";

export type { Diagnostic } from "../files/diagnostic.ts";

/** The result of a check. */
export interface CheckReport {
  /** The names of the files in order, including those that could not be read. */
  readonly files: readonly string[];
  /** How many courses the files contain. */
  readonly courses: number;
  /** In the order of the files and of the positions in them. */
  readonly diagnostics: readonly Diagnostic[];
  /** What was done with the courses after the check; our own sentences. */
  readonly outcome?: readonly string[];
}

/** How diagnostics are printed for people. */
export interface HumanOptions {
  /** Whether the output is a terminal: source lines are shown, and text is wrapped. */
  readonly snippets: boolean;
  /** The terminal's width. */
  readonly columns: number;
}

const INDENT = "    ";

/** Each diagnostic as `path:line:column: severity: message [rule]`, ending its line. */
export async function diagnosticText(
  diagnostics: readonly Diagnostic[],
  styles: Styles,
  { snippets, columns }: HumanOptions,
): Promise<string> {
  if (!snippets) {
    return diagnostics
      .map((diagnostic) => `${headline(diagnostic, styles, didYouMean(diagnostic))}\n`)
      .join("");
  }
  const measure = await loadTextMeasure(diagnostics.flatMap(listTexts));
  return diagnostics.map((diagnostic) => illustrate(diagnostic, styles, columns, measure)).join("");
}

function headline(diagnostic: Diagnostic, styles: Styles, suggestion: string): string {
  const { file, line, column, severity, message, rule } = diagnostic;
  const position = styles.bold(`${escapeLine(file)}:${line}:${column}:`);
  const level = styleOf(diagnostic, styles)(`${severity}:`);
  const ruleId = styles.dim(`[${escapeLine(rule)}]`);
  return `${position} ${level} ${escapeLine(message)}${suggestion} ${ruleId}`;
}

/** Every text of a diagnostic that is shown on a terminal. */
function listTexts({ file, message, suggestion = "", source = "", ...rest }: Diagnostic): string[] {
  const { notes = [], related = [] } = rest;
  const others = related.flatMap((other) => [other.file, other.message, other.source ?? ""]);
  return [file, message, suggestion, source, ...notes, ...others].map(escapeLine);
}

/** The diagnostic with its source lines, its suggestion, related positions and notes. */
function illustrate(
  diagnostic: Diagnostic,
  styles: Styles,
  columns: number,
  measure: TextMeasure,
): string {
  const { rule, suggestion, notes = [], related = [] } = diagnostic;
  const options = { styles, columns, measure };
  const wrap = (text: string): string => wrapMessage(text, columns, measure, INDENT.length);
  const lines = [
    wrap(headline(diagnostic, styles, "")),
    ...snippet(diagnostic, { ...options, markStyle: styleOf(diagnostic, styles) }),
  ];
  if (suggestion !== undefined) {
    const quoted = styles.green(quoteSuggestion(suggestion, rule));
    lines.push(wrap(`${INDENT}did you mean ${quoted}?`));
  }
  for (const other of related) {
    const { message, file, line, column } = other;
    const position = `${escapeLine(file)}:${line}:${column}`;
    lines.push(wrap(`${INDENT}${escapeLine(message)}: ${position}`));
    lines.push(...snippet(other, { ...options, markStyle: styles.cyan }));
  }
  for (const note of notes) lines.push(wrap(`${INDENT}note: ${escapeLine(note)}`));
  return `${lines.join("\n")}\n\n`;
}

function styleOf({ severity }: Diagnostic, styles: Styles): (text: string) => string {
  return severity === "error" ? styles.red : styles.yellow;
}

/** The rules whose suggestion is written literally, including the quotes that it needs. */
export const LITERAL_SUGGESTIONS: ReadonlySet<RuleId> = new Set<RuleId>(["type", "paid-content"]);

function quoteSuggestion(suggestion: string, rule: RuleId): string {
  const text = escapeLine(suggestion);
  return LITERAL_SUGGESTIONS.has(rule) ? text : `"${text}"`;
}

function didYouMean({ rule, suggestion }: Diagnostic): string {
  return suggestion === undefined ? "" : ` (did you mean ${quoteSuggestion(suggestion, rule)}?)`;
}

/** The message on one line, with the suggestion: `… (did you mean "currency"?)`. */
export function findingText(diagnostic: Diagnostic): string {
  return escapeLine(diagnostic.message) + didYouMean(diagnostic);
}

/** The result of the check on one line, without a line break. */
export function summaryText(report: CheckReport, styles: Styles): string {
  const { files, courses, diagnostics } = report;
  if (diagnostics.length === 0) {
    const checked = `${pluralize(files.length, "file")}, ${pluralize(courses, "course")}`;
    return `${checked}: ${styles.green("no problems")}`;
  }
  const { errors, warnings } = countBySeverity(diagnostics);
  const found = [
    ...(errors === 0 ? [] : [styles.red(pluralize(errors, "error"))]),
    ...(warnings === 0 ? [] : [styles.yellow(pluralize(warnings, "warning"))]),
  ].join(" and ");
  const affected = formatNumber(new Set(diagnostics.map(({ file }) => file)).size);
  return `${found} in ${affected} of ${pluralize(files.length, "file")}`;
}

function countBySeverity(diagnostics: readonly Diagnostic[]): { errors: number; warnings: number } {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}

/** The report as `check --json` prints it. */
export interface JsonReport {
  readonly files: number;
  readonly courses: number;
  readonly errors: number;
  readonly warnings: number;
  readonly diagnostics: readonly Omit<Diagnostic, "source">[];
}

/** The report as plain data. */
export function jsonReport({ files, courses, diagnostics }: CheckReport): JsonReport {
  return {
    files: files.length,
    courses,
    ...countBySeverity(diagnostics),
    diagnostics: diagnostics.map((diagnostic) => {
      const { file, line, column, endLine, endColumn } = diagnostic;
      const { severity, rule, message, suggestion, path } = diagnostic;
      return {
        ...{ file, line, column, endLine, endColumn, severity, rule, message },
        ...(suggestion === undefined ? {} : { suggestion }),
        path,
      };
    }),
  };
}

/** One GitHub workflow command per diagnostic, `::error …` or `::warning …`, each ending its line. */
export function githubAnnotations({ diagnostics }: CheckReport): string {
  return diagnostics
    .map((diagnostic) => {
      const { severity, file, line, column, endLine, endColumn, rule } = diagnostic;
      const properties = { file, line, col: column, endLine, endColumn, title: rule };
      const list = Object.entries(properties)
        .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
        .join(",");
      return `::${severity} ${list}::${escapeData(diagnostic.message + didYouMean(diagnostic))}\n`;
    })
    .join("");
}

/** GitHub's escapes come first, because GitHub shows their line breaks and `escapeLine` would not. */
function escapeData(text: string): string {
  return escapeLine(text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A"));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
