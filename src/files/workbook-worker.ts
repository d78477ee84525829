/**
 * The thread that reads one sheet of a workbook with SheetJS, and answers with a `WorkbookResult`. The thread that
 * starts it limits its time and memory, so that a hostile workbook can exhaust neither.
 */
import { isUtf8 } from "node:buffer";
import { parentPort, workerData } from "node:worker_threads";
import { type CellObject, type Range, read, SSF, utils, type WorkBook } from "@e965/xlsx";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { unquoteNull } from "../base/spreadsheet-cells.ts";
import type { Cell } from "./csv-table.ts";
import { MAX_COURSES, MAX_UNPACKED, MAX_VALUES } from "./limits.ts";

export interface WorkbookInput {
  readonly bytes: Uint8Array;
  /** The name of the sheet; by default, the first visible one. */
  readonly name: string | undefined;
}

/** A text about a cell, by the index of its row among `rows` and by its column. */
export type CellNote = readonly [row: number, column: number, text: string];

export interface SheetContent {
  /** The rows that are not empty. */
  readonly rows: Cell[][];
  /** The number of each row as the sheet shows it, from 1. */
  readonly rowNumbers: number[];
  /** The cells without a value: an error such as `#N/A`, or an empty text for a formula that has no result. */
  readonly faults: CellNote[];
  /** The web addresses to which cells with other texts link. */
  readonly links: CellNote[];
  /** The limit that the sheet exceeds. The last row is the first that is too many. */
  excess?: "courses" | "values";
}

/** The names of all sheets, and of those that are visible; the sheet, if one has the name. */
export interface WorkbookResult {
  readonly names: readonly string[];
  readonly visible: readonly string[];
  readonly name?: string | undefined;
  readonly sheet?: SheetContent;
}

/** The parts of an archive with cells; the others are pictures. */
const CELL_PARTS = /\.(?:xml|rels|bin)$/i;

/** Unpacks an archive; undefined if it declares too large a size. No part becomes larger than it declares. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> | undefined {
  let size = 0;
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (CELL_PARTS.test(name)) size += originalSize;
      return false;
    },
  });
  if (size > MAX_UNPACKED) return undefined;
  const parts = unzipSync(bytes, { filter: ({ name }) => CELL_PARTS.test(name) });
  for (const [name, part] of Object.entries(parts)) {
    if (/styles[^/]*\.xml$/i.test(name)) parts[name] = strToU8(withFormats(strFromU8(part)));
  }
  return parts;
}

/** The formats that SheetJS does not know without their codes: amounts, and dates of East Asia. */
const FORMATS: readonly (readonly [numbers: RegExp, similar: number])[] = [
  [/^(?:[56]|4[12])$/, 3],
  [/^(?:[78]|4[34])$/, 4],
  [/^(?:2[7-9]|3[0-6]|5[0-8])$/, 14],
];

function withFormats(styles: string): string {
  return styles.replace(/(<(?:\w+:)?xf\s[^>]*?numFmtId=")(\d+)/g, (all, before, id) => {
    const format = FORMATS.find(([numbers]) => numbers.test(id));
    return format === undefined ? all : before + format[1];
  });
}

function readWorkbook({ bytes, name }: WorkbookInput): WorkbookResult | "too-large" {
  const isArchive = bytes[0] === "P".charCodeAt(0);
  const parts = isArchive ? unpack(bytes) : {};
  if (parts === undefined) return "too-large";
  // Packed again without compression: SheetJS would believe other sizes than those that were limited.
  const data = isArchive ? zipSync(parts, { level: 0 }) : bytes;
  const readSheet = (sheets: number): WorkBook =>
    read(data, {
      type: "array",
      dense: true,
      cellFormula: true,
      cellHTML: false,
      cellNF: true,
      cellText: false,
      // A formula without a result has no value.
      sheetStubs: true,
      sheets,
    });
  const first = readSheet(0);
  const names = first.SheetNames;
  const visible = names.filter((_, index) => !first.Workbook?.Sheets?.[index]?.Hidden);
  const wanted =
    name === undefined
      ? (visible[0] ?? names[0])
      : names.find((each) => each.trim() === name.trim());
  if (wanted === undefined) return { names, visible };
  const index = names.indexOf(wanted);
  const book = index === 0 ? first : readSheet(index);
  return { names, visible, name: wanted, sheet: readCells(book, wanted) };
}

function readCells(book: WorkBook, name: string): SheetContent {
  const sheet = book.Sheets[name];
  if (sheet?.["!data"] === undefined)
    throw new Error(`the sheet ${JSON.stringify(name)} is damaged`);
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet["!data"];
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const content: SheetContent = { rows: [], rowNumbers: [], faults: [], links: [] };
  let count = 0;
  for (const [index, cells = []] of data.entries()) {
    const row: Cell[] = [];
    for (const [column, cell] of cells.entries()) {
      if (cell === undefined) continue;
      const at = [content.rows.length, column] as const;
      const value = textOf(cell, date1904);
      if (value === undefined) content.faults.push([...at, utils.format_cell(cell)]);
      if (value === undefined || value === "") continue;
      const link = linkOf(cell);
      if (link !== undefined && !isWebAddress(String(value))) content.links.push([...at, link]);
      while (row.length < column) row.push("");
      row.push(value);
    }
    if (row.length === 0) continue;
    content.rows.push(row);
    content.rowNumbers.push(index + 1);
    count += row.length;
    // The header is a row, but not a course.
    if (content.rows.length > MAX_COURSES + 1) content.excess = "courses";
    else if (count > MAX_VALUES) content.excess = "values";
    if (content.excess !== undefined) return content;
  }
  fillDown(content, sheet["!merges"] ?? []);
  return content;
}

/** Repeats the value of cells that are merged downward in each of their rows. */
function fillDown({ rows, rowNumbers }: SheetContent, merges: readonly Range[]): void {
  const indexes = new Map(rowNumbers.map((number, index) => [number, index]));
  for (const { s: first, e: last } of merges) {
    const value = rows[indexes.get(first.r + 1) ?? -1]?.[first.c] ?? "";
    const end = Math.min(last.r + 1, rowNumbers.at(-1) ?? 0);
    for (let number = first.r + 2; value !== "" && number <= end; number++) {
      const row = rows[indexes.get(number) ?? -1];
      if (row === undefined || (row[first.c] ?? "") !== "") continue;
      while (row.length <= first.c) row.push("");
      row[first.c] = value;
    }
  }
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
  const format = String(cell.z ?? "General");
  const show = (as: string): string => SSF.format(as, value, { date1904 });
  if (value >= 0 && SSF.is_date(format)) {
    if (/\[[hms]+\]/i.test(format)) return show("[h]:mm");
    if (value < 1) return show("hh:mm");
    return show(Number.isInteger(value) ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm");
  }
  // Excel calculates and stores 15 digits.
  const exact = String(Number(value.toPrecision(15)));
  if (format === "General") return exact;
  const [, shown = ""] = /^\D*(\d[\d,'\s]*(?:\.\d+)?)\D*$/.exec(utils.format_cell(cell)) ?? [];
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
