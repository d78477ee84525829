/** Reads a sheet of an Excel workbook as a table, whose positions are its cells. */
import { CatalogError } from "../base/errors.ts";
import { unquoteNull } from "../base/spreadsheet-cells.ts";
import { joinList, listSome, truncateJson } from "../base/text.ts";
import { type Cell, nameColumn, type Records } from "./csv-table.ts";
import { MAX_COURSES, MAX_VALUES, tooMany } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";
import { type LineExcerpt, LineIndex, type Range, type Span } from "./position.ts";
import {
  type CellContext,
  numberText,
  readNumberKinds,
  readSharedStrings,
  unescapeText,
} from "./sheet-values.ts";
import { WorkbookParts } from "./workbook-parts.ts";

/** A sheet that was read. */
export interface Sheet {
  readonly table: Records;
  readonly lines: LineIndex;
  /** What people should know about it: sentences. */
  readonly notices: readonly string[];
}

/**
 * Reads the sheet of a name, or the first that is visible.
 *
 * @throws CatalogError of kind `file` if the workbook cannot be read, or has no such sheet
 */
export async function readWorkbook(
  file: string,
  bytes: Buffer,
  name: string | undefined,
): Promise<Sheet> {
  const parts = await WorkbookParts.open(file, bytes);
  const { sheets, is1904 } = await readSheetList(parts);
  if (sheets.length === 0) throw parts.damaged("it has no sheets");
  const sheet = findSheet(sheets, name);
  if (sheet === undefined) throw noSheet(file, String(name), sheets);
  const related = await readRelations(parts, WORKBOOK);
  const at = related.get(sheet.id);
  if (at === undefined || !parts.has(at))
    throw parts.damaged(`the sheet ${truncateJson(sheet.name)} is missing`);
  const [strings = "", styles = ""] = ["sharedStrings", "styles"].map((part) =>
    [...related.values()].find((path) => path.endsWith(`/${part}.xml`)),
  );
  const context = {
    is1904,
    strings: await readSharedStrings(parts, strings),
    kinds: await readNumberKinds(parts, styles),
  };
  const grid = new SheetGrid(parts, context);
  await grid.read(at);
  const others = sheets.filter(({ isHidden, id }) => !isHidden && id !== sheet.id);
  const notices = [...grid.notices()];
  if (name === undefined && others.length > 0) {
    const names = listSome(others.map((other) => truncateJson(other.name)));
    notices.unshift(`read the sheet ${truncateJson(sheet.name)}; use --sheet for ${names}`);
  }
  return { table: grid.table(), lines: new SheetLines(grid), notices };
}

const WORKBOOK = "xl/workbook.xml";

interface SheetEntry {
  readonly name: string;
  /** Of the relation that names its part. */
  readonly id: string;
  readonly isHidden: boolean;
}

async function readSheetList(parts: WorkbookParts) {
  if (!parts.has(WORKBOOK)) throw parts.damaged("it is a ZIP archive of something else");
  const sheets: SheetEntry[] = [];
  let is1904 = false;
  await parts.read(WORKBOOK, {
    open: (tag, attributes) => {
      if (tag === "workbookPr") is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? "");
      if (tag !== "sheet") return;
      const [, id = ""] = Object.entries(attributes).find(([key]) => key.endsWith(":id")) ?? [];
      const { name = "", state = "visible" } = attributes;
      sheets.push({ id, name: unescapeText(name), isHidden: state !== "visible" });
    },
  });
  return { sheets, is1904 };
}

/** The sheet of a name, or the first that is visible. */
function findSheet(
  sheets: readonly SheetEntry[],
  name: string | undefined,
): SheetEntry | undefined {
  return name === undefined
    ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
    : sheets.find((sheet) => sheet.name.trim() === name.trim());
}

function noSheet(file: string, name: string, sheets: readonly SheetEntry[]): CatalogError {
  const names = sheets.slice(0, MOST_NAMED).map((sheet) => truncateJson(sheet.name));
  return new CatalogError("file", `${file} has no sheet ${truncateJson(name)}`, {
    ...{ file, rule: "unreadable" },
    advice: `Its sheets are ${joinList(names, "and")}.`,
  });
}

const MOST_NAMED = 20;

