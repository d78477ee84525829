/** Reads rows of other systems: workbooks, CSV, TSV, JSON, NDJSON, YAML, front matter of Markdown. */
import type { Readable } from "node:stream";
import { usageError } from "../base/errors.ts";
import { formatPath, isList, isObject, type Path, valueAt } from "../base/values.ts";
import { type Problem, type Span, textProblem } from "../course/problem.ts";
import { parseTable } from "./csv.ts";
import { type FoundFile, readSource } from "./decode.ts";
import { type LineIndex, oneAt, spanAt } from "./diagnostic.ts";
import { formatOf, parseAs, readContent, sentences, type TableOptions } from "./parse.ts";
import type { Parsed } from "./parsed.ts";
import { isUrl, nameIn, readHeader, type Table, type TableColumn } from "./table.ts";

/** One row: a record of a table, or an item of a list. */
export interface SourceRow {
  /** In a table, the cells that are not empty, by the names of their columns. */
  readonly value: unknown;
  /** From 1; in a table, the number that a spreadsheet shows. */
  readonly number: number;
  /** Finds the start of the row or, in a table, the cell of a column. */
  readonly span: (column?: string) => Promise<Span>;
  /** Why cells have no values, by the names of their columns: clauses. */
  readonly faults?: ReadonlyMap<string, string>;
}

/** A column of a table of another system, which may not be a field of a course. */
interface NamedColumn extends TableColumn {
  /** Whether its values are the addresses to which the cells link. */
  readonly isLink: boolean;
}

export interface SourceRows {
  readonly name: string;
  readonly lines: LineIndex;
  /** What the user should know about the content: sentences that begin with the name of the file. */
  readonly notices: readonly string[];
  readonly rows: readonly SourceRow[];
  readonly problems: readonly Problem[];
  /** The columns of a table by name; undefined in other files. All values of a table are text from cells. */
  readonly columns?: ReadonlyMap<string, NamedColumn>;
}

/** @param notices clauses that follow the name of the file */
export type FoundRows = Omit<SourceRows, "name" | "lines" | "notices"> & Pick<Parsed, "notices">;

/** Whether a file is a web page, in which only JSON-LD is read. */
export function isPage(path: string): boolean {
  return /\.(?:x?html|htm)$/i.test(path);
}

/**
 * Reads the rows of a file: the table `Titel;Preis\nStricken;49,90` has the row
 * `{ Titel: "Stricken", Preis: "49,90" }`, and the list `[{"title": "Knitting"}]` has its item as a row.
 *
 * @param options.input standard input
 * @param options.from the path of the list inside each document
 * @param options.readPage reads the rows of a web page
 * @throws CatalogError of kind `usage` if there is nothing at `from`
 */
export async function loadRows(
  source: FoundFile,
  options: TableOptions & {
    readonly input: Readable;
    readonly from?: Path | undefined;
    readonly readPage: (html: string) => Promise<FoundRows>;
  },
): Promise<SourceRows> {
  const { name, path } = source;
  const bytes = await readSource(source, options.input);
  const { text, table, problem, ...read } = await readContent(name, path, bytes, options);
  const file = { name, ...read };
  if (problem !== undefined) return { ...file, rows: [], problems: [problem] };
  const isMarkup = isPage(path) || (path === "" && /^\s*</.test(text));
  const found =
    table !== undefined
      ? tableRows(table)
      : isMarkup
        ? await options.readPage(text)
        : await documentRows(text, source, options.from);
  return { ...file, ...found, notices: [...file.notices, ...sentences(name, found.notices)] };
}

/**
 * Reads the rows below the header. In `Kurse 2027`, `Titel;Preis;Tage`, `Stricken;49,90;2`, the header is the second
 * line, and row 3 is `{ Titel: "Stricken", Preis: "49,90", Tage: "2" }`.
 */
