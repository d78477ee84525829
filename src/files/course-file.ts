/** Reads course files: bytes → text or table → courses, each of which can find its positions. */
import type { Readable } from "node:stream";
import { unreadError } from "../base/errors.ts";
import { STDIN_NAME } from "../base/io.ts";
import { isNearlySame } from "../base/suggest.ts";
import { isObject, type Path, type PlainObject } from "../base/values.ts";
import { isPrivateKey } from "../course/field-names.ts";
import { COURSE_SHAPE } from "../course/fields.ts";
import { type ParsedTable, parseCourses } from "./csv.ts";
import { type FoundFile, readBytes, readStreamBytes } from "./decode.ts";
import { MAX_COURSES, tooMany } from "./limits.ts";
import {
  type Content,
  parseAny,
  parseFile,
  readContent,
  sentences,
  type TableOptions,
} from "./parse.ts";
import { findCourses, type Parsed, type ParsedCourse, type TextProblem } from "./parsed.ts";
import { oneAt, type Span, spanAt } from "./position.ts";

export interface SourceFile extends Pick<Content, "lines" | "isEditable" | "notices"> {
  readonly name: string;
  readonly courses: readonly SourceCourse[];
  /** What is wrong with the text itself. If there is a problem, courses may be missing. */
  readonly problems: readonly TextProblem[];
  /** Whether the user named the file itself. */
  readonly isNamed: boolean;
  /** Whether the courses are rows of a table, which all have the fields in its header. */
  readonly isTable?: boolean;
  readonly columns?: readonly Path[];
}

/** A value inside a field, from a cell of a table; null removes the value. */
export interface CellPart {
  readonly path: Path;
  readonly value: unknown;
}

/** One course of a file, as plain data that has not been validated. */
export interface SourceCourse {
  readonly file: SourceFile;
  readonly index: number;
  readonly value: unknown;
  /** Values inside fields, from a row of a partial update. The rest of each field stays unchanged. */
  readonly parts?: readonly CellPart[];
  /** Finds the position of the value at a path, of its key, or of the object that contains it. */
  readonly locate: (path: Path, at: "value" | "key" | "parent") => Promise<Span>;
  /** The line in which the course begins, which takes much less time than `locate`. */
  readonly line: () => number;
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
  return await sourceFile(file, bytes, options, (text) => parseFile(file.path, text));
}

/** Reads and parses standard input, whose format is detected. */
export async function loadCourseStream(
  stream: Readable,
  options: TableOptions,
): Promise<SourceFile> {
  const bytes = await readStreamBytes(STDIN_NAME, stream);
  return await sourceFile({ name: STDIN_NAME, path: "", isNamed: true }, bytes, options, parseAny);
}

async function sourceFile(
  { name, path, isNamed = false }: FoundFile,
  bytes: Buffer,
  options: TableOptions,
  parse: (text: string) => Promise<Parsed>,
): Promise<SourceFile> {
  const { text, table, problem, ...read } = await readContent(name, path, bytes, options);
  if (problem !== undefined) return { name, courses: [], problems: [problem], isNamed, ...read };
  const parsed: Parsed & Partial<ParsedTable> =
    table === undefined ? await parse(text) : parseCourses(table);
  const found = findCourses(parsed);
  if (found.length === 0 && parsed.problems.length === 0) {
    const advice =
      "Write a course or a list of courses. For a template: catalog courses init intro.yaml";
    throw unreadError(name, "no-course", `${name} contains no course`, advice);
  }
  const isTooLong = found.length > MAX_COURSES;
  const values = found.map(({ value }) => value);
  const isCourse = isNamed ? () => true : courseTest(values, parsed.isTable);
  const foreign = found.filter(({ value }) => !isCourse(value));
  const ofOthers = isNamed ? [] : parsed.problems.filter(({ rule }) => rule === "not-a-course");
  const { lines } = read;
  const [start] = [
    ...foreign.map((each) => parsed.startOf(each)),
    ...ofOthers.map(({ span }) => span.start),
  ];
  const isForeign =
    start === undefined ? [] : [foreignNotice(name, lines.range(oneAt(start)).line)];
  const courses: SourceCourse[] = [];
  const file: SourceFile = {
    name,
    courses,
    problems: [
      ...parsed.problems.filter((each) => !ofOthers.includes(each)),
      ...(isTooLong ? [tooMany("courses", 0)] : []),
    ],
    isNamed,
    ...read,
    notices: [...read.notices, ...sentences(name, parsed.notices), ...isForeign],
    ...(parsed.isTable === undefined ? {} : { isTable: parsed.isTable }),
    ...(parsed.columns === undefined ? {} : { columns: parsed.columns }),
  };
  for (const [index, each] of isTooLong ? [] : found.entries()) {
    if (isCourse(each.value)) courses.push(sourceCourse(file, index, each, parsed));
  }
  return file;
}

/** What is said about objects of other programs in a folder, which no command uses or changes. */
function foreignNotice(name: string, line: number): string {
  return `${name}:${line}: not a course, so catalog neither uses nor changes it; if it belongs to another program, add the file to .catalogignore. [not-a-course]`;
}

function sourceCourse(
  file: SourceFile,
  index: number,
  { value, ...place }: ParsedCourse,
  parsed: Parsed,
): SourceCourse {
  const locate: SourceCourse["locate"] = async (path, at) => {
    return spanAt(await parsed.place(place), path, path.length === 0 ? "value" : at);
  };
  const line = (): number => file.lines.range(oneAt(parsed.startOf(place))).line;
  return { file, index, value, locate, line };
}

const FIELDS = COURSE_SHAPE.keys.map(({ name }) => name);

/** A course has at least an identity and one more field. */
const FEWEST_FIELDS = 2;

/** How many keys are looked at: if an object with more keys is a course, the first keys show it. */
const MAX_KEYS = 200;

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
  const keys = Object.keys(value)
    .filter((name) => !isPrivateKey(name))
    .slice(0, MAX_KEYS);
  const isProvider = "domain" in value && keys.every((name) => PROVIDER_KEYS.includes(name));
  const fields = keys.filter(isLikeField).length;
  return !isProvider && fields >= FEWEST_FIELDS && fields >= keys.length / 2;
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