/** The parts that a part refers to, by the ids of the relations. */
async function readRelations(
  parts: WorkbookParts,
  name: string,
): Promise<ReadonlyMap<string, string>> {
  const slash = name.lastIndexOf("/") + 1;
  const folder = name.slice(0, slash);
  const related = new Map<string, string>();
  await parts.read(`${folder}_rels/${name.slice(slash)}.rels`, {
    open: (tag, { Id = "", Target = "" }) => {
      if (tag !== "Relationship") return;
      related.set(Id, Target.startsWith("/") ? Target.slice(1) : folder + Target);
    },
  });
  return related;
}

/** Columns of a sheet at most. */
const MOST_COLUMNS = 16_384;

/** The rows of a sheet that contain something. */
class SheetGrid {
  readonly rows: Cell[][] = [];
  /** The number of each row, from 1. */
  readonly numbers: number[] = [];
  readonly #parts: WorkbookParts;
  readonly #context: CellContext;
  readonly #merged: string[] = [];
  readonly #hidden: number[] = [];
  readonly #problems: TextProblem[] = [];
  #count = 0;
  #isFull = false;

  constructor(parts: WorkbookParts, context: CellContext) {
    this.#parts = parts;
    this.#context = context;
  }

  /** @throws CatalogError of kind `file` if it is damaged */
  async read(name: string): Promise<void> {
    let row = 0;
    let isHidden = false;
    let cell: RawCell = NO_CELL;
    let inside = "";
    await this.#parts.read(name, {
      open: (tag, attributes) => {
        if (tag === "row") {
          row = attributes.r === undefined ? row + 1 : Number(attributes.r);
          isHidden = /^(?:1|true)$/.test(attributes.hidden ?? "");
          cell = { ...NO_CELL, column: -1 };
        } else if (tag === "c") {
          const column = attributes.r === undefined ? cell.column + 1 : columnOf(attributes.r);
          cell = {
            ...NO_CELL,
            column,
            type: attributes.t ?? "n",
            style: Number(attributes.s ?? 0),
          };
        } else if (tag === "f") cell.isFormula = true;
        else if (tag === "v") cell.hasValue = true;
        else if (tag === "mergeCell") this.#merged.push(attributes.ref ?? "");
        inside = tag === "rPh" || inside === "rPh" ? "rPh" : tag;
      },
      text: (text) => {
        if (inside === "v" || inside === "t") cell.text += text;
      },
      close: (tag) => {
        if (tag === "rPh" || inside !== "rPh") inside = "";
        if (tag === "c") this.#add(row, cell, isHidden);
      },
    });
  }

  #add(row: number, cell: RawCell, isHidden: boolean): void {
    const { column } = cell;
    if (!(row >= 1 && row < 2 ** 21 && column >= 0 && column < MOST_COLUMNS)) {
      throw this.#parts.damaged("a cell has no valid position");
    }
    if (this.#isFull) return;
    const span = spanOfCell(row, column);
    const value = this.#valueOf(cell, span);
    if (value === undefined || value === "") return;
    if (this.numbers.at(-1) !== row) {
      if (row <= (this.numbers.at(-1) ?? 0))
        throw this.#parts.damaged(`row ${row} is not in its place`);
      // One more for the header.
      if (this.rows.length > MAX_COURSES) {
        this.#fill("courses", span);
        return;
      }
      this.rows.push([]);
      this.numbers.push(row);
      if (isHidden) this.#hidden.push(row);
    }
    const cells = this.rows.at(-1) ?? [];
    if (column < cells.length)
      throw this.#parts.damaged(`cell ${nameCell(row, column)} is not in its place`);
    // Empty cells before it count, too: a million rows of them take as much memory.
    this.#count += column + 1 - cells.length;
    if (this.#count > MAX_VALUES) {
      this.#fill("values", span);
      return;
    }
    while (cells.length < column) cells.push("");
    cells.push(value);
  }

  #fill(what: Parameters<typeof tooMany>[0], span: Span): void {
    this.#isFull = true;
    this.#problems.push({ ...tooMany(what, 0), span });
  }

  /** The content of a cell; undefined if it has none that can be read. */
  #valueOf({ type, style, text, isFormula, hasValue }: RawCell, span: Span): Cell | undefined {
    const invalid = (message: string): undefined => {
      this.#problems.push({ rule: "syntax", message, span });
    };
    if (type === "e") {
      const error = truncateJson(text);
      return invalid(
        `the cell contains the error ${error}: correct its formula, or empty the cell`,
      );
    }
    // A formula may result in an empty text.
    if (isFormula && (type === "str" ? !hasValue : text === "")) {
      return invalid(
        "the formula in this cell has no result: open the workbook in a spreadsheet program, and save it",
      );
    }
    if (text === "" && type !== "s") return undefined;
    if (type === "s") return unquoteNull(this.#context.strings[Number(text || "none")] ?? "");
    if (type === "b") return text === "1" || text === "true" ? "true" : "false";
    if (type !== "n") return unquoteNull(unescapeText(text));
    return (
      numberText(text, style, this.#context) ??
      invalid(`the cell contains ${truncateJson(text)}, which is no number: enter its value again`)
    );
  }

  table(): Records {
    return {
      rows: this.rows,
      rowNumbers: this.numbers,
      delimiter: "",
      isSheet: true,
      spanOf: (row, column) => {
        const cells = Math.max(1, this.rows[row]?.length ?? 0);
        const at = column === Number.MAX_SAFE_INTEGER ? cells - 1 : column;
        return spanOfCell(this.numbers[row] ?? 1, Math.min(at, MOST_COLUMNS - 1));
      },
      problems: this.#problems,
    };
  }

  /** What is read in a way that people may not expect. */
  notices(): string[] {
    const notices: string[] = [];
    const rows = this.#hidden.map(String);
    if (rows.length > 0) {
      const [row, are] = rows.length === 1 ? ["row", "is"] : ["rows", "are"];
      notices.push(`${row} ${listSome(rows)} ${are} hidden, and read like the others`);
    }
    const merged = this.#merged.filter((area) => isOfData(area, this.numbers[0] ?? 1));
    if (merged.length > 0) {
      const [, first = ""] = /^([A-Z]+\d+)/.exec(merged[0] ?? "") ?? [];
      notices.push(
        `of merged cells, only the first has a value (${listSome(merged)}): unmerge them, and fill in each cell, such as ${first}`,
      );
    }
    return notices;
  }
}

