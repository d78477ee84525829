/**
 * The thread that reads one sheet of a workbook with SheetJS, and answers with a `WorkbookResult`. The thread that
 * starts it limits its time and memory, so that a hostile workbook can exhaust neither.
 */
import { isUtf8 } from "node:buffer";
import { parentPort, workerData } from "node:worker_threads";
import { type CellObject, type Range, read, SSF, utils, type WorkBook } from "@e965/xlsx";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { unquoteNull } from "../base/spreadsheet-cells.ts";
import { truncateJson } from "../base/text.ts";
import type { Cell, Row } from "./csv-table.ts";
import { MAX_COURSES, MAX_UNPACKED, MAX_VALUES } from "./limits.ts";

export interface WorkbookInput {
  readonly bytes: Uint8Array;
  /** The name of the sheet; by default, the first visible one. */
  readonly name: string | undefined;
}

/** The names of all sheets, and of those that are visible; the rows of the sheet, if one has the name. */
export interface WorkbookResult {
  readonly names: readonly string[];
  readonly visible: readonly string[];
  readonly name?: string;
  /** Up to the first row that is too many. */
  readonly rows?: readonly Row[];
  /** The limit that the rows exceed. */
  readonly excess?: "courses" | "values" | undefined;
}

/** The parts of an archive with cells; the others are pictures. */
const CELL_PARTS = /\.(?:xml|rels|bin)$/i;

