/** Turns the bytes of a file into text or, for a workbook, into the table of one sheet. */
import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import { unreadError } from "../base/errors.ts";
import type { Records } from "./csv-table.ts";
import { type Decoded, decode, decodeTable } from "./decode.ts";
import { formatOf } from "./parse.ts";
import type { TextProblem } from "./parsed.ts";
import { LineIndex } from "./position.ts";

export interface TableOptions {
  /** The name of the sheet of a workbook; by default, the first visible sheet. */
  readonly sheet?: string | undefined;
  /** The encoding of CSV and TSV, such as `windows-1250`; by default, it is detected. */
  readonly encoding?: string | undefined;
}

/** The content of a file: text, with what is wrong with it as a whole, or the table of a sheet. */
export interface Content extends Pick<Decoded, "text" | "problem"> {
  readonly table?: Records;
  /** Whether the file can be edited in place: workbooks and text that is not UTF-8 cannot. */
  readonly isEditable: boolean;
  readonly lines: LineIndex;
  /** What the user should know about the content: sentences that begin with the file's name. */
  readonly notices: readonly string[];
}

/**
 * Decodes a file of any format. The bytes of a CSV file give `{ text: "name\nKnitting", … }`; a workbook with
 * the same cells gives `{ text: "", table: { rows: [["name"], ["Knitting"]], … }, … }`.
 *
 * @param path absolute; empty for standard input
 * @throws CatalogError of kind `file` for a damaged workbook, and for text with the extension of one
 */
export async function readContent(
  name: string,
  path: string,
  bytes: Buffer,
  { sheet, encoding }: TableOptions,
): Promise<Content> {
  if (isWorkbook(bytes)) {
    const { readWorkbook } = await import("./workbook.ts");
    const { notices, ...read } = await readWorkbook(name, bytes, sheet);
    return { text: "", isEditable: false, ...read, notices: sentences(name, notices) };
  }
  const { text, problem, notice } = mayBeTable(path, bytes)
    ? decodeTable(bytes, encoding)
    : decode(bytes);
  const lines = new LineIndex(text);
  // A page may show such markers.
  const found = problem ?? (/^\s*<(?!<)/.test(text) ? undefined : findOtherVersions(text, lines));
  if (found === undefined && /\.(?:xls[xmb]?|ods)$/i.test(path)) {
    const advice = "Save it as .xlsx, or give it the extension of its format, such as .csv.";
    throw unreadError(name, "unreadable", `${name} is text, not a workbook`, advice);
  }
  return {
    text,
    isEditable: isUtf8(bytes),
    lines,
    notices: sentences(name, notice === undefined ? [] : [notice]),
    ...(found === undefined ? {} : { problem: found }),
  };
}

/** Clauses about a file as sentences that begin with its name. */
export function sentences(name: string, clauses: readonly string[] = []): string[] {
  return clauses.map((clause) => `${name}: ${clause}.`);
}

/** Whether bytes are a ZIP archive, as workbooks are, or a workbook of Excel 97 to 2003. */
export function isWorkbook(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, 4);
  return start === "PK\x03\x04" || start === OLE;
}

/** The start of files of old Office programs, and of encrypted ones. */
const OLE = "\xd0\xcf\x11\xe0";

/** Whether a file is a table by its extension or, if the extension is .txt or missing, by its first line. */
function mayBeTable(path: string, bytes: Buffer): boolean {
  const format = formatOf(path);
  if (format === "csv" || format === "tsv") return true;
  if (![".txt", ""].includes(extname(path).toLowerCase())) return false;
  const [line = ""] = bytes.toString("latin1", 0, 1000).split(/[\r\n]/);
  return /^\s*[^\s[{<-].*[,;\t]/.test(line);
}

/** The problem of a text of which Git has two versions, or has only a pointer. */
function findOtherVersions(text: string, lines: LineIndex): TextProblem | undefined {
  if (text.startsWith("version https://git-lfs.github.com/spec/")) {
    const message = 'this is a pointer of Git LFS, not the file itself: run "git lfs pull"';
    return { rule: "syntax", message, span: { start: 0, end: "version".length } };
  }
  const offsets: number[] = [];
  for (const marker of [/^<{7} /gm, /^={7}\r?$/gm, /^>{7} /gm]) {
    marker.lastIndex = offsets.at(-1) ?? 0;
    const found = marker.exec(text);
    if (found === null) return undefined;
    offsets.push(found.index);
  }
  const [start = 0, , end = 0] = offsets;
  const { line, endLine } = lines.range({ start, end });
  const message = `this file has an unresolved merge conflict (lines ${line} to ${endLine}): resolve it`;
  return { rule: "syntax", message, span: { start, end: start + "<<<<<<<".length } };
}
