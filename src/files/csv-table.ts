/**
 * Splits CSV (RFC 4180) into records of cells, each with its span: the text `name,url\nKnitting,` has the rows
 * `["name", "url"]` and `["Knitting", ""]`. CONTRIBUTING.md says why no package does this.
 */
import { unprotectCell } from "../base/spreadsheet-cells.ts";
import { truncate } from "../base/text.ts";
import { type Path, parsePath } from "../base/values.ts";
import { EXTERNAL_KEY, FIELD_NAMES, PROVIDER_KEY } from "../course/field-names.ts";
import { shapeAt } from "../course/fields.ts";
import type { Shape } from "../course/shape.ts";
import { MAX_COURSES, MAX_DEPTH, MAX_ITEMS, MAX_VALUES, tooMany } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";
import { oneAt, type Span } from "./position.ts";

/** The content of a cell; null for `null` without quotation marks. */
export type Cell = string | null;

/** The records of a text up to its first syntax error, or the rows of a sheet. */
export interface Records {
  readonly rows: readonly (readonly Cell[])[];
  /** The number of each row as a spreadsheet shows it: from 1, counting empty rows. */
  readonly rowNumbers: readonly number[];
  /** The span of a cell with its quotation marks; for a column after the last cell, the end of the row. */
  readonly spanOf: (row: number, column: number) => Span;
  readonly delimiter: string;
  readonly problems: readonly TextProblem[];
  /** Whether the records are a sheet: each row ends with its last cell that has content. */
  readonly isSheet?: true;
}

/**
 * Splits a text into records, without empty lines. Excel names the delimiter in a first line such as `sep=;`,
 * which is skipped: `sep=;\na;"b;c"` has the row `["a", "b;c"]`.
 *
 * @param delimiter detected from the header if it is omitted
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

const LONGEST_HEADER = 100_000;

/** The most frequent delimiter in the header, outside of quotation marks. */
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
  /** For each row, the index of its first cell among all cells. */
  readonly firsts: number[] = [];
  /** For each cell, the offsets at which it starts and ends. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly #text: string;
  readonly #delimiter: number;
  /** Matches a cell without quotation marks. */
  readonly #plain: RegExp;
  #at: number;

  constructor(text: string, start: number, delimiter: string) {
    this.#text = text;
    this.#at = start;
    this.#delimiter = delimiter.charCodeAt(0);
    const escaped = `\\u${this.#delimiter.toString(16).padStart(4, "0")}`;
    this.#plain = new RegExp(`[^${escaped}\\r\\n]*`, "y");
  }

  /** Reads records up to the first problem. @returns that problem, if there is one */
  scan(): TextProblem | undefined {
    const { length } = this.#text;
    let rowNumber = 1;
    while (this.#at < length) {
      if (this.#isLineEnd(this.#at)) {
        this.#at += this.#text.startsWith("\r\n", this.#at) ? 2 : 1;
        rowNumber++;
        continue;
      }
      // The header is a row, but not a course.
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
      if (this.ends.push(this.#at) > MAX_VALUES) return tooMany("values", start);
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
    return invalid('text after a closing quote: write each quote inside a cell as ""', this.#at);
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

export interface TableColumn {
  readonly index: number;
  readonly path: Path;
  /** The shape of the values; undefined if the column is not a course field. */
  readonly shape: Shape | undefined;
}

/**
 * Reads the header: the column `prices[0].price` has the path `["prices", 0, "price"]`. A column that repeats another
 * one is reported, and is not among the columns.
 */
export function parseColumns({ rows, spanOf }: Records): {
  readonly columns: readonly TableColumn[];
  readonly problems: readonly TextProblem[];
} {
  const [header = []] = rows;
  const columns: TableColumn[] = [];
  const problems: TextProblem[] = [];
  /** The columns that fill a value, and the first columns that fill a part of it, by the paths of the values. */
  const whole = new Map<string, number>();
  const parts = new Map<string, number>();
  for (const [index, cell] of header.entries()) {
    const name = nameIn(cell);
    if (name === "") continue;
    const path = columnPath(name);
    // Two columns conflict if they fill the same value, or if one fills a part of the other's value.
    const keys = path.map((_, length) => JSON.stringify(path.slice(0, length + 1)));
    const own = keys.at(-1) ?? "";
    const around = keys.find((key) => whole.has(key));
    const earlier = around === undefined ? parts.get(own) : whole.get(around);
    if (earlier === undefined) {
      columns.push({ index, path, shape: shapeAt(path) });
      whole.set(own, index);
      for (const key of keys) if (!parts.has(key)) parts.set(key, index);
    } else {
      const message = `duplicate column ${JSON.stringify(truncate(name))}`;
      const spans = { span: spanOf(0, index), earlier: spanOf(0, earlier) };
      problems.push({ rule: "duplicate-key", message, ...spans });
    }
  }
  const isEmpty = header.every(isBlank) && rows.length < 2;
  if (isEmpty || columns.some(({ path }) => isField(path[0]))) return { columns, problems };
  const message =
    'none of the columns is a course field. Is this an export from another system? Use "catalog courses import"';
  return { columns: [], problems: [{ rule: "not-a-course", message, span: spanOf(0, 0) }] };
}

/** The path that a column's name means. A name that is not a path inside a course is one unknown field. */
export function columnPath(name: string): Path {
  const path = parsePath(name);
  if (path === undefined || path.length > MAX_DEPTH || typeof path[0] !== "string") return [name];
  return path.every((step) => typeof step === "string" || step < MAX_ITEMS) ? path : [name];
}

export function nameIn(cell: Cell | undefined = ""): string {
  return (cell ?? "null").trim();
}

export function isBlank(cell: Cell | undefined): boolean {
  return nameIn(cell) === "";
}

/** Whether a name is a field's, or nearly: `Provider ID` has a problem that suggests `provider_id`. */
export function isField(name: unknown): boolean {
  const folded = String(name)
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return [...FIELD_NAMES, PROVIDER_KEY, EXTERNAL_KEY].some((field) => field === folded);
}