/** Whether an area reaches below the first row. */
function isOfData(area: string, first: number): boolean {
  const [, last = ""] = /:[A-Z]+(\d+)$/.exec(area) ?? [];
  return Number(last) > first;
}

/** A cell as the sheet has it. */
interface RawCell {
  /** From 0. */
  readonly column: number;
  readonly type: string;
  readonly style: number;
  text: string;
  isFormula: boolean;
  hasValue: boolean;
}

const NO_CELL: RawCell = {
  column: -1,
  type: "n",
  style: 0,
  text: "",
  isFormula: false,
  hasValue: false,
};

/** The column of a cell's name, from 0; -1 if it is no name. */
function columnOf(name: string): number {
  const [, letters = ""] = /^([A-Z]{1,3})\d+$/.exec(name) ?? [];
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function nameCell(row: number, column: number): string {
  return nameColumn(column) + row;
}

/** A cell as a span: sheets have no text, in which offsets could count. */
function spanOfCell(row: number, column: number): Span {
  const start = (row - 1) * MOST_COLUMNS + column;
  return { start, end: start + 1 };
}

/** The number of the row in which a span starts. */
function rowOf(start: number): number {
  return Math.floor(start / MOST_COLUMNS) + 1;
}

/** The positions in a sheet: lines are rows, and columns its columns. */
class SheetLines extends LineIndex {
  readonly #grid: SheetGrid;

  constructor(grid: SheetGrid) {
    super("");
    this.#grid = grid;
  }

  override get content(): string {
    return this.#grid.rows.map((row) => row.join("\t")).join("\n");
  }

  override range({ start, end }: Span): Range {
    const last = Math.max(start, end - 1);
    return {
      line: rowOf(start),
      column: (start % MOST_COLUMNS) + 1,
      endLine: rowOf(last),
      endColumn: (last % MOST_COLUMNS) + 2,
    };
  }

  override text({ start }: Span): string {
    const row = this.#grid.numbers.indexOf(rowOf(start));
    return this.#grid.rows[row]?.[start % MOST_COLUMNS] ?? "";
  }

  override excerpt(span: Span): LineExcerpt {
    const { column } = this.range(span);
    return { source: this.text(span), sourceFrom: column - 1 };
  }

  override cell({ start, end }: Span): string {
    const row = rowOf(start);
    return end - start > 1 ? `row ${row}` : `cell ${nameCell(row, start % MOST_COLUMNS)}`;
  }
}
