/**
 * Reads and edits CSV (RFC 4180) and TSV. Each cell has its span: the text `name,url\nKnitting,` has the rows
 * `["name", "url"]` and `["Knitting", ""]`. docs/contributing/packages.md says why no package does this.
 */
import { isDeepStrictEqual } from "node:util";
import { attempt } from "../base/errors.ts";
import {
  nameColumn,
  protectCell,
  quoteCell,
  readCell,
  unprotectCell,
} from "../base/spreadsheet-cells.ts";
import { countEach, isObject, type Path, valueAt } from "../base/values.ts";
import { shapeAt } from "../course/fields.ts";
import { type Problem, type Span, textProblem } from "../course/problem.ts";
import { joinCodes } from "../course/shape.ts";
import { applyEdits, oneAt } from "./diagnostic.ts";
import { LIMITS, tooMany } from "./limits.ts";
import { type Cell, type Row, readCourse, readHeader, rowSpan, type Table } from "./table.ts";

/**
 * Splits a text into rows, without empty lines. Never throws: errors are among the problems. Excel names the delimiter in a
 * first line such as `sep=;`, which is skipped: `sep=;\na;"b;c"` has the row `["a", "b;c"]`.
 *
 * @param delimiter detected from the header if it is omitted
 */
export function parseTable(text: string, delimiter?: string): Table {
  const named = /^sep=(.)\r?\n/i.exec(text);
  const used = delimiter ?? named?.[1] ?? findDelimiter(text);
  const sign = `\\u${used.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const quoted = ' *"([^"]*(?:""[^"]*)*)" *';
  const next = new RegExp(`(?:${quoted}|(?! *")([^${sign}\\r\\n]*))(${sign}|\\r\\n?|\\n|$)`, "y");
  const rows: Row[] = [];
  let problem: Problem | undefined;
  let [number, values] = [1, 0];
  let [cells, starts]: [Cell[], number[]] = [[], []];
  next.lastIndex = named?.[0].length ?? 0;
  while (problem === undefined && (next.lastIndex < text.length || cells.length > 0)) {
    const at = next.lastIndex;
    // Fails for millions of quotes in a cell.
    const match = attempt(() => next.exec(text));
    // The header is a row, but not a course.
    if (rows.length > LIMITS.courses) problem = tooMany("courses", at);
    else if (++values > LIMITS.values) problem = tooMany("values", at);
    else if (!match) problem = textProblem("syntax", INVALID, oneAt(at));
    else {
      const [, content, plain = "", end = ""] = match;
      cells.push(content === undefined ? readCell(plain) : quotedCell(content));
      starts.push(at);
      if (end === used) continue;
      starts.push(next.lastIndex - end.length + 1);
      if (cells.length > 1 || match[0] !== end) rows.push({ number, cells, starts });
      number += 1;
      [cells, starts] = [[], []];
    }
  }
  const problems = problem === undefined ? [] : [problem];
  return { rows, spanOf: spanInText, delimiter: used, problems };
}

const INVALID =
  'not valid CSV: a quote is never closed, or text follows it: write each quote inside a cell as ""';

function quotedCell(content: string): string {
  return unprotectCell(content.replaceAll('""', '"')).replace(/\r\n?/g, "\n");
}

function spanInText({ number, starts = [] }: Row, column: number): Span {
  const last = starts.length - 1;
  const end = (starts[Math.min(column + 1, last)] ?? 1) - 1;
  const start = column < last ? (starts[column] ?? end) : end;
  return { start, end, cell: `cell ${nameColumn(column)}${number}` };
}

/**
 * The delimiter that most of the first lines have equally often, outside of quotation marks: the first line may be a
 * title, as in `Kurse 2027`, `Titel;Preis`, `Stricken;49,90`.
 */
function findDelimiter(text: string): string {
  const start = text.slice(0, LIMITS.line).replace(/"[^"]*(?:"|$)/g, "");
  const [header = "", ...lines] = start.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  const countEqual = (delimiter: string): number => {
    const count = (line: string): number => line.split(delimiter).length - 1;
    const counts = countEach(lines.map(count));
    const own = count(header);
    // A single line that has a delimiter below a line without one may be a sentence.
    if (own > 0) counts.set(own, (counts.get(own) ?? 0) + 1);
    else for (const [times, equal] of counts) if (equal === 1) counts.delete(times);
    counts.delete(0);
    return Math.max(0, ...Array.from(counts, ([times, equal]) => equal * LIMITS.line + times));
  };
  return [",", ";", "\t", "|"].reduce((best, other) =>
    countEqual(other) > countEqual(best) ? other : best,
  );
}

/**
 * The text of a table with other courses in its rows, and further courses below. Only cells with other values change,
 * and a field without a column gets one at the end: with a url, `name\nKnitting` becomes `name,url\nKnitting,https://academy.example/knitting`.
 */
export function editTable(
  text: string,
  separator: string | undefined,
  desired: readonly unknown[],
): string {
  const table = parseTable(text, separator);
  const { row: top, rows: known, fields } = readHeader(table);
  const written = new Set(fields.map(({ path }) => path[0]));
  const names = desired.filter(isObject).flatMap((course) => {
    return Object.keys(course).filter((name) => course[name] !== undefined && !written.has(name));
  });
  const added = [...new Set(names)];
  const width = top.cells.length;
  const all = [...fields, ...added.map((name, at) => ({ index: width + at, path: [name] }))];
  const write = (texts: string[], old: unknown, course: unknown): string => {
    if (added.length > 0) texts.length = Math.max(texts.length, width + added.length);
    for (const { index, path } of isObject(course) ? all : []) {
      const value = valueAt(course, path);
      if (!isDeepStrictEqual(valueAt(old, path), value)) texts[index] = cellText(value, path);
    }
    return texts.join(table.delimiter);
  };
  const textsOf = (row: Row): string[] => {
    const spans = row.cells.map((_, index) => table.spanOf(row, index));
    return spans.map(({ start, end }) => text.slice(start, end));
  };
  const titles = [...textsOf(top), ...added.map((name) => cellText(name))].join(table.delimiter);
  const edits = known.map((row, item) => {
    const edited = write(textsOf(row), readCourse(row, fields), desired[item]);
    return { span: rowSpan(row, table), text: edited };
  });
  const edited = applyEdits(text, [{ span: rowSpan(top, table), text: titles }, ...edits]);
  const lineBreak = /\r\n|[\r\n]/.exec(text)?.[0] ?? "\n";
  const rows = desired.slice(known.length).map((course) => {
    return write(new Array(width).fill(""), {}, course) + lineBreak;
  });
  const isEnded = rows.length === 0 || /[\r\n]$/.test(edited);
  return edited + (isEnded ? "" : lineBreak) + rows.join("");
}

/** Writes a value as a cell: `["en", "de"]` as `"en, de"`, other lists and objects as JSON. */
function cellText(value: unknown, path: Path = []): string {
  if (value === undefined) return "";
  if (value === null) return "null";
  const content = joinCodes(value, shapeAt(path));
  const isText = typeof content === "string";
  return quoteCell(isText ? protectCell(content, false) : JSON.stringify(content));
}
