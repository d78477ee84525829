/**
 * The thread that reads one sheet of a workbook with SheetJS, and answers with a `WorkbookResult`. The thread that
 * starts it limits its time and memory, so that a hostile workbook can exhaust neither.
 */
import { isUtf8 } from "node:buffer";
import { parentPort, workerData } from "node:worker_threads";
import { type CellObject, type Range, read, SSF, type WorkSheet } from "@e965/xlsx";
import { unzipSync, zipSync } from "fflate";
import { attempt } from "../base/errors.ts";
import { MEMORY_SHEET, readSheetCell } from "../base/spreadsheet-cells.ts";
import { listSome, truncateJson } from "../base/text.ts";
import { formatSize, LIMITS, SHEET } from "./limits.ts";
import type { Cell, Row } from "./table.ts";

export interface WorkbookInput {
  readonly bytes: Uint8Array;
  /** The name of the sheet; by default, the first visible one. */
  readonly name: string | undefined;
}

/** The rows of a sheet, or why it is not read: a rule, and a clause that follows the name of the file; or a failure. */
export type WorkbookResult =
  | ReadSheet
  | { readonly refusal: readonly [rule: string, clause: string] }
  | { readonly failure: string };

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

/** What SheetJS would read differently than the program that wrote the XML meant it. */
const REFERENCES = /<!\[CDATA\[[\s\S]*?\]\]>|<!DOCTYPE|&(?:#(\d+|x[\da-f]+)|([\w.-]+));/gi;

/**
 * A part of XML in which characters above U+FFFF are not references, which SheetJS reads as other characters.
 *
 * @throws Error for a reference to a text that only a document type can define
 */
function withoutReferences(part: Uint8Array): Uint8Array {
  const xml = Buffer.from(part.buffer, part.byteOffset, part.length);
  if (!xml.includes("&") && !xml.includes("<!D")) return part;
  const written = xml
    .toString("latin1")
    .replace(REFERENCES, (found, digits?: string, name?: string) => {
      const isUnknown = name !== undefined && !/^(?:amp|lt|gt|quot|apos)$/.test(name);
      if (isUnknown || found.startsWith("<!D"))
        throw new Error("its XML has a document type or an unknown entity");
      const code = digits === undefined ? 0 : Number(digits.replace(/^x/i, "0x"));
      if (code <= 0xffff) return found;
      return Buffer.from(String.fromCodePoint(Math.min(code, 0x10ffff))).toString("latin1");
    });
  return Buffer.from(written, "latin1");
}

/** Unpacks an archive; undefined if it declares too large a size. No part becomes larger than it declares. */
function unpack(bytes: Uint8Array): Record<string, Uint8Array> | undefined {
  let size = 0;
  const parts = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      const isRead = CELL_PARTS.test(name);
      if (isRead) size += originalSize;
      return isRead && size <= LIMITS.unpacked;
    },
  });
  return size > LIMITS.unpacked ? undefined : parts;
}

