/** Reads rows of other systems: workbooks, CSV, TSV, JSON, NDJSON, YAML, front matter of Markdown, JSON-LD in HTML. */
import { extname } from "node:path";
import type { Readable } from "node:stream";
import { Parser } from "htmlparser2";
import { CatalogError, usageError } from "../base/errors.ts";
import { listSome, truncate } from "../base/text.ts";
import {
  formatPath,
  isList,
  isObject,
  type Path,
  type PlainObject,
  valueAt,
} from "../base/values.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { parseTable } from "./csv-table.ts";
import { type FoundFile, readSource } from "./decode.ts";
import { MAX_ELEMENTS } from "./limits.ts";
import {
  COURSE_EXTENSIONS,
  type Content,
  parseAs,
  parseFile,
  readContent,
  sentences,
  type TableOptions,
} from "./parse.ts";
import type { Parsed } from "./parsed.ts";
import { type Span, spanAt } from "./position.ts";
import { type FoundRows, type SourceRow, tableRows } from "./table-rows.ts";

export interface SourceRows extends FoundRows, Pick<Content, "lines" | "notices"> {
  readonly name: string;
  readonly notices: Content["notices"];
}

interface LoadRowsOptions extends TableOptions {
  /** Standard input. */
  readonly input: Readable;
  /** The path of the list inside each document. */
  readonly from?: Path | undefined;
  /** Whether the rows are the schema.org courses in the documents. */
  readonly isSchemaOrg: boolean;
}

/** Whether a file is a web page, in which only JSON-LD is read. */
export function isPage(path: string): boolean {
  return /\.(?:x?html|htm)$/i.test(path);
}

/**
 * Reads the rows of a file: the table `Titel;Preis\nStricken;49,90` has the row
 * `{ Titel: "Stricken", Preis: "49,90" }`, and the list `[{"title": "Knitting"}]` has its item as a row.
 *
 * @throws CatalogError of kind `usage` if there is no list at `from`, or an option does not fit the format
 */
export async function loadRows(source: FoundFile, options: LoadRowsOptions): Promise<SourceRows> {
  const { name, path } = source;
  const bytes = await readSource(source, options.input);
  const { text, table, problem, ...read } = await readContent(name, path, bytes, options);
  const file = { name, ...read };
  if (problem !== undefined) return { ...file, rows: [], problems: [problem] };
  const isMarkup = isPage(path) || (path === "" && /^\s*</.test(text));
  const found =
    table !== undefined
      ? tableRows(table)
      : isMarkup
        ? await pageRows(text)
        : await documentRows(text, path, name, options);
  if (options.from !== undefined && (isMarkup || found.columns)) {
    const what = isMarkup ? "a web page" : "a table";
    throw usageError(`--from needs JSON or YAML, but ${name} is ${what}`, "Omit --from.");
  }
  const isEmpty = found.rows.length === 0 && found.problems.length === 0;
  const problems = options.isSchemaOrg && isEmpty ? [NO_COURSE] : found.problems;
  const notices = [...file.notices, ...sentences(name, found.notices)];
  return { ...file, ...found, problems, notices };
}

const NO_COURSE = textProblem(
  "not-a-course",
  'the file has no schema.org course, which is JSON-LD with "@type": "Course"',
  { start: 0, end: 0 },
);

async function pageRows(html: string): Promise<FoundRows> {
  const rows: SourceRow[] = [];
  const problems: Problem[] = [];
  const { blocks, canonical } = findJsonLd(html);
  for (const { start, end, text } of blocks) {
    const parsed = await parseAs("json", text);
    for (const { rule, message, span } of parsed.problems) {
      const [from = 0, to = 0] = [span?.start, span?.end];
      problems.push(textProblem(rule, message, { start: start + from, end: start + to }));
    }
    for (const value of findCourseObjects(parsed.documents)) {
      rows.push({ value, number: rows.length + 1, span: async () => ({ start, end }) });
    }
  }
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0 && canonical !== undefined) {
    rows[0] = { ...only, value: { url: canonical, ...Object(only.value) } };
  }
  return { rows: rows.map((row) => withUrls(row, canonical)), problems };
}

const URL_KEYS: ReadonlySet<string> = new Set(["url", "image", "contentUrl", "embedUrl"]);

/** The row with each relative URL resolved against the address of a page. */
function withUrls(row: SourceRow, base: string | undefined): SourceRow {
  if (base === undefined || !URL.canParse(base)) return row;
  const value: unknown = JSON.parse(JSON.stringify(row.value), (key, inner: unknown) => {
    const isRelative =
      typeof inner === "string" && !URL.canParse(inner) && URL.canParse(inner, base);
    return isRelative && URL_KEYS.has(key) ? new URL(inner, base).href : inner;
  });
  return { ...row, value };
}

