/** Lists the formats of course files, with their extensions and parsers. */
import { extname } from "node:path";
import { attempt } from "../base/errors.ts";
import { memoize } from "../base/values.ts";
import { EXTERNAL_KEY, FIELD_NAMES } from "../course/field-names.ts";
import { parseCsv } from "./csv.ts";
import { parseJson, parseNdjson } from "./json.ts";
import type { Parsed } from "./parsed.ts";
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
  const parsed = await TABLE[format].parse(text);
  return { ...parsed, positions: memoize(parsed.positions) };
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
