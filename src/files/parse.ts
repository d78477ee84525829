/** Lists the formats of course files, with their extensions and parsers, and reads the content of a file. */

import { isUtf8 } from "node:buffer";
import { extname } from "node:path";
import { attempt, unreadError } from "../base/errors.ts";
import { EXTERNAL_KEY } from "../course/field-names.ts";
import { FIELD_NAMES } from "../course/fields.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { parseCsv } from "./csv.ts";
import type { Table } from "./csv-table.ts";
import { type Decoded, decode, decodeTable } from "./decode.ts";
import { parseJson, parseNdjson } from "./json.ts";
import type { Parsed } from "./parsed.ts";
import { LineIndex } from "./position.ts";
import { parseYaml } from "./yaml.ts";

/** The formats of files with a single course. */
export const FILE_FORMATS = ["yaml", "json"] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

interface SourceFormatDefinition {
  readonly extensions: readonly string[];
  readonly parse: (text: string) => Promise<Parsed>;
}

const TABLE = {
  yaml: { extensions: [".yaml", ".yml"], parse: parseYaml },
  json: { extensions: [".json"], parse: parseJson },
  csv: { extensions: [".csv"], parse: parseCsv },
  tsv: { extensions: [".tsv"], parse: (text) => parseCsv(text, "\t") },
  ndjson: { extensions: [".ndjson", ".jsonl"], parse: parseNdjson },
} satisfies Record<string, SourceFormatDefinition>;

export type SourceFormat = keyof typeof TABLE;

const BY_EXTENSION: ReadonlyMap<string, SourceFormat> = new Map(
  Object.entries(TABLE).flatMap(([format, { extensions }]) =>
    extensions.map((extension) => [extension, format as SourceFormat] as const),
  ),
);

/** The extension of workbooks, whose sheets are tables. */
const WORKBOOK_EXTENSION = ".xlsx";

export const COURSE_EXTENSIONS: readonly string[] = [...BY_EXTENSION.keys(), WORKBOOK_EXTENSION];

/** The format of a file by its extension: `csv` for `a.csv`. Other names are YAML, which includes JSON. */
export function formatOf(path: string): SourceFormat {
  return BY_EXTENSION.get(extname(path).toLowerCase()) ?? "yaml";
}

/**
 * Parses a file: `name: Knitting` as `yaml` gives one course, `{"name": "Knitting"}`. Never throws: errors are among
 * the problems.
 */
export async function parseAs(format: SourceFormat, text: string): Promise<Parsed> {
  return await TABLE[format].parse(text);
}

/** Parses a file by its extension; the format of a file with another extension, such as .txt, is recognized. */
export async function parseFile(path: string, text: string): Promise<Parsed> {
  const isKnown = BY_EXTENSION.has(extname(path).toLowerCase());
  return isKnown ? await parseAs(formatOf(path), text) : await parseAny(text);
}

/**
 * Parses a text of unknown format, such as standard input. `{"name": "Knitting"}` is read as JSON or NDJSON, the header
 * `name,url` as CSV, and `name: Knitting` as YAML.
 */
export async function parseAny(text: string): Promise<Parsed> {
  if (!/^\s*[[{]/.test(text))
    return isTable(text) ? await parseAs("csv", text) : await parsePlain(text);
  const json = await parseAs("json", text);
  if (!hasSyntaxError(json)) return json;
  // A text that begins like JSON may also be YAML or NDJSON.
  if (isJsonLine(text)) return await parseAs("ndjson", text);
  const yaml = await parseAs("yaml", text);
  return hasSyntaxError(yaml) ? json : yaml;
}

/** Parses YAML, or a table of another system: a text that is neither JSON nor a table of course fields. */
async function parsePlain(text: string): Promise<Parsed> {
  const yaml = await parseAs("yaml", text);
  const isYaml =
    !hasSyntaxError(yaml) && !yaml.documents.every((value) => typeof value === "string");
  return isYaml || !hasOtherHeader(text) ? yaml : await parseAs("csv", text);
}

const LONGEST_HEADER = 10_000;

/** Whether the first of several lines has a delimiter, and is not the start of YAML or HTML. */
function hasOtherHeader(text: string): boolean {
  const end = text.search(/[\r\n]/);
  if (end === -1 || !/\S/.test(text.slice(end))) return false;
  const line = text.slice(0, Math.min(end, LONGEST_HEADER));
  return /[,;\t]/.test(line) && !/^[-#%<]|:(?:\s|$)/.test(line);
}

function hasSyntaxError({ problems }: Parsed): boolean {
  return problems.some(({ rule }) => rule === "syntax");
}

/** Whether the first line is a complete JSON object, and another line follows. */
function isJsonLine(text: string): boolean {
  const line = /^\s*(\{[^\r\n]*\})[ \t]*[\r\n]+\s*\S/.exec(text)?.[1];
  return line !== undefined && attempt(() => JSON.parse(line)) !== undefined;
}

/** Whether the first line is a header such as `name,url,x`: at least two of the names are fields. */
function isTable(text: string): boolean {
  const line = /^[^\r\n]*/.exec(text)?.[0].slice(0, LONGEST_HEADER) ?? "";
  const names = line.split(/[,;\t]/).map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
  if (!names.every((name) => /^[\w.[\]-]*$/.test(name))) return false;
  const fields: readonly string[] = [...FIELD_NAMES, EXTERNAL_KEY];
  return names.filter((name) => fields.includes(name.split(/[.[]/)[0] ?? "")).length > 1;
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
    const [what, advice] = /^\s*</.test(text)
      ? ["an HTML page", "Open it in a spreadsheet program, and save it as .xlsx."]
      : ["text", "Save it as .xlsx, or give it the extension of its format, such as .csv."];
    throw unreadError(name, "unreadable", `${name} is ${what}, not a workbook`, advice);
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
function isWorkbook(bytes: Buffer): boolean {
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
function findOtherVersions(text: string, lines: LineIndex): Problem | undefined {
  if (text.startsWith("version https://git-lfs.github.com/spec/")) {
    const message = 'this is a pointer of Git LFS, not the file itself: run "git lfs pull"';
    return textProblem("syntax", message, { start: 0, end: "version".length });
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
  return textProblem("syntax", message, { start, end: start + "<<<<<<<".length });
}
