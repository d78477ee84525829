/** Reads course files: bytes → text → courses, each with the means to find its places. */
import { isUtf8 } from "node:buffer";
import { open } from "node:fs/promises";
import { extname } from "node:path";
import type { Readable } from "node:stream";
import { CatalogError, systemCode, usageError } from "../base/errors.ts";
import { readAll } from "../base/stream.ts";
import { isList, type Path } from "../base/values.ts";
import type { FoundFile } from "./find.ts";
import { parseJson } from "./json.ts";
import { MAX_FILE_SIZE } from "./limits.ts";
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
export async function readCourseFile(file: FoundFile): Promise<SourceFile> {
  const isJson = extname(file.path).toLowerCase() === ".json";
  return sourceFile(file.name, await readBytes(file), isJson ? parseJson : parseYaml);
}

/** Reads and parses standard input, which may hold either language. */
export async function readCourseStream(stream: Readable): Promise<SourceFile> {
  const name = "<stdin>";
  const bytes = await readAll(stream, MAX_FILE_SIZE);
  if (bytes === undefined) throw tooLarge(name);
  return sourceFile(name, bytes, parseEither);
}

/** A text that begins like JSON may still be YAML, which knows flow mappings. */
function parseEither(text: string): Parsed {
  if (!/^\s*[[{]/.test(text)) return parseYaml(text);
  const json = parseJson(text);
  if (!json.problems.some(({ rule }) => rule === "syntax")) return json;
  const yaml = parseYaml(text);
  return yaml.problems.length === 0 ? yaml : json;
}

async function readBytes(file: FoundFile): Promise<Buffer> {
  try {
    const handle = await open(file.path, "r");
    try {
      const { size } = await handle.stat();
      if (size > MAX_FILE_SIZE) throw tooLarge(file.name);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    const code = systemCode(cause);
    const why = code === "EACCES" ? "it may not be read" : (code ?? String(cause));
    const message = `could not read ${file.name}: ${why}`;
    throw new CatalogError("file", message, { file: file.name, cause });
  }
}

function tooLarge(name: string): CatalogError {
  const most = MAX_FILE_SIZE / 1024 / 1024;
  return new CatalogError(
    "file",
    `${name} is larger than ${most} MiB, the most for a course file`,
    {
      file: name,
    },
  );
}

/** The bytes as text without a byte order mark, or the line of the first byte that is no UTF-8. */
function decode(bytes: Buffer): { text: string } | { badLine: number } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { badLine: lineOfBadByte(bytes) };
  }
}

function lineOfBadByte(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    // A character never spans a line feed, so the first line that cannot be decoded holds the byte.
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end;
  }
  return line;
}

function sourceFile(name: string, bytes: Buffer, parse: (text: string) => Parsed): SourceFile {
  const decoded = decode(bytes);
  if ("badLine" in decoded) return undecodable(name, bytes.toString("utf8"), decoded.badLine);
  const { text } = decoded;
  const parsed = parse(text);
  const courses: SourceCourse[] = [];
  const file: SourceFile = { name, courses, problems: parsed.problems, lines: new LineIndex(text) };
  for (const [index, document] of parsed.documents.entries()) {
    if (document === null || document === undefined) continue;
    const place = (): PlacedNode => parsed.places()[index] ?? { span: { start: 0, end: 0 } };
    if (isList(document)) {
      for (const [item, value] of document.entries())
        courses.push(course(file, value, place, [item]));
    } else {
      courses.push(course(file, document, place, []));
    }
  }
  if (courses.length === 0 && parsed.problems.length === 0) {
    throw usageError(
      `${name} holds no course`,
      "A course file holds one course or a list of them.",
    );
  }
  return file;
}

function course(
  file: SourceFile,
  value: unknown,
  place: () => PlacedNode,
  within: Path,
): SourceCourse {
  return {
    file,
    value,
    locate: (path, at) => spanAt(place(), [...within, ...path], path.length === 0 ? "value" : at),
  };
}

function undecodable(name: string, text: string, line: number): SourceFile {
  const start = text.split("\n", line - 1).join("\n").length + (line > 1 ? 1 : 0);
  const bad = text.indexOf("\ufffd", start);
  const span = { start: Math.max(start, bad), end: Math.max(start, bad) + 1 };
  const message = "not UTF-8 text: save the file in the encoding UTF-8";
  return {
    name,
    courses: [],
    problems: [{ rule: "syntax", message, span }],
    lines: new LineIndex(text),
  };
}
