/** Reads course files: bytes → text or table → courses, each of which can find its positions. */
import { hash } from "node:crypto";
import type { Readable } from "node:stream";
import { attempt, unreadError } from "../base/errors.ts";
import { STDIN_NAME } from "../base/io.ts";
import { isNearlySame } from "../base/suggest.ts";
import { isObject, type Path, type PlainObject } from "../base/values.ts";
import { isPrivateKey } from "../course/field-names.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import type { Problem } from "../course/problem.ts";
import { type ParsedTable, parseCourses } from "./csv.ts";
import { type FoundFile, readBytes, readStreamBytes } from "./decode.ts";
import { type Diagnostic, type FindPlace, findPlace, textDiagnostics } from "./diagnostic.ts";
import { MAX_COURSES, tooMany } from "./limits.ts";
import {
  type Content,
  parseAny,
  parseFile,
  readContent,
  sentences,
  type TableOptions,
} from "./parse.ts";
import { type CoursePlace, findCourses, type Parsed, unparsed } from "./parsed.ts";
import { oneAt, spanAt } from "./position.ts";

export interface SourceFile extends Pick<Content, "isEditable" | "notices"> {
  readonly name: string;
  readonly courses: readonly SourceCourse[];
  /** What is wrong with the text itself. If there is a problem, courses may be missing. */
  readonly problems: readonly Diagnostic[];
  /** Whether the user named the file itself. */
  readonly isNamed: boolean;
  /** Whether the courses are rows of a table, which all have the fields in its header. */
  readonly isTable?: boolean | undefined;
  readonly columns?: readonly Path[] | undefined;
}

/** A value inside a field, from a cell of a table; null removes the value. */
export interface CellPart {
  readonly path: Path;
  readonly value: unknown;
}

/** One course of a file, as plain data that has not been validated. */
export interface SourceCourse {
  /** The name of the file. */
  readonly file: string;
  readonly index: number;
  readonly value: unknown;
  /** Values inside fields, from a row of a partial update. The rest of each field stays unchanged. */
  readonly parts?: readonly CellPart[];
  /** The line in which the course begins. */
  readonly line: number;
  /** May read the file again. If it has changed since, the place is the line in which the course began. */
  readonly place: FindPlace;
  /** For each field that was filled in, the defaults that its value comes from. */
  readonly defaults?: ReadonlyMap<string, SourceCourse>;
  /** Default values for fields that are missing from the course, if they were not filled in. */
  readonly defaultValues?: PlainObject;
}

/** A course exactly as its file contains it, without default values. */
export function writtenValue({ value, defaults }: SourceCourse): unknown {
  if (!isObject(value) || defaults === undefined || defaults.size === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !defaults.has(name)));
}

/**
 * Reads and parses one file: a file with the text `name: Knitting` has the course `{ name: "Knitting" }`.
 *
 * @throws CatalogError of kind `file` if the file cannot be read, of kind `usage` if it has no course
 */
export async function loadCourseFile(
  file: FoundFile,
  options: TableOptions = {},
  bytes: Buffer = readBytes(file),
): Promise<SourceFile> {
  const parse = (content: Buffer): Promise<ParsedContent> =>
    parseContent(file, content, options, (text) => parseFile(file.path, text));
  const before = hash("sha1", bytes);
  const parseAgain: ReadAgain = async () => {
    const now = attempt(() => readBytes(file));
    return now !== undefined && hash("sha1", now) === before ? await parse(now) : undefined;
  };
  return sourceFile(file, await parse(bytes), parseAgain);
}

/** Reads and parses standard input, whose format is detected. */
export async function loadCourseStream(
  stream: Readable,
  options: TableOptions,
): Promise<SourceFile> {
  const bytes = await readStreamBytes(STDIN_NAME, stream);
  const file = { name: STDIN_NAME, path: "", isNamed: true };
  const parse = (): Promise<ParsedContent> => parseContent(file, bytes, options, parseAny);
  return sourceFile(file, await parse(), parse);
}

interface ParsedContent extends Content {
  readonly parsed: Parsed & Partial<ParsedTable>;
}

async function parseContent(
  { name, path }: FoundFile,
  bytes: Buffer,
  options: TableOptions,
  parse: (text: string) => Promise<Parsed>,
): Promise<ParsedContent> {
  const content = await readContent(name, path, bytes, options);
  const { text, table, problem } = content;
  if (problem !== undefined) return { ...content, parsed: unparsed(problem) };
  return { ...content, parsed: table === undefined ? await parse(text) : parseCourses(table) };
}

