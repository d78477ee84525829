/** Reads course files: bytes → text or table → courses, each of which can find its positions. */
import type { Readable } from "node:stream";
import { unreadError } from "../base/errors.ts";
import { STDIN_NAME } from "../base/io.ts";
import { isObject, type Path, type PlainObject } from "../base/values.ts";
import { courseTest } from "../course/is-course.ts";
import { type Content, readContent, sentences, type TableOptions } from "./content.ts";
import { type ParsedTable, parseRecords } from "./csv.ts";
import { type FoundFile, readBytes, readStreamBytes } from "./decode.ts";
import { MAX_COURSES, tooMany } from "./limits.ts";
import { parseAny, parseFile } from "./parse.ts";
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
    table === undefined ? await parse(text) : parseRecords(table);
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
    const root = (await parsed.positions()).place(place) ?? { span: { start: 0, end: 0 } };
    return spanAt(root, path, path.length === 0 ? "value" : at);
  };
  const line = (): number => file.lines.range(oneAt(parsed.startOf(place))).line;
  return { file, index, value, locate, line };
}
