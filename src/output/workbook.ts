/** Writes courses to a sheet of an Excel workbook. Every cell is text, which no program changes or executes. */
import type { CellObject, SheetData } from "write-excel-file/node";
import { CatalogError } from "../base/errors.ts";
import { escapeSheetText, escapeUnits, quoteNull } from "../base/spreadsheet-cells.ts";
import { formatNumber, truncateJson } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { MAX_COURSES, MAX_UNPACKED } from "../files/limits.ts";
import { type Column, columnsNamed, plainCell } from "./cells.ts";
import type { Formatter, RenderOptions } from "./renderer.ts";

/** Writes a workbook with the header and the rows of `-o csv`. Nothing is written before the end. */
export function xlsxFormatter(options: RenderOptions): Formatter {
  const { columns, allColumns = columns, fields, cleared } = options;
  const sheet = new CourseSheet(fields ?? allColumns, cleared);
  return {
    rows: (courses) => {
      for (const course of courses) sheet.add(course);
      return "";
    },
    end: () => sheet.pack(),
  };
}

/** Characters of a cell that Excel opens. */
const MAX_CELL = 32_767;

/** At least the bytes of the markup around a text, around a row, and of an empty cell. */
const [TEXT_MARKUP, ROW_MARKUP, EMPTY_MARKUP] = [90, 30, 30];

/** More bytes than a workbook contains besides its courses. */
const OTHER_PARTS = 128 * 1024;

/** Characters of the narrowest and of the widest column. */
const [MIN_WIDTH, MAX_WIDTH] = [8, 50];

/** The rows of a sheet, which are packed when all rows are known. */
export class CourseSheet {
  readonly #columns: readonly Column[];
  readonly #widths: number[];
  readonly #rows: (readonly string[])[] = [];
  readonly #cleared: string;
  /** At least the bytes of the unpacked workbook. */
  #size = OTHER_PARTS;

  /**
   * @param names of the columns: fields of a course, or paths such as `prices[0].price`
   * @param cleared the text of a cell whose value is null
   */
  constructor(names: readonly string[], cleared = "") {
    this.#cleared = cleared;
    this.#columns = columnsNamed(names);
    this.#widths = names.map((name) => fitWidth(name, MIN_WIDTH));
  }

  /** Adds a row. @throws CatalogError of kind `output` if a workbook cannot contain the course */
  add(course: PlainObject): void {
    if (this.#rows.length === MAX_COURSES) {
      throw misfit(course, `a sheet can have at most ${formatNumber(MAX_COURSES)} courses`);
    }
    const cells = this.#columns.map(({ name, read }, index) => {
      const value = read(course);
      const plain = value === null ? this.#cleared : plainCell(value);
      const text = typeof value === "string" ? quoteNull(value) : plain;
      if (text.length > MAX_CELL) {
        const length = `${name} has ${formatNumber(text.length)} characters`;
        throw misfit(course, `${length}, but a cell can have at most ${formatNumber(MAX_CELL)}`);
      }
      const escaped = escapeSheetText(text);
      this.#size += sizeOf(escaped);
      this.#widths[index] = fitWidth(text, this.#widths[index] ?? MIN_WIDTH);
      return escaped;
    });
    this.#size += ROW_MARKUP;
    if (this.#size > MAX_UNPACKED) {
      throw misfit(course, `the workbook would be larger than ${MAX_UNPACKED / 1024 / 1024} MiB`);
    }
    this.#rows.push(cells);
  }

  /** The bytes of the workbook, which are the same for the same courses. */
  async pack(): Promise<Uint8Array> {
    const { default: writeWorkbook } = await import("write-excel-file/node");
    const { unzipSync, zipSync } = await import("fflate");
    const header = this.#columns.map(({ name }) => ({
      ...textCell(escapeSheetText(name)),
      fontWeight: "bold" as const,
    }));
    const rows: SheetData = [header, ...this.#rows.map((cells) => cells.map(textCell))];
    const columns = this.#widths.map((width) => ({ width }));
    const options = { sheet: "Courses", columns, stickyRowsCount: 1 };
    const packed = await writeWorkbook(rows, options).toBuffer();
    // The package stores the current time, with which a workbook of the same courses would differ.
    return zipSync(unzipSync(packed), { mtime: new Date(1980, 0, 1) });
  }
}

/** A cell with the format text, which also applies to values that users type later. */
function textCell(text: string): CellObject {
  // The package uses texts as keys of an object, which inherits some keys.
  const value = text in {} ? escapeUnits(text.charAt(0)) + text.slice(1) : text;
  return { value, type: String, format: "@" };
}

/** At least the bytes of a cell in the unpacked workbook. */
function sizeOf(text: string): number {
  if (text === "") return EMPTY_MARKUP;
  const escapes = text.replace(/[^&<>]+/g, "").length;
  return TEXT_MARKUP + Buffer.byteLength(text) + escapes * "amp;".length;
}

function fitWidth(text: string, least: number): number {
  return Math.max(least, Math.min(MAX_WIDTH, text.length + 2));
}

function misfit({ id, name }: PlainObject, reason: string): CatalogError {
  const shown = truncateJson(name ?? id ?? null);
  return new CatalogError("output", `a workbook cannot contain ${shown}: ${reason}`, {
    advice: "Use another format, such as YAML, which has no such limit.",
  });
}
