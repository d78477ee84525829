/** Reads course files: bytes → text → courses, each with the means to find its places. */
import type { Readable } from "node:stream";
import { CatalogError } from "../base/errors.ts";
import { memoize, type Path } from "../base/values.ts";
import { decode, readBytes, readStreamBytes } from "./bytes.ts";
import { coursesOf, formatOf, type ParsedCourse, parseAs, placeOfCourse } from "./courses.ts";
import type { FoundFile } from "./find.ts";
import { parseJson } from "./json.ts";
import type { Parsed, TextProblem } from "./parsed.ts";
import { LineIndex, type PlacedNode, type Span, spanAt } from "./position.ts";
import { parseYaml } from "./yaml.ts";

/** A text that was read and parsed. */
export interface SourceFile {
  readonly name: string;
  readonly courses: readonly SourceCourse[];
  /** What is wrong with the text itself; the courses are then not all there. */
  readonly problems: readonly TextProblem[];
  readonly lines: LineIndex;
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

/** A text that begins like JSON may still be YAML, which knows flow mappings. */
function parseEither(text: string): Parsed {
  if (!/^\s*[[{]/.test(text)) return parseYaml(text);
  const json = parseJson(text);
  if (!json.problems.some(({ rule }) => rule === "syntax")) return json;
  const yaml = parseYaml(text);
  return yaml.problems.some(({ rule }) => rule === "syntax") ? json : yaml;
}

function sourceFile(name: string, bytes: Buffer, parse: (text: string) => Parsed): SourceFile {
  const { text, problem } = decode(bytes);
  const lines = new LineIndex(text);
  if (problem !== undefined) return { name, courses: [], problems: [problem], lines };
  const parsed = parse(text);
  const courses: SourceCourse[] = [];
  const file: SourceFile = { name, courses, problems: parsed.problems, lines };
  const places = memoize(parsed.places);
  for (const found of coursesOf(parsed)) courses.push(course(file, found, places));
  if (courses.length === 0 && parsed.problems.length === 0) {
    throw new CatalogError("usage", `${name} holds no course`, {
      file: name,
      rule: "no-course",
      advice: "A course file holds one course or a list of them.",
    });
  }
  return file;
}

function course(
  file: SourceFile,
  found: ParsedCourse,
  places: () => readonly PlacedNode[],
): SourceCourse {
  const place = (): PlacedNode => placeOfCourse(found, places()) ?? { span: { start: 0, end: 0 } };
  return {
    file,
    value: found.value,
    locate: (path, at) => spanAt(place(), path, path.length === 0 ? "value" : at),
  };
}