export function tableRows(table: Table): FoundRows {
  const header = readHeader(table);
  const columns = nameColumns(header);
  const rows = header.rows.map((row): SourceRow => {
    const cells: (readonly [string, unknown])[] = [];
    const faults = new Map<string, string>();
    for (const [name, { index, isLink, shape }] of columns) {
      const link = isLink || isUrl(shape) ? row.links?.get(index) : undefined;
      const cell = link ?? (isLink ? "" : row.cells[index]);
      if (nameIn(cell) !== "") cells.push([name, cell]);
      const fault = row.faults?.get(index);
      if (fault !== undefined) faults.set(name, fault);
    }
    return {
      value: Object.fromEntries(cells),
      number: row.number,
      span: async (column = "") => table.spanOf(row, columns.get(column)?.index ?? 0),
      faults,
    };
  });
  const problems = [...header.misfits, ...table.problems];
  // What follows would only be consequences.
  const isTooLarge = table.problems.some(({ rule }) => rule === "too-large");
  return { rows: isTooLarge ? [] : rows, columns, problems, notices: header.notices };
}

/**
 * The columns by their unique names: `Preis`, a second `Preis (2)`, `Column C` for a column without a name, and
 * `Course (link)` for the links of a column with other texts.
 */
function nameColumns(header: ReturnType<typeof readHeader>): Map<string, NamedColumn> {
  const fields = new Set<TableColumn>(header.fields);
  const named = new Map<string, NamedColumn>();
  const repeats = new Map<string, number>();
  for (const column of header.columns) {
    for (const isLink of column.hasLinks ? [false, true] : [false]) {
      const own = isLink ? `${column.name} (link)` : column.name;
      let name = own;
      let number = repeats.get(own) ?? 1;
      while (named.has(name)) name = `${own} (${++number})`;
      repeats.set(own, number);
      const isField = fields.has(column) && !isLink;
      const meaning = isField ? column : { path: [name], shape: undefined };
      named.set(name, { ...column, ...meaning, isLink });
    }
  }
  return named;
}

async function documentRows(text: string, { name, path }: FoundFile, from: Path = []) {
  const front = /\.(?:md|markdown)$/i.test(path) ? frontMatter(text) : undefined;
  if (front === "") {
    const message = 'the page has no front matter: YAML between two lines "---" at its start';
    return { rows: [], problems: [textProblem("not-a-course", message, oneAt(0))] };
  }
  const format = front === undefined ? formatOf(path, text) : "yaml";
  if (format === "csv") return tableRows(parseTable(text));
  if (format === "tsv") return tableRows(parseTable(text, "\t"));
  const parsed = await parseAs(format, front ?? text);
  const rows: SourceRow[] = [];
  for (const [document, root] of parsed.documents.entries()) {
    const found = valueAt(root, from);
    if (root === null || root === undefined) continue;
    if (found === undefined) throw usageError(`${name} has no ${formatPath(from)}`);
    for (const [steps, value] of itemsOf(found)) {
      const path = [...from, ...steps];
      // A document that is a list is placed item by item.
      const item = typeof path[0] === "number" ? Number(path.shift()) : undefined;
      const span = async () => spanAt(await parsed.place({ document, item }), path, "value");
      rows.push({ value, number: rows.length + 1, span });
    }
  }
  return { rows, problems: parsed.problems };
}

/**
 * The items of a list with their paths, or the objects of an object that names each by its id, as `key`; else the value.
 * Such objects have a text of one name.
 */
function itemsOf(found: unknown): readonly (readonly [path: Path, value: unknown])[] {
  if (isList(found)) return found.map((value, index) => [[index], value]);
  const entries = Object.entries(isObject(found) ? found : {});
  const isText = (name: string): boolean =>
    entries.every(([, value]) => isObject(value) && typeof value[name] === "string");
  const isById = entries.length > 1 && Object.keys(Object(entries[0]?.[1])).some(isText);
  if (!isById) return [[[], found]];
  return entries.map(([key, value]) => [[key], { key, ...Object(value) }]);
}

/** The YAML at the start of a Markdown file, with the line `---` before it; empty if there is none. */
function frontMatter(text: string): string {
  return /^---\s*?\n[\s\S]*?\n(?=---\s*?(?:\n|$))/.exec(text)?.[0] ?? "";
}