function sourceFile(
  { name, isNamed = false }: FoundFile,
  content: ParsedContent,
  parseAgain: ReadAgain,
): SourceFile {
  const { parsed, lines, isEditable } = content;
  const found = findCourses(parsed);
  if (found.length === 0 && parsed.problems.length === 0) {
    const advice =
      "Write a course or a list of courses. For a template: catalog courses init intro.yaml";
    throw unreadError(name, "no-course", `${name} contains no course`, advice);
  }
  const { isTable, columns } = parsed;
  const values = found.map(({ value }) => value);
  const isCourse = isNamed ? () => true : courseTest(values, isTable);
  const isForeign = ({ rule }: Problem): boolean => !isNamed && rule === "not-a-course";
  const lineOf = (start: number): number => lines.range(oneAt(start)).line;
  const [foreign] = [
    ...found.filter(({ value }) => !isCourse(value)).map(parsed.startOf),
    ...parsed.problems.filter(isForeign).map(({ span }) => span?.start ?? 0),
  ];
  const notices = [...content.notices, ...sentences(name, parsed.notices)];
  if (foreign !== undefined) notices.push(foreignNotice(name, lineOf(foreign)));
  const isTooLong = found.length > MAX_COURSES;
  const inText = parsed.problems.filter((each) => !isForeign(each));
  if (isTooLong) inText.push(tooMany("courses", 0));
  const problems = textDiagnostics({ name, lines, problems: inText });
  const courses: SourceCourse[] = [];
  const file = { name, courses, problems, isNamed, isEditable, notices, isTable, columns };
  const readAgain = rememberWeakly(content, parseAgain);
  for (const [index, { value, document, item }] of isTooLong ? [] : found.entries()) {
    if (!isCourse(value)) continue;
    const line = lineOf(parsed.startOf({ document, item }));
    const place = placeFinder(name, line, { document, item }, readAgain);
    courses.push({ file: name, index, value, line, place });
  }
  return file;
}

type ReadAgain = () => Promise<ParsedContent | undefined>;

/** Remembers a text as long as there is memory for it: the texts of all files would fill the memory. */
function rememberWeakly(content: ParsedContent, parseAgain: ReadAgain): ReadAgain {
  let held = new WeakRef(content);
  return async () => {
    const known = held.deref();
    if (known !== undefined) return known;
    const again = await parseAgain();
    if (again !== undefined) held = new WeakRef(again);
    return again;
  };
}

/** Not a closure in `sourceFile`, which would keep the text in memory. */
function placeFinder(
  name: string,
  line: number,
  course: CoursePlace,
  readAgain: ReadAgain,
): FindPlace {
  return async (path, at = "value") => {
    const again = await readAgain();
    if (again === undefined) {
      return { file: name, line, column: 1, endLine: line, endColumn: 1, text: "" };
    }
    const root = await again.parsed.place(course);
    const span = spanAt(root, path, path.length === 0 ? "value" : at);
    return findPlace({ name, lines: again.lines }, span);
  };
}

/** What is said about objects of other programs in a folder, which no command uses or changes. */
function foreignNotice(name: string, line: number): string {
  return `${name}:${line}: not a course, so catalog neither uses nor changes it; if it belongs to another program, add the file to .catalogignore. [not-a-course]`;
}

const FIELDS = COURSE_SHAPE.keys.map(({ name }) => name);

/** The keys of a provider, of which two are no fields of a course. */
const PROVIDER_KEYS = ["id", "name", "description", "slug", "url", "domain", "published"];

/**
 * Whether an object is a course, even with many problems: at least two of its keys and at least half of
 * them, without private keys, are fields or differ from one by at most one letter in five.
 *
 *     { name: "Knitting", "image-urll": "…" } → true
 *     { name: "app", version: "1.0" }         → false
 */
export function isCourse(value: unknown): value is PlainObject {
  if (!isObject(value)) return false;
  const keys = Object.keys(value).filter((name) => !isPrivateKey(name));
  const isProvider = "domain" in value && keys.every((name) => PROVIDER_KEYS.includes(name));
  const fields = keys.filter(isLikeField).length;
  return !isProvider && fields >= 2 && fields >= keys.length / 2;
}

function isLikeField(name: string): boolean {
  return COURSE_SHAPE.byName.has(name) || FIELDS.some((field) => isNearlySame(name, field));
}

/** Recognizes the courses of one file: of a table, all rows or none, because a row may have few cells. */
export function courseTest(
  values: readonly unknown[],
  isTable = false,
): (value: unknown) => value is PlainObject {
  if (!isTable) return isCourse;
  const columns: Record<string, unknown> = {};
  for (const row of values) if (isObject(row)) Object.assign(columns, row);
  const isTableOfCourses = isCourse(columns);
  return (value): value is PlainObject => isTableOfCourses && isObject(value);
}
