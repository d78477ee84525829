/** Reads the cells of a sheet into rows: `<row r="2"><c r="B2"><v>60</v></c></row>` is row 2, `["", "60"]`. */
import { unquoteNull } from "../base/spreadsheet-cells.ts";
import { listSome, truncateJson } from "../base/text.ts";
import type { Cell, Records } from "./csv-table.ts";
import { MAX_COURSES, MAX_VALUES, tooMany } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";
import type { Span } from "./position.ts";
import { columnOf, MAX_COLUMNS, nameCell, spanOfCell } from "./sheet-lines.ts";
import { type CellContext, isTrue, numberText, unescapeText } from "./sheet-values.ts";
import type { WorkbookParts } from "./workbook-parts.ts";

export class SheetGrid implements Records {
  readonly rows: Cell[][] = [];
  readonly rowNumbers: number[] = [];
  readonly problems: TextProblem[] = [];
  readonly delimiter = "";
  readonly isSheet = true;
  readonly #parts: WorkbookParts;
  readonly #context: CellContext;
  readonly #merged: string[] = [];
  readonly #hidden: number[] = [];
  #count = 0;
  #isFull = false;

  constructor(parts: WorkbookParts, context: CellContext) {
    this.#parts = parts;
    this.#context = context;
  }

  readonly spanOf: Records["spanOf"] = (row, column) => {
    const cells = Math.max(1, this.rows[row]?.length ?? 0);
    const at = column === Number.MAX_SAFE_INTEGER ? cells - 1 : column;
    return spanOfCell(this.rowNumbers[row] ?? 1, Math.min(at, MAX_COLUMNS - 1));
  };

  /** @throws CatalogError of kind `file` if the sheet is damaged */
  async read(name: string): Promise<void> {
    let [row, column] = [0, -1];
    let isHidden = false;
    let cell = newCell("n", 0);
    await this.#parts.read(name, {
      open: (tag, { r, t = "n", s = 0, hidden, ref = "" }) => {
        if (tag === "row") {
          row = r === undefined ? row + 1 : Number(r);
          column = -1;
          isHidden = isTrue(hidden);
        } else if (tag === "c") {
          column = r === undefined ? column + 1 : columnOf(r);
          cell = newCell(t, Number(s));
        } else if (tag === "f") cell.isFormula = true;
        else if (tag === "mergeCell") this.#merged.push(ref);
      },
      close: (tag, text) => {
        if (tag === "v" || tag === "t") cell.text += text;
        if (tag === "v") cell.hasValue = true;
        if (tag === "c") this.#add(row, column, cell, isHidden);
      },
    });
  }

  #add(row: number, column: number, cell: RawCell, isHidden: boolean): undefined {
    const isRow = Number.isInteger(row) && row >= 1 && row < 2 ** 21;
    if (!(isRow && column >= 0 && column < MAX_COLUMNS)) {
      throw this.#parts.damaged("a cell has no valid position");
    }
    if (this.#isFull) return;
    const span = spanOfCell(row, column);
    const value = this.#valueOf(cell, span);
    if (value === undefined || value === "") return;
    const last = this.rowNumbers.at(-1) ?? 0;
    if (row < last) throw this.#parts.damaged(`row ${row} is out of order`);
    if (row > last) {
      // The header is a row, but not a course.
      if (this.rows.length > MAX_COURSES) return this.#fill("courses", span);
      this.rows.push([]);
      this.rowNumbers.push(row);
      if (isHidden) this.#hidden.push(row);
    }
    const cells = this.rows.at(-1) ?? [];
    if (column < cells.length)
      throw this.#parts.damaged(`cell ${nameCell(row, column)} is out of order`);
    // Empty cells before the cell also count, because they take as much memory.
    this.#count += column + 1 - cells.length;
    if (this.#count > MAX_VALUES) return this.#fill("values", span);
    while (cells.length < column) cells.push("");
    cells.push(value);
  }

  #fill(what: Parameters<typeof tooMany>[0], span: Span): undefined {
    this.#isFull = true;
    this.problems.push({ ...tooMany(what, 0), span });
  }

  /** The content of a cell; undefined if the cell is empty or has a problem. */
  #valueOf({ type, style, text, isFormula, hasValue }: RawCell, span: Span): Cell | undefined {
    const invalid = (message: string): undefined => {
      this.problems.push({ rule: "syntax", message, span });
    };
    if (type === "e") {
      const error = truncateJson(text);
      return invalid(
        `the cell contains the error ${error}: correct the formula, or empty the cell`,
      );
    }
    // A formula may result in an empty text.
    if (isFormula && (type === "str" ? !hasValue : text === "")) {
      return invalid(
        "the formula in this cell has no saved result: open the workbook in a spreadsheet program, and save it",
      );
    }
    if (text === "" && type !== "s") return undefined;
    if (type === "s") return unquoteNull(this.#context.strings[Number(text || "none")] ?? "");
    if (type === "b") return String(isTrue(text));
    if (type !== "n") return unquoteNull(unescapeText(text));
    return (
      numberText(text, style, this.#context) ??
      invalid(
        `the cell contains ${truncateJson(text)}, which is not a number: enter its value again`,
      )
    );
  }

  /** What is read in a way that the user may not expect. */
  notices(): string[] {
    const notices: string[] = [];
    const rows = this.#hidden.map(String);
    if (rows.length > 0) {
      const [row, are] = rows.length === 1 ? ["row", "is"] : ["rows", "are"];
      notices.push(
        `${row} ${listSome(rows)} ${are} hidden, but catalog reads hidden rows like the others`,
      );
    }
    const merged = this.#merged.filter((area) => this.#isOfData(area));
    if (merged.length > 0) {
      notices.push(
        `only the first of merged cells has a value: unmerge ${listSome(merged)}, and fill in the other cells`,
      );
    }
    return notices;
  }

  /** Whether a merged area has data: it is neither in the first row, nor a title alone in a row. */
  #isOfData(area: string): boolean {
    const found = /^[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/.exec(area);
    if (found === null) return false;
    const [first, last] = [Number(found[1]), Number(found[2])];
    const cells = this.rows[this.rowNumbers.indexOf(last)] ?? [];
    const isAlone = cells.filter((cell) => cell !== "").length < 2;
    return last > (this.rowNumbers[0] ?? 1) && !(first === last && isAlone);
  }
}

interface RawCell {
  readonly type: string;
  readonly style: number;
  text: string;
  isFormula: boolean;
  hasValue: boolean;
}

function newCell(type: string, style: number): RawCell {
  return { type, style, text: "", isFormula: false, hasValue: false };
}
