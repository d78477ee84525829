/**
 * Splits CSV (RFC 4180) into rows of cells, each with its span: the text `name,url\nKnitting,` has the rows
 * `["name", "url"]` and `["Knitting", ""]`. CONTRIBUTING.md says why no package does this.
 */
import { readNull, unprotectCell } from "../base/spreadsheet-cells.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { MAX_COURSES, MAX_VALUES, tooMany } from "./limits.ts";
import { oneAt, type Span } from "./position.ts";

/** The content of a cell; null for `null` without quotation marks. */
export type Cell = string | null;

/** A row that is not empty. */
export interface Row {
  /** The number that a spreadsheet shows: from 1, counting empty rows. */
  readonly number: number;
  /** The cells up to the last one of the row; the cells after it are empty. */
  readonly cells: readonly Cell[];
  /** In CSV, the offset at which each cell starts, and the offset after the last cell and a delimiter. */
  readonly starts?: readonly number[];
  /** In a sheet, why cells have no values: clauses by column. */
  readonly faults?: ReadonlyMap<number, string>;
  /** In a sheet, the web addresses to which cells with other texts link, by column. */
  readonly links?: ReadonlyMap<number, string>;
}

/** The rows of a text up to its first syntax error, or the rows of a sheet. */
export interface Table {
  readonly rows: readonly Row[];
  /** The span of a cell with its quotation marks; in CSV, of a column after the last cell, the end of the row. */
  readonly spanOf: (row: Row, column: number) => Span;
  /** Undefined in a sheet. */
  readonly delimiter?: string;
  readonly problems: readonly Problem[];
}

/**
 * Splits a text into rows, without empty lines. Excel names the delimiter in a first line such as `sep=;`,
 * which is skipped: `sep=;\na;"b;c"` has the row `["a", "b;c"]`.
 *
 * @param delimiter detected from the header if it is omitted
 */
export function parseTable(text: string, delimiter?: string): Table {
  const named = /^sep=(.)\r?\n/i.exec(text);
  const used = delimiter ?? named?.[1] ?? findDelimiter(text);
  const rows: Row[] = [];
  const problem = scan(text, named?.[0].length ?? 0, used, rows);
  const problems = problem === undefined ? [] : [problem];
  return { rows, spanOf: spanInText, delimiter: used, problems };
}

function spanInText({ starts = [] }: Row, column: number): Span {
  const last = starts.length - 1;
  const end = (starts[Math.min(column + 1, last)] ?? 1) - 1;
  return { start: column < last ? (starts[column] ?? end) : end, end };
}

const LONGEST_HEADER = 10_000;

/** The most frequent delimiter in the first line, outside of quotation marks. */
function findDelimiter(text: string): string {
  const start = text
    .slice(0, LONGEST_HEADER)
    .replace(/"[^"]*"/g, "")
    .trimStart();
  const [header = ""] = start.split(/[\r\n]/, 1);
  const count = (delimiter: string): number => header.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

/** Adds the rows up to the first problem. @returns that problem, if there is one */
function scan(text: string, from: number, delimiter: string, rows: Row[]): Problem | undefined {
  const code = delimiter.charCodeAt(0).toString(16).padStart(4, "0");
  const plain = new RegExp(`[^\\u${code}\\r\\n]*`, "y");
  const lineEnd = /\r\n?|\n/y;
  let [at, number, values] = [from, 1, 0];
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const isFound = pattern.test(text);
    if (isFound) at = pattern.lastIndex;
    return isFound;
  };
  const readCell = (): Cell | Problem => {
    const start = at;
    if (text[start] !== '"') {
      skip(plain);
      const value = readNull(text.slice(start, at));
      return value === null ? null : unprotectCell(value);
    }
    const close = findClosingQuote(text, start + 1);
    if (close === -1) return invalid("this quote is never closed", start);
    at = close + 1;
    if (at < text.length && !`${delimiter}\r\n`.includes(text.charAt(at))) {
      return invalid('text after a closing quote: write each quote inside a cell as ""', at);
    }
    const content = text.slice(start + 1, close).replaceAll('""', '"');
    return unprotectCell(content).replace(/\r\n?/g, "\n");
  };
  while (at < text.length) {
    if (skip(lineEnd)) {
      number++;
      continue;
    }
    // The header is a row, but not a course.
    if (rows.length > MAX_COURSES) return tooMany("courses", at);
    const cells: Cell[] = [];
    const starts = [at];
    for (let isLast = false; !isLast; ) {
      if (++values > MAX_VALUES) return tooMany("values", at);
      const cell = readCell();
      if (typeof cell === "object" && cell !== null) return cell;
      cells.push(cell);
      starts.push(at + 1);
      isLast = text.charAt(at) !== delimiter;
      if (!isLast) at++;
    }
    rows.push({ number, cells, starts });
  }
  return undefined;
}

/** The offset of the quotation mark that ends a cell; -1 if there is none. */
function findClosingQuote(text: string, from: number): number {
  for (let quote = text.indexOf('"', from); quote !== -1; ) {
    if (text.charAt(quote + 1) !== '"') return quote;
    quote = text.indexOf('"', quote + 2);
  }
  return -1;
}

function invalid(reason: string, at: number): Problem {
  return textProblem("syntax", `not valid CSV: ${reason}`, oneAt(at));
}
