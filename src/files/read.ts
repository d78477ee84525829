/** Reads course files: bytes → text → courses, each with the means to find its places. */
import type { Readable } from "node:stream";
import { CatalogError } from "../base/errors.ts";
import type { Path } from "../base/values.ts";
import { decode, readBytes, readStreamBytes } from "./bytes.ts";
import type { FoundFile } from "./find.ts";
import {
  findCourses,
  formatOf,
  type ParsedCourse,
  parseAs,
  parseEither,
  placeOfCourse,
} from "./parse.ts";
import type { Parsed, TextProblem } from "./parsed.ts";
import { LineIndex, type PlacedNode, type Span, spanAt } from "./position.ts";

/** A text that was read and parsed. */
export interface SourceFile {
  readonly name: string;
  readonly courses: readonly SourceCourse[];
  /** What is wrong with the text itself; the courses are then not all there. */
  readonly problems: readonly TextProblem[];
  readonly lines: LineIndex;
  /** A syntax error that only shows when positions are looked for. */
  readonly lateProblem: () => TextProblem | undefined;
}

/** One course of a file, as plain data that no rule has seen. */
export interface SourceCourse {
  readonly file: SourceFile;
  readonly value: unknown;
  /** Where the value, the key or the enclosing mapping at a path stands. */
  readonly locate: (path: Path, at: "value" | "key" | "parent") => Span;
}

/** Reads and parses one file. @throws CatalogError `file` if it is unreadable, `usage` if it is empty */
export function readCourseFile(file: FoundFile): SourceFile {
  const format = formatOf(file.path);
  return sourceFile(file.name, readBytes(file), (text) => parseAs(format, text));
}

/** How messages call standard input. */
export const STDIN_NAME = "<stdin>";

/** Reads and parses standard input, which may hold either language. */
export async function readCourseStream(stream: Readable): Promise<SourceFile> {
  return sourceFile(STDIN_NAME, await readStreamBytes(STDIN_NAME, stream), parseEither);
}

function sourceFile(name: string, bytes: Buffer, parse: (text: string) => Parsed): SourceFile {
  const { text, problem } = decode(bytes);
  const lines = new LineIndex(text);
  if (problem !== undefined) {
    return { name, courses: [], problems: [problem], lines, lateProblem: () => undefined };
  }
  const parsed = parse(text);
  const courses: SourceCourse[] = [];
  const file: SourceFile = {
    name,
    courses,
    problems: parsed.problems,
    lines,
    lateProblem: () => parsed.positions().problem,
  };
  for (const found of findCourses(parsed)) courses.push(course(file, found, parsed));
  if (courses.length === 0 && parsed.problems.length === 0) {
    throw new CatalogError("usage", `${name} holds no course`, {
      file: name,
      rule: "no-course",
      advice: "A course file holds one course or a list of them.",
    });
  }
  return file;
}

function course(file: SourceFile, found: ParsedCourse, parsed: Parsed): SourceCourse {
  const place = (): PlacedNode =>
    placeOfCourse(found, parsed.positions().places) ?? { span: { start: 0, end: 0 } };
  return {
    file,
    value: found.value,
    locate: (path, at) => spanAt(place(), path, path.length === 0 ? "value" : at),
  };
}
