/**
 * Splits CSV (RFC 4180) into records of cells, each with its span: the text `name,url\nKnitting,` has the rows
 * `["name", "url"]` and `["Knitting", ""]`. CONTRIBUTING.md says why no package does this.
 */
import { readNull, unprotectCell } from "../base/spreadsheet-cells.ts";
import { MAX_COURSES, MAX_VALUES, tooMany } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";
import { oneAt, type Span } from "./position.ts";

/** The content of a cell; null for `null` without quotation marks. */
export type Cell = string | null;

/** The records of a text up to its first syntax error, or the rows of a sheet. */
export interface Records {
  /** Each row ends with its last cell; the cells after it are empty. */
  readonly rows: readonly (readonly Cell[])[];
  /** The number of each row as a spreadsheet shows it: from 1, counting empty rows. */
  readonly rowNumbers: readonly number[];
  /** The span of a cell with its quotation marks; for a column after the last cell, the end of the row. */
  readonly spanOf: (row: number, column: number) => Span;
  readonly delimiter: string;
  readonly problems: readonly TextProblem[];
  /** What is known about the cells of a sheet; absent in CSV. */
  readonly sheet?: {
    /** Why a cell has no value: a clause. */
    readonly faultAt: (row: number, column: number) => string | undefined;
    /** The web address to which a cell with another text links. */
    readonly linkAt: (row: number, column: number) => string | undefined;
  };
}

/**
 * Splits a text into records, without empty lines. Excel names the delimiter in a first line such as `sep=;`,
 * which is skipped: `sep=;\na;"b;c"` has the row `["a", "b;c"]`.
 *
 * @param delimiter detected from the header if it is omitted
 */
export function parseTable(text: string, delimiter?: string): Records {
  const named = /^sep=(.)\r?\n/i.exec(text);
  const used = delimiter ?? named?.[1] ?? findDelimiter(text);
  const found: Scanned = { rows: [], rowNumbers: [], firsts: [], starts: [], ends: [] };
  const problem = scan(text, named?.[0].length ?? 0, used, found);
  const { rows, rowNumbers, firsts, starts, ends } = found;
  const spanOf: Records["spanOf"] = (row, column) => {
    const length = rows[row]?.length ?? 0;
    const index = (firsts[row] ?? 0) + Math.min(column, Math.max(0, length - 1));
    const end = ends[index] ?? text.length;
    return { start: column < length ? (starts[index] ?? end) : end, end };
  };
  const problems = problem === undefined ? [] : [problem];
  return { rows, rowNumbers, spanOf, delimiter: used, problems };
}

const LONGEST_HEADER = 100_000;

/** The most frequent delimiter in the header, outside of quotation marks. */
function findDelimiter(text: string): string {
  const header = /^[\r\n]*((?:"(?:[^"]|"")*"|[^"\r\n])*)/.exec(text.slice(0, LONGEST_HEADER));
  const unquoted = (header?.[1] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const count = (delimiter: string): number => unquoted.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

interface Scanned {
  readonly rows: Cell[][];
  readonly rowNumbers: number[];
  /** For each row, the index of its first cell among all cells. */
  readonly firsts: number[];
  /** For each cell, the offsets at which it starts and ends. */
  readonly starts: number[];
  readonly ends: number[];
}

/** Reads records up to the first problem. @returns that problem, if there is one */
function scan(
  text: string,
  from: number,
  delimiter: string,
  { rows, rowNumbers, firsts, starts, ends }: Scanned,
): TextProblem | undefined {
  const code = delimiter.charCodeAt(0).toString(16).padStart(4, "0");
  const plain = new RegExp(`[^\\u${code}\\r\\n]*`, "y");
  const lineEnd = /\r\n?|\n/y;
  const afterQuoted = `${delimiter}\r\n`;
  let at = from;
  for (let rowNumber = 1; at < text.length; ) {
    lineEnd.lastIndex = at;
    if (lineEnd.test(text)) {
      at = lineEnd.lastIndex;
      rowNumber++;
      continue;
    }
    // The header is a row, but not a course.
    if (rows.length > MAX_COURSES) return tooMany("courses", at);
    const row: Cell[] = [];
    const first = starts.length;
    for (;;) {
      const start = at;
      if (text.charAt(start) === '"') {
        at = endOfQuoted(text, start);
        if (at === -1) return invalid("this quote is never closed", start);
        if (at < text.length && !afterQuoted.includes(text.charAt(at))) {
          return invalid('text after a closing quote: write each quote inside a cell as ""', at);
        }
        const content = text.slice(start + 1, at - 1).replaceAll('""', '"');
        row.push(unprotectCell(content).replace(/\r\n?/g, "\n"));
      } else {
        plain.lastIndex = start;
        plain.test(text);
        at = plain.lastIndex;
        const content = text.slice(start, at);
        if (SPACED_QUOTE.test(content)) return invalid("delete the space before this quote", start);
        const value = readNull(content);
        row.push(value === null ? null : unprotectCell(value));
      }
      starts.push(start);
      if (ends.push(at) > MAX_VALUES) return tooMany("values", start);
      if (text.charAt(at) !== delimiter) break;
      at++;
    }
    rows.push(row);
    rowNumbers.push(rowNumber);
    firsts.push(first);
  }
  return undefined;
}

/** A cell that is meant to be in quotes, or the part of it before a delimiter. */
const SPACED_QUOTE = /^ +"[^"]*"? *$/;

/** The offset after the closing quote of a cell; -1 if there is none. */
function endOfQuoted(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; ) {
    if (text.charAt(quote + 1) !== '"') return quote + 1;
    quote = text.indexOf('"', quote + 2);
  }
  return -1;
}

function invalid(reason: string, at: number): TextProblem {
  return { rule: "syntax", message: `not valid CSV: ${reason}`, span: oneAt(at) };
}