/** Unpacks an archive; undefined if it declares too large a size. No part becomes larger than it declares. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> | undefined {
  let size = 0;
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      const isRead = CELL_PARTS.test(name);
      if (isRead) size += originalSize;
      return isRead && size <= MAX_UNPACKED;
    },
  });
  if (size > MAX_UNPACKED) return undefined;
  for (const [name, part] of Object.entries(parts)) {
    if (/styles[^/]*\.xml$/i.test(name)) parts[name] = strToU8(withDates(strFromU8(part)));
  }
  return parts;
}

/** Gives the built-in dates of East Asia, whose codes SheetJS knows too late, the format of other dates. */
function withDates(styles: string): string {
  return styles.replace(/(<(?:\w+:)?xf\s[^>]*?numFmtId=")(?:2[7-9]|3[0-6]|5[0-8])"/g, '$114"');
}

function readWorkbook({ bytes, name }: WorkbookInput): WorkbookResult | "too-large" {
  const isArchive = bytes[0] === "P".charCodeAt(0);
  const parts = isArchive ? unpack(bytes) : {};
  if (parts === undefined) return "too-large";
  // Packed again without compression: SheetJS would believe other sizes than those that were limited.
  const data = isArchive ? zipSync(parts, { level: 0 }) : bytes;
  const book = read(data, {
    type: "array",
    dense: true,
    cellFormula: true,
    cellHTML: false,
    cellNF: true,
    // A formula without a result has no value.
    sheetStubs: true,
  });
  const names = book.SheetNames;
  const visible = names.filter((_, index) => !book.Workbook?.Sheets?.[index]?.Hidden);
  const wanted =
    name === undefined
      ? (visible[0] ?? names[0])
      : names.find((each) => each.trim() === name.trim());
  if (wanted === undefined) return { names, visible };
  return { names, visible, name: wanted, ...readRows(book, wanted) };
}

interface SheetRow extends Row {
  readonly cells: Cell[];
}

function readRows(book: WorkBook, name: string): Pick<WorkbookResult, "rows" | "excess"> {
  const sheet = book.Sheets[name];
  if (sheet?.["!data"] === undefined)
    throw new Error(`the sheet ${JSON.stringify(name)} is damaged`);
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet["!data"];
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const rows: SheetRow[] = [];
  let count = 0;
  for (const [index, written = []] of data.entries()) {
    const cells: Cell[] = [];
    const faults = new Map<number, string>();
    const links = new Map<number, string>();
    for (const [column, cell] of written.entries()) {
      if (cell === undefined) continue;
      const value = textOf(cell, date1904);
      if (value === undefined) faults.set(column, describeFault(cell));
      if (value === undefined || value === "") continue;
      const link = linkOf(cell);
      if (link !== undefined && !isWebAddress(String(value))) links.set(column, link);
      while (cells.length < column) cells.push("");
      cells.push(value);
    }
    if (cells.length === 0) continue;
    rows.push({ number: index + 1, cells, faults, links });
    count += cells.length;
    // The header is a row, but not a course.
    if (rows.length > MAX_COURSES + 1) return { rows, excess: "courses" };
    if (count > MAX_VALUES) return { rows, excess: "values" };
  }
  fillDown(rows, sheet["!merges"] ?? []);
  return { rows };
}

/** Repeats the value of cells that are merged downward in each of their rows. */
function fillDown(rows: readonly SheetRow[], merges: readonly Range[]): void {
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  for (const { s: first, e: last } of merges) {
    const value = byNumber.get(first.r + 1)?.cells[first.c] ?? "";
    const end = Math.min(last.r + 1, rows.at(-1)?.number ?? 0);
    for (let number = first.r + 2; value !== "" && number <= end; number++) {
      const { cells = [] } = byNumber.get(number) ?? {};
      while (cells.length < first.c) cells.push("");
      if ((cells[first.c] ?? "") === "") cells[first.c] = value;
    }
  }
}

function describeFault(cell: CellObject): string {
  return cell.t === "e"
    ? `the cell contains the error ${truncateJson(utils.format_cell(cell))}: correct the formula, or empty the cell`
    : "the formula in this cell has no saved result: open the workbook in a spreadsheet program, and save it";
}

/** The value of a cell; undefined for an error, and for a formula that has no result. */
function textOf(cell: CellObject, date1904: boolean): Cell | undefined {
  const { t: type, v: value, f: formula } = cell;
  if (type === "e" || (type === "z" && formula !== undefined)) return undefined;
  if (typeof value === "number") return numberText(value, cell, date1904);
  return value === undefined || value === null
    ? ""
    : unquoteNull(String(value).replace(/\r\n?/g, "\n"));
}

/**
 * The digits of a number as the sheet shows them: 29.925 is `29.93` in the format `0.00 "€"`, and 123 is `00123` in the
 * format `00000`. Dates and times are as in ISO 8601: 46053 is `2026-01-31` in a format for dates.
 */
function numberText(value: number, cell: CellObject, date1904: boolean): string {
  const format = String(cell.z ?? "");
  if (value >= 0 && SSF.is_date(format)) {
    const isDuration = /\[[hms]+\]/i.test(format);
    const date = Number.isInteger(value) ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm";
    const shown = isDuration ? "[h]:mm" : value < 1 ? "hh:mm" : date;
    return SSF.format(shown, value, { date1904 });
  }
  // Excel calculates and stores 15 digits.
  const exact = String(Number(value.toPrecision(15)));
  if (format === "General") return exact;
  const text = format === "" ? cell.w : SSF.format(format, value);
  const [, shown = ""] = /^\D*(\d[\d,'\s]*(?:\.\d+)?)\D*$/.exec(text ?? "") ?? [];
  const digits = shown.replace(/[,'\s]/g, "");
  const places = digits.split(".")[1]?.length ?? 0;
  // In percent or in thousands, a sheet shows another number.
  const isRounded = Math.abs(Number(digits) - Math.abs(value)) <= 0.51 / 10 ** places;
  return digits !== "" && isRounded ? `${value < 0 ? "-" : ""}${digits}` : exact;
}

/** The web address to which a cell links, by a link or by a formula. */
function linkOf({ l: link, f: formula = "" }: CellObject): string | undefined {
  const [, quoted] = /^HYPERLINK\("((?:[^"]|"")*)"/i.exec(formula) ?? [];
  const address = link === undefined ? quoted?.replaceAll('""', '"') : fromUtf8(link.Target);
  return address !== undefined && isWebAddress(address) ? address : undefined;
}

/** The text of UTF-8 of which each byte is a character, as SheetJS gives the addresses of links. */
function fromUtf8(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  return /^[\0-\xff]*$/.test(text) && isUtf8(bytes) ? bytes.toString() : text;
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text);
}

parentPort?.postMessage(readWorkbook(workerData));
