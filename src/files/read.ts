/** Reads course files: bytes → text → courses, each with the means to find its positions. */
import type { Readable } from "node:stream";
import { attempt, CatalogError } from "../base/errors.ts";
import { PLAN_START, RECORD_START } from "../base/file-start.ts";
import { STDIN_NAME } from "../base/io.ts";
import { isObject, type Path, type PlainObject } from "../base/values.ts";
import { courseTest } from "../course/is-course.ts";
import { decode, type FoundFile, readBytes, readStreamBytes } from "./bytes.ts";
import { formatOf, parseAny, parseAs } from "./formats.ts";
import { MAX_COURSES, tooMany } from "./limits.ts";
import {
  findCourses,
  type Parsed,
  type ParsedCourse,
  type Positions,
  type TextProblem,
} from "./parsed.ts";
import { LineIndex, type Span, spanAt } from "./position.ts";

/** A source text that was read and parsed. */
export interface SourceFile {
  readonly name: string;
  readonly courses: readonly SourceCourse[];
  /** What is wrong with the text itself; the courses are then incomplete. */
  readonly problems: readonly TextProblem[];
  readonly lines: LineIndex;
  /** Frees the memory of the text and its positions, which are read again if they are needed. */
  readonly release: () => void;
  /** Whether its courses are the rows of a table, which share their keys. */
  readonly isTable?: boolean;
}

/** One course of a file, as plain data that has not been validated. */
export interface SourceCourse {
  readonly file: SourceFile;
  /** Its place among the courses of the file. */
  readonly index: number;
  readonly value: unknown;
  /** The position of the value at a path, of its key, or of the object that contains it. */
  readonly locate: (path: Path, at: "value" | "key" | "parent") => Promise<Span>;
  /** The line in which it begins, in much less time than its position takes. */
  readonly line: () => Promise<number>;
  /** The files of the fields that the course itself leaves out. */
  readonly defaults?: ReadonlyMap<string, SourceCourse>;
  /** The values of the fields that it leaves out, where they are not filled in. */
  readonly defaultValues?: PlainObject;
}

/** A course exactly as its file contains it, without default values. */
export function writtenValue({ value, defaults }: SourceCourse): unknown {
  if (!isObject(value) || defaults === undefined || defaults.size === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !defaults.has(name)));
}

/** The courses of a file that are courses by what the file itself contains. */
export function ownCourses({ courses, isTable }: SourceFile): SourceCourse[] {
  const written = courses.map(writtenValue);
  const isCourse = courseTest(written, isTable);
  return courses.filter((_, index) => isCourse(written[index]));
}

/** Reads and parses one file. @throws CatalogError `file` if it is unreadable, `usage` if it is empty */
export async function readCourseFile(file: FoundFile): Promise<SourceFile> {
  const format = formatOf(file.path);
  const parse = (text: string): Promise<Parsed> => parseAs(format, text);
  // A file that has disappeared since has no positions anymore.
  const reread = (): string => attempt(() => decode(readBytes(file)).text) ?? "";
  return await sourceFile(file.name, readBytes(file), parse, reread);
}

/** Reads and parses standard input, which can be in any format. */
export async function readCourseStream(stream: Readable): Promise<SourceFile> {
  return await sourceFile(STDIN_NAME, await readStreamBytes(STDIN_NAME, stream), parseAny);
}

async function sourceFile(
  name: string,
  bytes: Buffer,
  parse: (text: string) => Promise<Parsed>,
  reread?: () => string,
): Promise<SourceFile> {
  const { text, problem } = decode(bytes, name);
  const lines = new LineIndex(text, reread);
  const release = (): void => undefined;
  if (problem !== undefined) {
    return { name, courses: [], problems: [problem], lines, release };
  }
  refuseOwnFile(text, name);
  const parsed = await parse(text);
  const held = new HeldPositions(parsed, () => parse(lines.content));
  const found = findCourses(parsed);
  const isTooLong = found.length > MAX_COURSES;
  const tooLong = isTooLong ? [tooMany("courses", 0)] : [];
  const courses: SourceCourse[] = [];
  const file: SourceFile = {
    name,
    courses,
    problems: [...parsed.problems, ...tooLong],
    lines,
    release: () => {
      if (reread === undefined) return;
      lines.release();
      held.release();
    },
    ...(parsed.isTable === undefined ? {} : { isTable: parsed.isTable }),
  };
  for (const each of isTooLong ? [] : found) {
    courses.push(new CourseOfFile(file, courses.length, each, held));
  }
  if (found.length === 0 && parsed.problems.length === 0) {
    throw new CatalogError("usage", `${name} contains no course`, {
      file: name,
      rule: "no-course",
      advice: "A course file contains one course or a list of courses.",
    });
  }
  return file;
}

/** Refuses plans and records, which would have findings about each line, or advice to import them. */
function refuseOwnFile(text: string, name: string): void {
  const [what, advice] = text.startsWith(RECORD_START)
    ? [
        "the record of a run",
        `Use "catalog history show ${name}" to show it, and "catalog undo ${name}" to reverse the run.`,
      ]
    : text.startsWith(PLAN_START)
      ? ["a plan", `Use "catalog courses push --plan ${name}" to execute it.`]
      : [];
  if (what === undefined) return;
  const message = `${name} is ${what}, not a course file`;
  throw new CatalogError("usage", message, { file: name, rule: "no-course", advice });
}

/** The positions of a text, which is parsed again after its memory was freed. */
class HeldPositions {
  readonly #parse: () => Promise<Parsed>;
  #parsed: Promise<Parsed> | undefined;
  #placed: Promise<Positions> | undefined;

  constructor(parsed: Parsed, parse: () => Promise<Parsed>) {
    this.#parsed = Promise.resolve(parsed);
    this.#parse = parse;
  }

  release(): void {
    this.#parsed = undefined;
    this.#placed = undefined;
  }

  parsed(): Promise<Parsed> {
    this.#parsed ??= this.#parse();
    return this.#parsed;
  }

  async all(): Promise<Positions> {
    this.#placed ??= (await this.parsed()).positions();
    return await this.#placed;
  }
}

/** A course of a file that was read. */
class CourseOfFile implements SourceCourse {
  readonly file: SourceFile;
  readonly index: number;
  readonly value: unknown;
  readonly #place: Omit<ParsedCourse, "value">;
  readonly #held: HeldPositions;

  constructor(
    file: SourceFile,
    index: number,
    { value, ...place }: ParsedCourse,
    held: HeldPositions,
  ) {
    this.file = file;
    this.index = index;
    this.value = value;
    this.#place = place;
    this.#held = held;
  }

  readonly locate: SourceCourse["locate"] = async (path, at) => {
    const place = (await this.#held.all()).place(this.#place);
    const root = place ?? { span: { start: 0, end: 0 } };
    return spanAt(root, path, path.length === 0 ? "value" : at);
  };

  readonly line = async (): Promise<number> => {
    const isOnly = this.#place.item === undefined;
    const start = isOnly ? (await this.#held.parsed()).start : undefined;
    const span = start === undefined ? await this.locate([], "value") : { start, end: start };
    return this.file.lines.range(span).line;
  };
}
