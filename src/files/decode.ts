/** Reads the bytes of course files, up to a limit, and decodes them as text. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { CatalogError, systemCode, unreadError } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import { readRegular } from "../base/open-file.ts";
import { MAX_FILE_SIZE } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";

export interface FoundFile {
  /** As messages name the file: the path that the user gave, or a path below a folder that the user gave. */
  readonly name: string;
  /** The absolute path of the file. */
  readonly path: string;
}

/** Reads a file, synchronously because waiting takes longer than reading. @throws CatalogError of kind `file` */
export function readBytes({ name, path }: FoundFile): Buffer {
  let bytes: ReturnType<typeof readRegular>;
  try {
    bytes = readRegular(path, MAX_FILE_SIZE);
  } catch (cause) {
    throw unreadable(name, cause);
  }
  if (bytes === "not-regular") throw notAFile(name);
  if (bytes === "too-large") throw tooLarge(name);
  return bytes;
}

/** Reads a stream to its end. @throws CatalogError of kind `file` if there are too many bytes */
export async function readStreamBytes(name: string, stream: Readable): Promise<Buffer> {
  const bytes = await readAll(stream, MAX_FILE_SIZE);
  if (bytes === undefined) throw tooLarge(name);
  return bytes;
}

/** The error for a path that is not a regular file, such as a pipe or a device. */
export function notAFile(name: string): CatalogError {
  const advice =
    "To read the output of another program, pass - instead of a path, and pipe the output in.";
  return unreadError(name, "unreadable", `cannot read ${name}: it is not a regular file`, advice);
}

function tooLarge(name: string): CatalogError {
  const most = MAX_FILE_SIZE / 1024 / 1024;
  const message = `${name} is larger than ${most} MiB, the limit for a course file`;
  return unreadError(name, "too-large", message, "Split the file.");
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  ELOOP: "too many levels of symbolic links",
  ENOTDIR: "part of the path is not a folder",
  ENAMETOOLONG: "the name is too long",
};

/** The error for a path that the system refuses to read. */
export function unreadable(name: string, cause: unknown): CatalogError {
  const code = systemCode(cause);
  // Invalid bytes in the name were replaced, so no file has the resulting name.
  const isReplaced = code === "ENOENT" && name.includes("\ufffd");
  const reason = isReplaced
    ? "its name is not UTF-8; rename the file"
    : (REASONS[code ?? ""] ?? code ?? String(cause));
  // No shell has expanded the pattern: it is in quotes or an input of the action, or nothing matches.
  const isPattern = code === "ENOENT" && /[*?]|\[.+\]|\{.+\}/.test(name);
  const advice = isPattern
    ? "catalog does not expand patterns. Pass the name of a file or, for course files, of their folder."
    : undefined;
  const facts = { file: name, rule: "unreadable", cause, advice };
  return new CatalogError("file", `cannot read ${name}: ${reason}`, facts);
}

/** A decoded text, and what is wrong with its encoding or worth knowing about it. */
export interface Decoded {
  readonly text: string;
  readonly problem?: TextProblem;
  /** A clause that follows the name of the file: `read as UTF-16`. */
  readonly notice?: string;
}

/** Decodes UTF-8, without a byte order mark. Other bytes give a problem at the first invalid byte. */
export function decode(bytes: Buffer): Decoded {
  return isUtf8(bytes) ? { text: textOf(bytes) } : undecodable(bytes);
}

const BYTE_ORDER_MARK = "\ufeff";

function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** How many bytes are decoded after the first invalid byte, for the excerpt in a message. */
const SAMPLE = 64 * 1024;

function undecodable(bytes: Buffer): Decoded {
  const at = firstInvalidByte(bytes);
  const start = textOf(bytes.subarray(0, at)).length;
  // Decoded completely, invalid bytes could take many times the memory of the file.
  const text = textOf(bytes.subarray(0, at + SAMPLE));
  const guess = guessEncoding(bytes);
  const name = guess?.startsWith("utf-16") ? "UTF-16" : "probably Windows-1252";
  const message = `the text is not UTF-8${guess === undefined ? "" : ` but ${name}`}: save it as UTF-8`;
  return { text, problem: { rule: "encoding", message, span: { start, end: start + 1 } } };
}

const GUESSED = 1024 * 1024;

/**
 * Guesses the encoding of bytes that are not UTF-8: `Caf\xe9` is probably Windows-1252. In the languages that use it,
 * three letters with marks hardly ever follow each other; in damaged UTF-8, at least half of the characters are valid.
 */
export function guessEncoding(bytes: Buffer): "utf-16le" | "utf-16be" | "windows-1252" | undefined {
  const sample = bytes.subarray(0, GUESSED);
  const latin1 = sample.toString("latin1");
  if (latin1.startsWith("\xff\xfe")) return "utf-16le";
  if (latin1.startsWith("\xfe\xff")) return "utf-16be";
  if (/[\0\x81\x8d\x8f\x90\x9d]/.test(latin1)) return undefined;
  const high = latin1.match(/[\x80-\xff]/g)?.length ?? 0;
  const inRuns = latin1.match(/[\x80-\xff]{3,}/g)?.join("").length ?? 0;
  const characters = sample.toString("utf8").match(/[^\0-\x7f]/g) ?? [];
  const whole = characters.filter((character) => character !== "\ufffd").length;
  return inRuns * 5 <= high && whole * 2 < characters.length ? "windows-1252" : undefined;
}

/** The offset of the first invalid byte: decoding replaces it. */
function firstInvalidByte(bytes: Buffer): number {
  const decoded = Buffer.from(bytes.toString("utf8"));
  let at = 0;
  while (bytes[at] === decoded[at]) at++;
  // The invalid bytes may begin like the replacement character.
  while (isContinuation(decoded[at])) at--;
  return at;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
