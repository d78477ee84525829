/**
 * Splits CSV (RFC 4180) into records of cells with their spans. Packages that do it report the line
 * of a record and not the span of a cell, and take several times as long.
 */
import { unprotectCell } from "../base/spreadsheet-cells.ts";
import { formatNumber, truncate } from "../base/text.ts";
import { type Path, parsePath } from "../base/values.ts";
import { EXTERNAL_KEY, FIELD_NAMES, PROVIDER_KEY } from "../course/field-names.ts";
import { shapeAt } from "../course/fields.ts";
import type { Shape } from "../course/shape.ts";
import { MAX_COLUMNS, MAX_COURSES, MAX_DEPTH, MAX_ITEMS, MAX_VALUES, tooMany } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";
import { oneAt, type Span } from "./position.ts";

/** The content of a cell; null for `null` without quotation marks. */
export type Cell = string | null;

/** The records of a source text up to its first syntax error, or the rows of a sheet. */
export interface Records {
  readonly rows: readonly (readonly Cell[])[];
  /** The number of each row as a spreadsheet shows it: from 1, with the empty ones. */
  readonly rowNumbers: readonly number[];
  /** The span of a cell with its quotation marks; after the last cell of a row, its end. */
  readonly spanOf: (row: number, column: number) => Span;
  readonly delimiter: string;
  readonly problems: readonly TextProblem[];
  /** Whether it is a sheet, whose rows end with their last cell that has content. */
  readonly isSheet?: true;
}

/**
 * The records of a source text, without empty lines. A first line such as `sep=;`, with which Excel names
 * the delimiter, is skipped.
 *
 * @param delimiter found in the header if it is omitted
 */
export function parseTable(text: string, delimiter?: string): Records {
  const named = /^sep=(.)\r?\n/i.exec(text);
  const start = named?.[0].length ?? 0;
  const used = delimiter ?? named?.[1] ?? findDelimiter(text);
  const scanner = new Scanner(text, start, used);
  const problem = scanner.scan();
  const { rows, rowNumbers, firsts, starts, ends } = scanner;
  const spanOf: Records["spanOf"] = (row, column) => {
    const first = firsts[row] ?? 0;
    const { length } = rows[row] ?? [];
    const index = first + Math.min(column, Math.max(0, length - 1));
    const end = ends[index] ?? text.length;
    return { start: column < length ? (starts[index] ?? end) : end, end };
  };
  const problems = problem === undefined ? [] : [problem];
  return { rows, rowNumbers, spanOf, delimiter: used, problems };
}

/** Characters of the header that are searched for the delimiter. */
const LONGEST_HEADER = 100_000;

/** The most frequent delimiter of the header, outside of quotation marks. */
function findDelimiter(text: string): string {
  const header = /^[\r\n]*((?:"(?:[^"]|"")*"|[^"\r\n])*)/.exec(text.slice(0, LONGEST_HEADER));
  const unquoted = (header?.[1] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const count = (delimiter: string): number => unquoted.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, other) => (count(other) > count(best) ? other : best));
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

class Scanner {
  readonly rows: Cell[][] = [];
  readonly rowNumbers: number[] = [];
  /** The index of the first cell of each row among all cells. */
  readonly firsts: number[] = [];
  /** Where each cell starts and ends. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly #text: string;
  readonly #delimiter: number;
  /** A cell without quotation marks. */
  readonly #plain: RegExp;
  #at: number;

  constructor(text: string, start: number, delimiter: string) {
    this.#text = text;
    this.#at = start;
    this.#delimiter = delimiter.charCodeAt(0);
    const escaped = `\\u${this.#delimiter.toString(16).padStart(4, "0")}`;
    this.#plain = new RegExp(`[^${escaped}\\r\\n]*`, "y");
  }

