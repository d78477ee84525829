/** Turns the bytes of a file into its text or, if it is a workbook, into the table of a sheet. */
import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import { CatalogError } from "../base/errors.ts";
import type { Records } from "./csv-table.ts";
import { type Decoded, decode } from "./decode.ts";
import { decodeTable } from "./encodings.ts";
import { formatOf, WORKBOOK_EXTENSION } from "./parse.ts";
import { LineIndex } from "./position.ts";

/** How tables are read. */
export interface TableOptions {
  /** The sheet of workbooks; by default, the first that is visible. */
  readonly sheet?: string | undefined;
  /** The encoding of CSV and TSV; by default, it is found out. */
  readonly encoding?: string | undefined;
}

/** The content of a file: a text with what is wrong with its encoding, or a table. */
export interface Content extends Pick<Decoded, "text" | "problem"> {
  readonly table?: Records;
  /** Whether it can be edited in place: workbooks and texts in other encodings cannot. */
  readonly isEditable: boolean;
  readonly lines: LineIndex;
  /** What people should know about it: sentences that begin with its name. */
  readonly notices: readonly string[];
}

/**
 * Reads a content of any kind.
 *
 * @param path absolute; empty for standard input
 * @throws CatalogError of kind `file` for a workbook that cannot be read
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
    return {
      text: "",
      isEditable: false,
      ...read,
      notices: notices.map((notice) => `${name}: ${notice}.`),
    };
  }
  if (extname(path).toLowerCase() === WORKBOOK_EXTENSION) {
    throw new CatalogError("file", `${name} is a text, not a workbook`, {
      ...{ file: name, rule: "unreadable" },
      advice: "Give it the extension of its format, such as .csv.",
    });
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

/** Whether bytes are those of a ZIP archive, as workbooks are. */
export function isWorkbook(bytes: Buffer): boolean {
  return bytes.toString("latin1", 0, 4) === "PK\x03\x04";
}

/** Whether it is a table by its name or, without the name of another format, by its first line. */
function mayBeTable(path: string, bytes: Buffer): boolean {
  const format = formatOf(path);
  if (format === "csv" || format === "tsv") return true;
  if (![".txt", ""].includes(extname(path).toLowerCase())) return false;
  const [line = ""] = bytes.toString("latin1", 0, 1000).split(/[\r\n]/);
  return /^\s*[^\s[{<-].*[,;\t]/.test(line);
}

/** @throws CatalogError of kind `file` for the files of old and other programs, and for encrypted workbooks */
function refuseOtherPrograms(name: string, bytes: Buffer): void {
  const start = bytes.toString("latin1", 0, 4);
  const refuse = (what: string, advice?: string): never => {
    const facts = { file: name, rule: "unreadable", advice };
    throw new CatalogError("file", `${name} ${what}`, facts);
  };
  if (start === "%PDF") refuse("is a PDF document, not a course file");
  if (/^(?:\x89PNG|\xff\xd8\xff|GIF8)/.test(start)) {
    refuse("is a picture, not a course file", "Put the address of the picture into image_url.");
  }
  if (start !== "\xd0\xcf\x11\xe0") return;
  if (bytes.includes(Buffer.from("EncryptedPackage", "utf16le"))) {
    const advice = "Remove the password in the spreadsheet program, and save it.";
    refuse("is protected by a password", advice);
  }
  refuse("is in the format of Excel 97 to 2003", "Save it as .xlsx in a spreadsheet program.");
}