function readWorkbook({ bytes, name }: WorkbookInput): WorkbookResult {
  const isArchive = bytes[0] === "P".charCodeAt(0);
  const parts = isArchive ? unpack(bytes) : {};
  if (parts === undefined) {
    const clause = `is larger than ${formatSize(LIMITS.unpacked)} when unpacked: split the workbook`;
    return { refusal: ["too-large", clause] };
  }
  for (const [part, content] of Object.entries(parts)) {
    if (!/\.bin$/i.test(part)) parts[part] = withoutReferences(content);
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
  const isHidden = (index: number): boolean => Boolean(book.Workbook?.Sheets?.[index]?.Hidden);
  const visible = names.filter((each, index) => !isHidden(index) && each !== MEMORY_SHEET);
  if (name !== undefined && !names.includes(name)) {
    const own = listSome(names.filter((each) => each !== MEMORY_SHEET).map(truncateJson));
    return { refusal: ["unreadable", `has no sheet ${truncateJson(name)}, only ${own}`] };
  }
  const date1904 = book.Workbook?.WBProps?.date1904 === true;
  const readSheet = (each = "") => readRows(book.Sheets[each] ?? {}, date1904);
  const [first = names[0] ?? "", ...next] = visible;
  const isCover = name === undefined && next.length > 0 && !mayBeTable(readSheet(first).rows);
  const table = isCover ? next.find((each) => isTable(readSheet(each).rows)) : undefined;
  const wanted = name ?? table ?? first;
  const others = visible.filter((other) => other !== wanted).map(truncateJson);
  const notice = `read only the sheet ${truncateJson(wanted)}; to read another one (${listSome(others)}), pass --sheet`;
  const notices = name === undefined && others.length > 0 ? [notice] : [];
  const memory = book.Sheets[MEMORY_SHEET] && readSheet(MEMORY_SHEET).rows;
  return { ...readSheet(wanted), memory, notices };
}

/** Whether a sheet has a table, and not only the title, the date and the author of other sheets. */
function isTable(rows: readonly Row[]): boolean {
  return rows.filter(({ cells }) => cells.filter(Boolean).length > 2).length > 1;
}

/** Whether a sheet has a table, or the name of a field that identifies courses. */
function mayBeTable(rows: readonly Row[]): boolean {
  const identities = new Set<Row["cells"][number]>(["id", "key", "name", "url"]);
  return isTable(rows) || rows.some(({ cells }) => cells.some((cell) => identities.has(cell)));
}

interface SheetRow extends Row {
  readonly cells: Cell[];
}

function readRows(sheet: WorkSheet, date1904: boolean): Omit<ReadSheet, "notices"> {
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] | undefined =
    sheet["!data"];
  if (data === undefined) throw new Error("the sheet is damaged");
  // Keys, because a row with a number that no list has is only a key.
  if (!Object.keys(data).every((key) => Number(key) >= 0 && Number(key) < SHEET.rows)) {
    throw new Error("a row has a number that no sheet has");
  }
  const rows: SheetRow[] = [];
  let count = 0;
  for (const [index, written = []] of data.entries()) {
    const cells: Cell[] = [];
    const faults = new Map<number, string>();
    const links = new Map<number, string>();
    for (const [column, cell] of written.entries()) {
      if (cell === undefined) continue;
      if (column >= SHEET.columns) throw new Error("a cell is in a column that no sheet has");
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
    if (rows.length > LIMITS.courses + 1) return { rows, excess: "courses" };
    if (count > LIMITS.values) return { rows, excess: "values" };
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
  return readSheetCell(String(value ?? "").replace(/\r\n?/g, "\n"));
}

/**
 * The digits of a number as the sheet shows them: 29.925 is `29.93` in the format `0.00 "€"`, and 123 is `00123` in the
 * format `00000`. Dates are as in ISO 8601: 46053 is `2026-01-31` in a format for dates.
 */
function numberText(value: number, format: string, date1904: boolean): string {
  if (value >= 0 && SSF.is_date(format)) {
    const isDate = value >= 1 && !/\[[hms]+\]/i.test(format);
    const date = Number.isInteger(value) ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm";
    return formatted(isDate ? date : format, value, date1904) ?? String(value);
  }
  // Excel calculates and stores 15 digits.
  const exact = String(Number(value.toPrecision(15)));
  const text = format === "" || format === "General" ? exact : (formatted(format, value) ?? exact);
  const digits = /^\D*(\d[\d,'\s]*(?:\.\d+)?)\D*$/.exec(text)?.[1]?.replace(/[,'\s]/g, "");
  const places = digits?.split(".")[1]?.length ?? 0;
  // In percent or in thousands, a sheet shows another number.
  const isRounded = Math.abs(Number(digits) - Math.abs(value)) <= 0.51 / 10 ** places;
  return isRounded ? `${value < 0 ? "-" : ""}${digits}` : exact;
}

/** A number as the sheet shows it; undefined in a format that SheetJS does not support, such as `0.-`. */
function formatted(format: string, value: number, date1904 = false): string | undefined {
  return attempt(() => SSF.format(format, value, { date1904 }));
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

function answer(): WorkbookResult {
  try {
    return readWorkbook(workerData);
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(answer());
