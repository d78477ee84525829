/** Reads the cells of a sheet into rows. */
import { unquoteNull } from "../base/spreadsheet-cells.ts";
import { listSome, truncateJson } from "../base/text.ts";
import type { Cell, Records } from "./csv-table.ts";
import { MAX_COURSES, MAX_VALUES, tooMany } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";
import type { Span } from "./position.ts";
import { columnOf, MOST_COLUMNS, nameCell, spanOfCell } from "./sheet-lines.ts";
import { type CellContext, numberText, unescapeText } from "./sheet-values.ts";
import type { WorkbookParts } from "./workbook-parts.ts";

/** The rows of a sheet that contain something. */
export class SheetGrid {
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
      invalid(
        `the cell contains ${truncateJson(text)}, which is not a number: enter its value again`,
      )
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
      notices.push(`${row} ${listSome(rows)} ${are} hidden, but read like the others`);
    }
    const merged = this.#merged.filter((area) => this.#isOfData(area));
    if (merged.length > 0) {
      notices.push(
        `of merged cells, only the first has a value: unmerge ${listSome(merged)}, and fill in the other cells`,
      );
    }
    return notices;
  }

  /** Whether a merged area is more than the first row, or a title that has its row for itself. */
  #isOfData(area: string): boolean {
    const [first, last = 0] = Array.from(area.matchAll(/\d+/g), Number);
    const alone = this.rows[this.numbers.indexOf(last)]?.filter(
      (cell) => cell !== undefined && cell !== "",
    );
    return last > (this.numbers[0] ?? 1) && (first !== last || (alone?.length ?? 0) > 1);
  }
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
