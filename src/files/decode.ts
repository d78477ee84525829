/** Reads the bytes of course files, up to a limit, and decodes them as text. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { attempt, CatalogError, systemReason, unreadError, usageError } from "../base/errors.ts";
import { readRegular } from "../base/files.ts";
import { readAll } from "../base/io.ts";
import { truncateJson } from "../base/text.ts";
import { type Problem, textProblem } from "../course/problem.ts";
import { decodeWindows1252 } from "../course/text-rules.ts";
import { oneAt } from "./diagnostic.ts";
import { formatSize, LIMITS } from "./limits.ts";

export interface FoundFile {
  /** As messages name the file: the path that the user gave, or a path below a folder that the user gave. */
  readonly name: string;
  /** The absolute path of the file; empty for standard input. */
  readonly path: string;
  /** Whether the user named the file itself, so that it is meant as courses; a folder may have files of other programs. */
  readonly isNamed?: boolean;
}

/** Reads a file, synchronously because waiting takes longer than reading. @throws CatalogError of kind `file` */
export function readBytes({ name, path }: FoundFile): Buffer {
  let bytes: ReturnType<typeof readRegular>;
  try {
    bytes = readRegular(path, LIMITS.size);
  } catch (cause) {
    throw unreadable(name, cause);
  }
  if (bytes === "not-regular") throw notAFile(name);
  if (bytes === "too-large") throw tooLarge(name);
  return bytes;
}

/** Reads a file or, if it has no path, standard input. @throws CatalogError of kind `file` */
export async function readSource(file: FoundFile, input: Readable): Promise<Buffer> {
  if (file.path !== "") return readBytes(file);
  const bytes = await readAll(input, LIMITS.size);
  if (bytes === undefined) throw tooLarge(file.name);
  return bytes;
}

/** The error for a path that is not a regular file, such as a pipe or a device. */
export function notAFile(name: string): CatalogError {
  const advice = "To read the output of another program, pass - and pipe the output in.";
  return unreadError(name, "unreadable", `cannot read ${name}: it is not a regular file`, advice);
}

/** The error of a path without courses. */
export function noCourse(name: string): CatalogError {
  const advice = "Write a course into a file. For a template: catalog courses init intro.yaml";
  return unreadError(name, "no-course", `${name} contains no course`, advice);
}

function tooLarge(name: string): CatalogError {
  const message = `${name} is larger than ${formatSize(LIMITS.size)}, the limit for a course file`;
  return unreadError(name, "too-large", message, "Split the file.");
}

/** The error for a path that the system refuses to read. */
export function unreadable(name: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const facts = { file: name, rule: "unreadable", cause };
  return new CatalogError("file", `cannot read ${name}: ${systemReason(cause)}`, facts);
}

/** A decoded text, and what is wrong with its encoding or worth knowing about it. */
export interface Decoded {
  readonly text: string;
  readonly problem?: Problem | undefined;
  /** What the user should know if the text is not UTF-8: a clause that follows the name of the file. */
  readonly notice?: string | undefined;
}

/**
 * Decodes UTF-8, UTF-16 with a byte order mark and, for a table, the given encoding or Windows-1252, which a notice
 * names: the bytes `Caf\xe9` give `Café`. Other bytes give a problem at the first invalid byte.
 */
export function decode(bytes: Buffer, table?: { readonly encoding: string | undefined }): Decoded {
  const { encoding } = table ?? {};
  const mark = bytes.toString("latin1", 0, 2);
  const wide = mark === "\xff\xfe" ? "utf-16le" : mark === "\xfe\xff" ? "utf-16be" : undefined;
  const text = decodeAs(bytes, encoding ?? wide ?? "utf-8");
  const isWide = encoding === undefined && wide !== undefined;
  if (text !== undefined) return { text, notice: isWide ? "read as UTF-16" : undefined };
  if (table === undefined) return damaged(bytes, "the text is not UTF-8: save it as UTF-8");
  if (encoding === undefined && isWindows1252(bytes)) {
    const notice = "read as Windows-1252; if letters look wrong, pass the encoding with --encoding";
    return { text: decodeWindows1252(bytes), notice };
  }
  const advice = "pass its encoding, for example --encoding shift_jis, or save it as CSV UTF-8";
  return damaged(bytes, `the table is not in ${encoding ?? "UTF-8"}: ${advice}`);
}

/** The text with replacement characters for invalid bytes, of which the first has the problem. */
function damaged(bytes: Buffer, message: string): Decoded {
  const written = Buffer.from(bytes.toString());
  const invalid = bytes.findIndex((byte, index) => byte !== written[index]);
  let valid = bytes.subarray(0, Math.max(0, invalid));
  while (!isUtf8(valid)) valid = valid.subarray(0, -1);
  const decoder = new TextDecoder();
  const span = oneAt(decoder.decode(valid).length);
  return { text: decoder.decode(bytes), problem: textProblem("encoding", message, span) };
}

/** The text without a byte order mark; undefined if the bytes are not in the encoding. */
function decodeAs(bytes: Buffer, encoding: string): string | undefined {
  if (encoding === "windows-1252") return decodeWindows1252(bytes);
  if (encoding === "utf-8")
    return isUtf8(bytes) ? bytes.toString().replace(/^\ufeff/, "") : undefined;
  return attempt(() => new TextDecoder(encoding, { fatal: true }).decode(bytes));
}

const GUESSED = 1024 * 1024;

/**
 * Whether bytes that are not UTF-8 are probably Windows-1252, such as `Caf\xe9`. In the languages that use it, letters
 * with marks hardly ever follow each other as in UTF-8, or three of them as in encodings of other languages.
 */
function isWindows1252(bytes: Buffer): boolean {
  const latin1 = bytes.toString("latin1", 0, GUESSED);
  if (/[\0\x81\x8d\x8f\x90\x9d]/.test(latin1)) return false;
  const marked = latin1.match(/[\x80-\xff]/g) ?? [];
  const others = latin1.match(/[\xc2-\xf4][\x80-\xbf]+|[\x80-\xff]{3,}/g) ?? [];
  return others.join("").length * 5 <= marked.length;
}

/**
 * Parses the value of --encoding, with the names that browsers accept: `latin1` is `windows-1252`.
 *
 * @throws CatalogError of kind `usage` for an unknown name
 */
export function parseEncoding(label: string): string {
  const decoder = attempt(() => new TextDecoder(label));
  if (decoder !== undefined) return decoder.encoding;
  throw usageError(
    `--encoding must be the name of an encoding, not ${truncateJson(label)}`,
    "For example: --encoding windows-1250. Others: utf-8, utf-16le, windows-1252, shift_jis, gb18030.",
  );
}