async function documentRows(
  text: string,
  path: string,
  name: string,
  { from, isSchemaOrg }: LoadRowsOptions,
): Promise<FoundRows> {
  const extension = extname(path).toLowerCase();
  const readTable = (): FoundRows =>
    tableRows(parseTable(text, extension === ".tsv" ? "\t" : undefined));
  if (extension === ".csv" || extension === ".tsv") return readTable();
  const isMarkdown = extension === ".md" || extension === ".markdown";
  const parsed = await (isMarkdown ? parseAs("yaml", frontMatter(text)) : parseFile(path, text));
  const isKnown = isMarkdown || COURSE_EXTENSIONS.includes(extension);
  if (parsed.isTable === true || (!isKnown && isListOfTexts(text, parsed))) return readTable();
  const { problems } = parsed;
  const rows: SourceRow[] = [];
  for (const value of isSchemaOrg ? findCourseObjects(parsed.documents) : []) {
    rows.push({ value, number: rows.length + 1, span: async () => ({ start: 0, end: 0 }) });
  }
  if (isSchemaOrg) return { problems, rows };
  for (const [document, root] of parsed.documents.entries()) {
    for (const { value, path: inside, isItem } of itemsOf(root, from, name)) {
      const span = (): Promise<Span> => spanOf(parsed, document, inside);
      const row = { value, number: rows.length + 1, span };
      rows.push(isItem ? row : { ...row, path: inside });
    }
  }
  return { rows, problems };
}

/** The YAML at the start of a Markdown file, with the line `---` before it; empty if there is none. */
function frontMatter(text: string): string {
  return /^---\s*?\n[\s\S]*?\n(?=---\s*?(?:\n|$))/.exec(text)?.[0] ?? "";
}

/** Whether a text of unknown format is a table with a single column. */
function isListOfTexts(text: string, { documents, problems }: Parsed): boolean {
  const isText = problems.length === 0 && documents.every((value) => typeof value === "string");
  return isText && !/^\s*[[{<]/.test(text);
}

async function spanOf({ place }: Parsed, document: number, path: Path): Promise<Span> {
  const [item, ...inside] = path;
  // A document that is a list is placed item by item.
  return typeof item === "number"
    ? spanAt(await place({ document, item }), inside, "value")
    : spanAt(await place({ document }), path, "value");
}

/** The items of the list at `from` or, without `from`, of a document. Any other value is one item. */
function* itemsOf(
  root: unknown,
  from: Path | undefined,
  name: string,
): Generator<{ value: unknown; path: Path; isItem: boolean }> {
  const list = from === undefined ? root : valueAt(root, from);
  if (root === null || root === undefined) return;
  if (list === undefined) {
    const keys = isObject(root) ? Object.keys(root).map(truncate) : [];
    throw usageError(
      `${name} has no ${formatPath(from ?? [])}`,
      keys.length === 0 ? undefined : `Pass one of its fields with --from: ${listSome(keys)}.`,
    );
  }
  if (!isList(list)) {
    yield { value: list, path: from ?? [], isItem: false };
    return;
  }
  for (const [index, value] of list.entries()) {
    yield { value, path: [...(from ?? []), index], isItem: true };
  }
}

interface JsonLdBlock extends Span {
  readonly text: string;
}

/** @throws CatalogError of kind `file` for HTML that is nested deeper than any page needs */
export function requireShallow(depth: number): void {
  if (depth <= MAX_ELEMENTS) return;
  const message = `the HTML has more than ${MAX_ELEMENTS} nested elements, the limit for a page`;
  throw new CatalogError("file", message);
}

/** The JSON-LD blocks of an HTML page, and its canonical address. @throws CatalogError as `requireShallow` */
function findJsonLd(html: string) {
  const blocks: JsonLdBlock[] = [];
  let canonical: string | undefined;
  let start: number | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag: (name, { type = "", rel = "", href }) => {
      requireShallow(++depth);
      if (name === "link" && rel.toLowerCase() === "canonical") canonical ??= href;
      const isBlock = name === "script" && type.trim().toLowerCase().startsWith(JSON_LD);
      if (isBlock) start = parser.endIndex + 1;
    },
    onclosetag: (name) => {
      depth--;
      if (name !== "script" || start === undefined) return;
      const end = Math.max(start, parser.startIndex);
      blocks.push({ start, end, text: html.slice(start, end) });
      start = undefined;
    },
  });
  parser.end(html);
  return { blocks, canonical };
}

const JSON_LD = "application/ld+json";

/** Every object of the type `Course` in a document, at any depth, but not those inside a course. */
function findCourseObjects(document: unknown): PlainObject[] {
  if (isList(document)) return document.flatMap(findCourseObjects);
  if (!isObject(document)) return [];
  if (isCourseType(document["@type"])) return [document];
  return Object.values(document).flatMap(findCourseObjects);
}

function isCourseType(type: unknown): boolean {
  const types = isList(type) ? type : [type];
  return types.some((each) => typeof each === "string" && /(^|[/:#])Course$/.test(each));
}
