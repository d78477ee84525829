/** Reads the bytes of course files, within bounds, and turns them into text. */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { CatalogError, systemCode } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import { readAny, readRegular } from "../base/open-file.ts";
import { MAX_FILE_SIZE } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";

/** A file that a path names. */
export interface FoundFile {
  /** As messages name it: as it was given, or below the folder that was. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/**
 * The bytes of a file. Waiting for small local files takes several times as long as reading them.
 */
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

/** The bytes of a file, a pipe or a device that the user named. @throws CatalogError of kind `file` */
export async function readAnyBytes({ name, path }: FoundFile): Promise<Buffer> {
  const bytes = await readAny(path, MAX_FILE_SIZE).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  if (bytes === "too-large") throw tooLarge(name);
  if (bytes !== "silent") return bytes;
  const message = `cannot read ${name}: no program writes to this pipe`;
  throw new CatalogError("file", message, { file: name, rule: "unreadable" });
}

/** The bytes of a stream. @throws CatalogError of kind `file` when they are too many */
export async function readStreamBytes(name: string, stream: Readable): Promise<Buffer> {
  const bytes = await readAll(stream, MAX_FILE_SIZE);
  if (bytes === undefined) throw tooLarge(name);
  return bytes;
}

/** The error for a path that is neither a file nor a folder, such as a pipe or a device. */
export function notAFile(name: string): CatalogError {
  return new CatalogError("file", `${name} is neither a file nor a folder`, {
    file: name,
    rule: "unreadable",
    advice: "Use - to read another program's output from standard input.",
  });
}

function tooLarge(name: string): CatalogError {
  const most = MAX_FILE_SIZE / 1024 / 1024;
  const message = `${name} is larger than ${most} MiB, the limit for a course file`;
  return new CatalogError("file", message, { file: name, rule: "too-large" });
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
  // The system's bytes were replaced, so that no file has this name.
  const isReplaced = code === "ENOENT" && name.includes("\ufffd");
  const reason = isReplaced
    ? "its name is not UTF-8; rename it"
    : (REASONS[code ?? ""] ?? code ?? String(cause));
  // No shell has expanded it: in an input of the action, in quotes, or because nothing matches.
  const isPattern = code === "ENOENT" && /[*?]|\[.+\]|\{.+\}/.test(name);
  const advice = isPattern ? "Patterns are not expanded here; pass the folder." : undefined;
  const facts = { file: name, rule: "unreadable", cause, advice };
  return new CatalogError("file", `cannot read ${name}: ${reason}`, facts);
}

/** A text, and what is wrong with its encoding or to be known about it. */
export interface Decoded {
  readonly text: string;
  readonly problem?: TextProblem;
  /** A clause that follows the name of the file. */
  readonly notice?: string;
}

/** The bytes as text without a byte order mark, with a problem if they are not UTF-8. */
export function decode(bytes: Buffer): Decoded {
  return isUtf8(bytes) ? { text: textOf(bytes) } : undecodable(bytes);
}

const BYTE_ORDER_MARK = "\ufeff";

function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Bytes that are shown after the first one that is wrong. */
const SAMPLE = 64 * 1024;

function undecodable(bytes: Buffer): Decoded {
  const at = firstInvalidByte(bytes);
  const start = textOf(bytes.subarray(0, at)).length;
  // Only the position is shown, and the complete text could take many times the memory of the file.
  const text = textOf(bytes.subarray(0, at + SAMPLE));
  const guess = guessEncoding(bytes);
  const name = guess?.startsWith("utf-16") ? "UTF-16" : "probably Windows-1252";
  const message = `not UTF-8${guess === undefined ? "" : ` but ${name}`}: save it as UTF-8`;
  return { text, problem: { rule: "encoding", message, span: { start, end: start + 1 } } };
}

/** Bytes from which the encoding is guessed. */
const GUESSED = 1024 * 1024;

/**
 * The encoding of bytes that are not UTF-8, if it is likely. In the languages of Windows-1252, three letters with
 * marks hardly ever follow each other, and in a damaged UTF-8 text, at least half of the characters are whole.
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

/** The offset of the first byte that is not part of a character: there, decoding changes it. */
function firstInvalidByte(bytes: Buffer): number {
  const decoded = Buffer.from(bytes.toString("utf8"));
  let at = 0;
  while (bytes[at] === decoded[at]) at++;
  // The invalid bytes may begin like the replacement character.
  while (isContinuation(decoded[at])) at--;
  return at;
}

/** Whether a byte is not the first of a character. */
function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
