/**
 * The thread that reads one sheet of a workbook with SheetJS, and answers with a `WorkbookResult`. The thread that
 * starts it limits its time and memory, so that a hostile workbook can exhaust neither.
 */
import { isUtf8 } from "node:buffer";
import { parentPort, workerData } from "node:worker_threads";
import { type CellObject, type Range, read, SSF, type WorkSheet } from "@e965/xlsx";
import { unzipSync, zipSync } from "fflate";
import { MEMORY_SHEET, unquoteNull } from "../base/spreadsheet-cells.ts";
import { listSome, truncateJson } from "../base/text.ts";
import { MAX_COURSES, MAX_UNPACKED, MAX_VALUES } from "./limits.ts";
import type { Cell, Row } from "./table.ts";

export interface WorkbookInput {
  readonly bytes: Uint8Array;
  /** The name of the sheet; by default, the first visible one. */
  readonly name: string | undefined;
}

/** The rows of a sheet, or why it is not read: a rule, and a clause that follows the name of the file. */
export type WorkbookResult =
  | ReadSheet
  | { readonly refusal: readonly [rule: string, clause: string] };

interface ReadSheet {
  /** Up to the first row that is too many. */
  readonly rows: readonly Row[];
  /** The limit that the rows exceed. */
  readonly excess?: "courses" | "values";
  /** The rows that the sheet had when catalog wrote the workbook. */
  readonly memory?: readonly Row[] | undefined;
  readonly notices: readonly string[];
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
  return size > MAX_UNPACKED ? undefined : parts;
}

function readWorkbook({ bytes, name }: WorkbookInput): WorkbookResult {
  const isArchive = bytes[0] === "P".charCodeAt(0);
  const parts = isArchive ? unpack(bytes) : {};
  if (parts === undefined) {
    const most = MAX_UNPACKED / 1024 / 1024;
    return {
      refusal: ["too-large", `is larger than ${most} MiB when unpacked: split the workbook`],
    };
  }
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
  const wanted = name ?? visible[0] ?? names[0] ?? "";
  if (name !== undefined && !names.includes(name)) {
    const own = listSome(names.filter((each) => each !== MEMORY_SHEET).map(truncateJson));
    return { refusal: ["unreadable", `has no sheet ${truncateJson(name)}, only ${own}`] };
  }
  const others = visible.filter((other) => other !== wanted).map(truncateJson);
  const notice = `read only the sheet ${truncateJson(wanted)}; to read another one (${listSome(others)}), pass --sheet`;
  const notices = name === undefined && others.length > 0 ? [notice] : [];
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const kept = book.Sheets[MEMORY_SHEET];
  const memory = kept && readRows(kept, date1904).rows;
  return { ...readRows(book.Sheets[wanted] ?? {}, date1904), memory, notices };
}

interface SheetRow extends Row {
  readonly cells: Cell[];
}

function readRows(sheet: WorkSheet, date1904: boolean): Omit<ReadSheet, "notices"> {
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] | undefined =
    sheet["!data"];
  if (data === undefined) throw new Error("the sheet is damaged");
  const rows: SheetRow[] = [];
  let count = 0;
  for (const [index, written = []] of data.entries()) {
    const cells: Cell[] = [];
    const faults = new Map<number, string>();
    const links = new Map<number, string>();
    for (const [column, cell] of written.entries()) {
      if (cell === undefined) continue;
      const value = textOf(cell, date1904);
      if (value === undefined) faults.set(column, FAULT);
      if (value === undefined || value === "") continue;
      const link = linkOf(cell);
      if (link !== undefined && !WEB_ADDRESS.test(value ?? "")) links.set(column, link);
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

const FAULT =
  "the cell contains an error, or a formula without a saved result: correct it, and save the workbook in a spreadsheet program";

/** The value of a cell; undefined for an error, and for a formula that has no result. */
function textOf({ t: type, v: value, f: formula, z = "" }: CellObject, date1904: boolean) {
  if (type === "e" || (type === "z" && formula !== undefined)) return undefined;
  if (typeof value === "number") return numberText(value, String(z), date1904);
  return unquoteNull(String(value ?? "").replace(/\r\n?/g, "\n"));
}

/**
 * The digits of a number as the sheet shows them: 29.925 is `29.93` in the format `0.00 "€"`, and 123 is `00123` in the
 * format `00000`. Dates are as in ISO 8601: 46053 is `2026-01-31` in a format for dates.
 */
function numberText(value: number, format: string, date1904: boolean): string {
  if (value >= 0 && SSF.is_date(format)) {
    const isDate = value >= 1 && !/\[[hms]+\]/i.test(format);
    const date = Number.isInteger(value) ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm";
    return SSF.format(isDate ? date : format, value, { date1904 });
  }
  // Excel calculates and stores 15 digits.
  const exact = String(Number(value.toPrecision(15)));
  const text = format === "" || format === "General" ? exact : SSF.format(format, value);
  const digits = /^\D*(\d[\d,'\s]*(?:\.\d+)?)\D*$/.exec(text)?.[1]?.replace(/[,'\s]/g, "");
  const places = digits?.split(".")[1]?.length ?? 0;
  // In percent or in thousands, a sheet shows another number.
  const isRounded = Math.abs(Number(digits) - Math.abs(value)) <= 0.51 / 10 ** places;
  return isRounded ? `${value < 0 ? "-" : ""}${digits}` : exact;
}

const WEB_ADDRESS = /^https?:\/\/\S+$/i;

/** The web address to which a cell links, by a link or by a formula. */
function linkOf({ l: link, f: formula = "" }: CellObject): string | undefined {
  const [, quoted] = /^HYPERLINK\("([^"]+)"/i.exec(formula) ?? [];
  const address = link === undefined ? quoted : fromUtf8(link.Target);
  return address !== undefined && WEB_ADDRESS.test(address) ? address : undefined;
}

/** The text of UTF-8 of which each byte is a character, as SheetJS gives the addresses of links. */
function fromUtf8(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  return /^[\0-\xff]*$/.test(text) && isUtf8(bytes) ? bytes.toString() : text;
}

parentPort?.postMessage(readWorkbook(workerData));