  /** Reads all records. @returns the problem that ends them, if there is one */
  scan(): TextProblem | undefined {
    const { length } = this.#text;
    let rowNumber = 1;
    while (this.#at < length) {
      if (this.#isLineEnd(this.#at)) {
        this.#at += this.#text.startsWith("\r\n", this.#at) ? 2 : 1;
        rowNumber++;
        continue;
      }
      // One more for the header.
      if (this.rows.length > MAX_COURSES) return tooMany("courses", this.#at);
      const row: Cell[] = [];
      this.firsts.push(this.starts.length);
      this.rows.push(row);
      this.rowNumbers.push(rowNumber);
      const problem = this.#scanRecord(row);
      if (problem !== undefined) {
        this.rows.pop();
        return problem;
      }
    }
    return undefined;
  }

  #scanRecord(row: Cell[]): TextProblem | undefined {
    for (;;) {
      const start = this.#at;
      const isQuoted = this.#text.charCodeAt(start) === QUOTE;
      const problem = isQuoted ? this.#skipQuoted() : this.#skipPlain();
      if (problem !== undefined) return problem;
      const content = isQuoted
        ? this.#text.slice(start + 1, this.#at - 1).replaceAll('""', '"')
        : this.#text.slice(start, this.#at);
      row.push(content === "null" && !isQuoted ? null : unprotectCell(content));
      this.starts.push(start);
      if (this.ends.push(this.#at) > MAX_VALUES) {
        return tooMany("values", start);
      }
      if (this.#text.charCodeAt(this.#at) !== this.#delimiter) return undefined;
      this.#at++;
    }
  }

  #skipPlain(): undefined {
    this.#plain.lastIndex = this.#at;
    this.#plain.test(this.#text);
    this.#at = this.#plain.lastIndex;
  }

  #skipQuoted(): TextProblem | undefined {
    const start = this.#at;
    for (let from = start + 1; ; from = this.#at + 2) {
      const quote = this.#text.indexOf('"', from);
      if (quote === -1) return invalid("this quote is never closed", start);
      this.#at = quote;
      if (this.#text.charCodeAt(quote + 1) !== QUOTE) break;
    }
    this.#at++;
    if (this.#at >= this.#text.length || this.#isEnd(this.#at)) return undefined;
    return invalid("text after a closing quote: double each quote inside a cell", this.#at);
  }

  #isEnd(at: number): boolean {
    return this.#text.charCodeAt(at) === this.#delimiter || this.#isLineEnd(at);
  }

  #isLineEnd(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === LINE_FEED || code === CARRIAGE_RETURN;
  }
}

function invalid(reason: string, at: number): TextProblem {
  return { rule: "syntax", message: `not valid CSV: ${reason}`, span: oneAt(at) };
}

/** A column with a name. */
export interface TableColumn {
  readonly index: number;
  readonly path: Path;
  /** The shape of its values; undefined if it is not a field of a course. */
  readonly shape: Shape | undefined;
}

interface Header {
  readonly columns: readonly TableColumn[];
  readonly problems: readonly TextProblem[];
}

/** The columns of the header. A column that repeats another is only reported. */
export function parseColumns({ rows, spanOf }: Pick<Records, "rows" | "spanOf">): Header {
  const [header = []] = rows;
  if (header.length > MAX_COLUMNS) {
    const message = `more than ${formatNumber(MAX_COLUMNS)} columns`;
    return failed({ rule: "too-large", message, span: spanOf(0, MAX_COLUMNS) });
  }
  const columns: TableColumn[] = [];
  const problems: TextProblem[] = [];
  for (const [index, cell] of header.entries()) {
    const name = (cell ?? "null").trim();
    if (name === "") continue;
    const path = columnPath(name);
    const earlier = columns.find((column) => overlaps(column.path, path));
    if (earlier === undefined) columns.push({ index, path, shape: shapeAt(path) });
    else {
      const message = `duplicate column ${JSON.stringify(truncate(name))}`;
      const spans = { span: spanOf(0, index), earlier: spanOf(0, earlier.index) };
      problems.push({ rule: "duplicate-key", message, ...spans });
    }
  }
  const isEmpty = header.every(isBlank) && rows.length < 2;
  if (isEmpty || columns.some(({ path }) => isField(path[0]))) return { columns, problems };
  const message =
    "no column is a field of a course; to convert the export of another system, use catalog courses import";
  return failed({ rule: "not-a-course", message, span: spanOf(0, 0) });
}

function failed(problem: TextProblem): Header {
  return { columns: [], problems: [problem] };
}

/** The path of a name; a name that is not a path, or not one of a course, is an unknown key. */
export function columnPath(name: string): Path {
  const path = parsePath(name);
  if (path === undefined || path.length > MAX_DEPTH || typeof path[0] !== "string") return [name];
  return path.every((step) => typeof step === "string" || step < MAX_ITEMS) ? path : [name];
}

/** Whether both columns fill the same value: they are equal, or one contains the other. */
function overlaps(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => step === other[index]);
}

function isBlank(cell: Cell): boolean {
  return cell?.trim() === "";
}

/** Whether a column is a field, or a misspelled one, which has its own finding. */
function isField(name: unknown): boolean {
  const folded = String(name)
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  if (folded === PROVIDER_KEY || folded === EXTERNAL_KEY) return true;
  return FIELD_NAMES.some((field) => field === folded);
}
