/** Shows what is wrong with course files: to people, to programs, to GitHub (cli.md section 11). */
import { escapeLine, formatNumber, pluralize } from "../base/text.ts";
import type { Styles } from "./color.ts";
import type { CheckReport, Diagnostic } from "./diagnostic.ts";
import { snippet } from "./snippet.ts";
import { quoted } from "./suggestion.ts";
import type { TextMeasure } from "./text-measure.ts";

export { githubAnnotations } from "./annotations.ts";
export type { CheckReport, Diagnostic } from "./diagnostic.ts";

/** How diagnostics are shown to people. */
export interface HumanOptions {
  /** Whether the source line stands below each, as on a terminal. */
  readonly snippets: boolean;
  /** The terminal's width. */
  readonly columns: number;
}

/** Each diagnostic as `path:line:column: severity: message [rule]`, ending its line. */
export async function diagnosticText(
  diagnostics: readonly Diagnostic[],
  paint: Styles,
  { snippets, columns }: HumanOptions,
): Promise<string> {
  const draws = snippets && diagnostics.length > 0;
  const ruler = draws ? await (await import("./text-measure.ts")).loadTextMeasure() : undefined;
  const parts = diagnostics.map((diagnostic) =>
    ruler === undefined
      ? headline(diagnostic, paint, meant(diagnostic))
      : illustrated(diagnostic, paint, columns, ruler),
  );
  return parts.map((part) => `${part}\n${draws ? "\n" : ""}`).join("");
}

function headline(diagnostic: Diagnostic, paint: Styles, addition: string): string {
  const { file, line, column, severity, message, rule } = diagnostic;
  const place = paint.bold(`${escapeLine(file)}:${line}:${column}:`);
  const level = tint(diagnostic, paint)(`${severity}:`);
  return `${place} ${level} ${escapeLine(message)}${addition} ${paint.dim(`[${escapeLine(rule)}]`)}`;
}

function illustrated(
  diagnostic: Diagnostic,
  paint: Styles,
  columns: number,
  ruler: TextMeasure,
): string {
  const options = { paint, tint: tint(diagnostic, paint), columns, ruler };
  const lines = [headline(diagnostic, paint, ""), ...snippet(diagnostic, options)];
  const { rule, suggestion, notes = [], related = [] } = diagnostic;
  if (suggestion !== undefined) {
    lines.push(`${INDENT}did you mean ${paint.green(quoted(suggestion, rule))}?`);
  }
  for (const place of related) {
    lines.push(
      `${INDENT}${escapeLine(place.message)}: ${escapeLine(place.file)}:${place.line}:${place.column}`,
    );
    lines.push(...snippet(place, { ...options, tint: paint.cyan }));
  }
  for (const note of notes) lines.push(...wrapped(`note: ${escapeLine(note)}`, columns, ruler));
  return lines.join("\n");
}

const INDENT = "    ";

/** A note on as many lines as it takes, broken between words. */
function wrapped(text: string, columns: number, ruler: TextMeasure): string[] {
  const lines: string[] = [];
  let line = INDENT;
  for (const word of text.split(" ")) {
    const longer = line === INDENT ? INDENT + word : `${line} ${word}`;
    if (line !== INDENT && ruler.width(longer) > columns) {
      lines.push(line);
      line = INDENT + word;
    } else line = longer;
  }
  return [...lines, line];
}

/** What was probably meant, as a part of the message. */
function meant({ rule, suggestion }: Diagnostic): string {
  return suggestion === undefined ? "" : ` (did you mean ${quoted(suggestion, rule)}?)`;
}

function tint({ severity }: Diagnostic, paint: Styles): (text: string) => string {
  return severity === "error" ? paint.red : paint.yellow;
}

/** What the check came to, on one line without a line break. */
export function summaryText(report: CheckReport, paint: Styles): string {
  const { files, courses, diagnostics } = report;
  if (diagnostics.length === 0) {
    const checked = `${pluralize(files.length, "file")}, ${pluralize(courses, "course")}`;
    return `${checked}: ${paint.green("no problems")}`;
  }
  const { errors, warnings } = totals(diagnostics);
  const found = [
    ...(errors === 0 ? [] : [paint.red(pluralize(errors, "error"))]),
    ...(warnings === 0 ? [] : [paint.yellow(pluralize(warnings, "warning"))]),
  ].join(" and ");
  const affected = formatNumber(new Set(diagnostics.map(({ file }) => file)).size);
  return `${found} in ${affected} of ${pluralize(files.length, "file")}`;
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
    ...totals(diagnostics),
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

function totals(diagnostics: readonly Diagnostic[]): { errors: number; warnings: number } {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}
