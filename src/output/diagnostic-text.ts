/** Prints problems of course files for people; on a terminal with their source lines. */
import type { Place } from "../base/errors.ts";
import type { Output } from "../base/io.ts";
import { escapeLine } from "../base/text.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { problemLine, problemText, severityStyle, suggestionText } from "./diagnostics.ts";
import { loadTextMeasure, type Styles, type TextMeasure, wrapMessage } from "./text-measure.ts";

const INDENT = "    ";

/** Each diagnostic as `path:line:column: severity: message [rule]`, ending its line; on a terminal with source lines, and wrapped. */
export async function diagnosticText(
  diagnostics: readonly Diagnostic[],
  styles: Styles,
  { isTerminal, columns, mask }: Pick<Output, "isTerminal" | "columns" | "mask">,
): Promise<string> {
  if (!isTerminal) {
    return diagnostics
      .map((diagnostic) => `${mask(problemLine(diagnostic, styles, problemText(diagnostic)))}\n`)
      .join("");
  }
  const options = { styles, columns, measure: await loadTextMeasure(), mask };
  return diagnostics.map((diagnostic) => illustrate(diagnostic, options)).join("");
}

/**
 * The diagnostic with its source line, the suggestion and notes:
 *
 *     a.yaml:3:7: error: pace must be self_paced or instructor_paced, not "self-paced" [choice]
 *       3 | pace: self-paced
 *         |       ^^^^^^^^^^
 *         Did you mean "self_paced"?
 */
function illustrate(diagnostic: Diagnostic, options: SourceOptions): string {
  const { styles, columns, mask } = options;
  const { notes = [] } = diagnostic;
  // Masked before wrapping, which can split a key.
  const wrap = (text: string): string => wrapMessage(mask(text), columns, INDENT.length);
  const lines = [
    wrap(problemLine(diagnostic, styles, diagnostic.message)),
    ...sourceLines(diagnostic, severityStyle(diagnostic, styles), options),
  ];
  const suggestion = suggestionText(diagnostic, styles.green);
  if (suggestion !== undefined) lines.push(wrap(INDENT + suggestion));
  for (const note of notes) lines.push(wrap(`${INDENT}note: ${escapeLine(note)}`));
  return `${lines.join("\n")}\n\n`;
}

/** How a source line is shown. */
interface SourceOptions {
  readonly styles: Styles;
  readonly columns: number;
  readonly measure: TextMeasure;
  readonly mask: (text: string) => string;
}

const MIN_WIDTH = 10;

/** The source line of a place and the line with the mark; none if the source line is unknown. */
export function sourceLines(
  { line, column, endLine, endColumn, source, sourceFrom = 0 }: Place,
  markStyle: (text: string) => string,
  { styles, columns, measure, mask }: SourceOptions,
): string[] {
  if (source === undefined) return [];
  const gutter = `  ${line} | `;
  const width = Math.max(MIN_WIDTH, columns - gutter.length);
  const start = column - 1 - sourceFrom;
  // A range of several lines is marked only at its beginning: more than the first line is affected.
  const end = endLine > line ? start : endColumn - 1 - sourceFrom;
  const show = (part: string): string => escapeLine(mask(part).replaceAll("\t", "  "));
  const parts = [source.slice(0, start), source.slice(start, end), source.slice(end)];
  const [all = "", marked = "", after = ""] = parts.map(show);
  // In a long line, only some characters before the mark are shown.
  const lead = Math.floor(width / 3);
  const isShort = measure.width(all + (marked || "^") + after) <= width || all.length <= lead;
  const before = isShort ? all : `…${all.slice(-lead).toWellFormed()}`;
  const offset = Math.min(measure.width(before), width - 1);
  const length = Math.max(1, Math.min(measure.width(marked), width - offset));
  const text = measure.cut(before + marked + after, width);
  const empty = `${" ".repeat(gutter.length - 2)}| `;
  return [
    (styles.dim(gutter) + text).trimEnd(),
    styles.dim(empty) + " ".repeat(offset) + markStyle("^".repeat(length)),
  ];
}
