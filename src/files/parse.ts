/** Lists the formats of course files, with their extensions and parsers, and reads the content of a file. */

import { isUtf8 } from "node:buffer";
import { attempt, unreadError } from "../base/errors.ts";
import { formatByName } from "../base/files.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { parseTable } from "./csv.ts";
import { type Decoded, decode } from "./decode.ts";
import { LineIndex } from "./diagnostic.ts";
import { parseJson } from "./json.ts";
import { LIMITS } from "./limits.ts";
import type { Parsed } from "./parsed.ts";
import { parseCourses, type Table } from "./table.ts";
import { parseYaml } from "./yaml.ts";

/** The formats of files with a single course. */
export const FILE_FORMATS = ["yaml", "json"] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

const PARSERS = {
  yaml: parseYaml,
  json: (text: string) => parseJson(text),
  csv: (text: string) => parseCourses(parseTable(text)),
  tsv: (text: string) => parseCourses(parseTable(text, "\t")),
  ndjson: (text: string) => parseJson(text, true),
};

export type SourceFormat = keyof typeof PARSERS;

/**
 * The format of a file by its extension: `csv` for `a.csv`. Other texts, such as standard input, are recognized: a first
 * line with a delimiter that begins neither YAML nor JSON is CSV, and a line with an object above another one is NDJSON.
 */
export function formatOf(path: string, text = ""): SourceFormat {
  const format = formatByName(path);
  if (format !== undefined && format !== "xlsx") return format;
  const [line = ""] = text.slice(0, LIMITS.line).split(/[\r\n]/, 1);
  if (/[,;\t|]/.test(line) && !/^\s*[-#%<[{]|:(?:\s|$)/.test(line)) return "csv";
  const object = /^\s*(\{[^\r\n]*\})[ \t]*[\r\n]+\s*\S/.exec(text)?.[1];
  return object !== undefined && attempt(() => JSON.parse(object)) ? "ndjson" : "yaml";
}

/**
 * Parses a file: `name: Knitting` as `yaml` gives one course, `{"name": "Knitting"}`. Never throws: errors are among
 * the problems.
 */
export async function parseAs(format: SourceFormat, text: string): Promise<Parsed> {
  return await PARSERS[format](text);
}

export interface TableOptions {
  /** The name of the sheet of a workbook; by default, the first visible sheet. */
  readonly sheet?: string | undefined;
  /** The encoding of CSV and TSV, such as `windows-1250`; by default, it is detected. */
  readonly encoding?: string | undefined;
}

/** The content of a file: text, with what is wrong with it as a whole, or the table of a sheet. */
export interface Content extends Pick<Decoded, "text" | "problem"> {
  readonly table?: Table;
  /** The table that a workbook had when catalog wrote it. */
  readonly memory?: Table | undefined;
  /** Whether the file can be edited in place: workbooks and text that is not UTF-8 cannot. */
  readonly isEditable: boolean;
  readonly lines: LineIndex;
  /** What the user should know about the content: sentences that begin with the file's name. */
  readonly notices: readonly string[];
}

/**
 * Decodes a file of any format. The bytes of a CSV file give `{ text: "name\nKnitting", … }`; a workbook with
 * the same cells gives `{ text: "", table: { rows: [{ cells: ["name"] }, { cells: ["Knitting"] }], … }, … }`.
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
  if (["PK\x03\x04", OLE].includes(bytes.toString("latin1", 0, 4))) {
    const { readWorkbook } = await import("./workbook.ts");
    const { notices, ...read } = await readWorkbook(name, bytes, sheet);
    return { text: "", isEditable: false, ...read, notices: sentences(name, notices) };
  }
  const format = formatOf(path, bytes.toString("latin1", 0, LIMITS.line));
  const decoded = decode(bytes, /^[ct]sv$/.test(format) ? { encoding } : undefined);
  const { text, notice, problem = findOtherVersions(text) } = decoded;
  if (problem === undefined && /\.(?:xls[xmb]?|ods)$/i.test(path)) {
    const fix = /^PK/.test(text)
      ? "use --out instead of >"
      : "open it in Excel and save it as .xlsx";
    throw unreadError(name, "unreadable", `${name} is text or a web page: ${fix}`);
  }
  const notices = sentences(name, notice === undefined ? [] : [notice]);
  return { text, problem, isEditable: isUtf8(bytes), lines: new LineIndex(text), notices };
}

/** Clauses about a file as sentences that begin with its name. */
export function sentences(name: string, clauses: readonly string[] = []): string[] {
  return clauses.map((clause) => `${name}: ${clause}.`);
}

/** The start of workbooks of Excel 97 to 2003, and of encrypted ones; others are ZIP archives. */
const OLE = "\xd0\xcf\x11\xe0";

/** The problem of a text of which Git has two versions, or has only a pointer. */
function findOtherVersions(text: string): Problem | undefined {
  if (text.startsWith("version https://git-lfs.github.com/spec/")) {
    const message = 'this is a pointer of Git LFS, not the file itself: run "git lfs pull"';
    return textProblem("syntax", message, { start: 0, end: "version".length });
  }
  const start = text.includes("<<<<<<< ") ? text.search(/^<{7} /m) : -1;
  const rest = start === -1 ? "" : text.slice(start);
  if (!/^={7}\r?$/m.test(rest) || !/^>{7} /m.test(rest)) return undefined;
  const message = "this file has an unresolved merge conflict: resolve it";
  return textProblem("syntax", message, { start, end: start + "<<<<<<<".length });
}
