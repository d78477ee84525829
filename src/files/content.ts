/** Turns the bytes of a file into text or, for a workbook, into the table of one sheet. */
import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import { unreadError } from "../base/errors.ts";
import type { Records } from "./csv-table.ts";
import { type Decoded, decode } from "./decode.ts";
import { decodeTable } from "./encodings.ts";
import { formatOf, WORKBOOK_EXTENSION } from "./parse.ts";
import { LineIndex } from "./position.ts";

export interface TableOptions {
  /** The name of the sheet of a workbook; by default, the first visible sheet. */
  readonly sheet?: string | undefined;
  /** The encoding of CSV and TSV, such as `windows-1250`; by default, it is detected. */
  readonly encoding?: string | undefined;
}

/** The content of a file: text, with what is wrong with its encoding, or the table of a sheet. */
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
 * @throws CatalogError of kind `file` for a damaged workbook, and for formats of other programs
 */
export async function readContent(
  name: string,
  path: string,
  bytes: Buffer,
  { sheet, encoding }: TableOptions,
): Promise<Content> {
  refuseOtherPrograms(name, bytes);
  if (isWorkbook(bytes)) {
    const { readWorkbook } = await import("./workbook.ts");
    const { notices, ...read } = await readWorkbook(name, bytes, sheet);
    const sentences = notices.map((notice) => `${name}: ${notice}.`);
    return { text: "", isEditable: false, ...read, notices: sentences };
  }
  if (extname(path).toLowerCase() === WORKBOOK_EXTENSION) {
    const advice = "Give the file the extension of its format. For example: courses.csv";
    throw unreadError(name, "unreadable", `${name} is text, not a workbook`, advice);
  }
  const { text, problem, notice } = mayBeTable(path, bytes)
    ? decodeTable(bytes, encoding)
    : decode(bytes);
  return {
    text,
    isEditable: isUtf8(bytes),
    lines: new LineIndex(text),
    notices: notice === undefined ? [] : [`${name}: ${notice}.`],
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Whether bytes are a ZIP archive, as workbooks are. */
export function isWorkbook(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 4) === "PK\x03\x04";
}

/** Whether a file is a table by its extension or, if the extension is .txt or missing, by its first line. */
function mayBeTable(path: string, bytes: Buffer): boolean {
  const format = formatOf(path);
  if (format === "csv" || format === "tsv") return true;
  if (![".txt", ""].includes(extname(path).toLowerCase())) return false;
  const [line = ""] = bytes.toString("latin1", 0, 1000).split(/[\r\n]/);
  return /^\s*[^\s[{<-].*[,;\t]/.test(line);
}

/** @throws CatalogError of kind `file` for a PDF, a picture, and an old or encrypted workbook */
function refuseOtherPrograms(name: string, bytes: Buffer): void {
  const start = bytes.toString("latin1", 0, 4);
  const refuse = (what: string, advice?: string): never => {
    throw unreadError(name, "unreadable", `${name} ${what}`, advice);
  };
  if (start === "%PDF") refuse("is a PDF document, not a course file");
  if (/^(?:\x89PNG|\xff\xd8\xff|GIF8)/.test(start)) {
    refuse(
      "is a picture, not a course file",
      "To give a course this picture, put the picture's URL into image_url.",
    );
  }
  if (start !== "\xd0\xcf\x11\xe0") return;
  if (bytes.includes(Buffer.from("EncryptedPackage", "utf16le"))) {
    const advice = "Remove the password in a spreadsheet program, and save the workbook.";
    refuse("is protected by a password", advice);
  }
  refuse(
    "is in the format of Excel 97 to 2003",
    "Open it in a spreadsheet program, and save it as .xlsx.",
  );
}
