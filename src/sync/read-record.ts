/** Reads the records of runs from files. */
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { CatalogError, systemCode, systemReason, usageError } from "../base/errors.ts";
import { damagedRecord, parseEnd, parseHeader, parseRecord } from "./parse-record.ts";
import { countWrites, type RunRecord, type RunSummary } from "./record.ts";

/** Bytes of a record; more cannot be one string. */
const MAX_SIZE = 500 * 1024 * 1024;
/** Bytes of the last line, which has only counts. */
const END_SIZE = 1024;

/** Reads a record. @throws CatalogError of kind `usage` if it is damaged or not a record */
export function readRecord(path: string, name: string): RunRecord {
  return reading(path, name, (size) => {
    if (size > MAX_SIZE) throw usageError(`cannot read ${name}: it is too large`);
    return parseRecord(decode(readFileSync(path)), name);
  });
}

/**
 * Reads the first and the last line of a record; all of it only if the run was killed.
 *
 * @throws as `readRecord`
 */
export function readSummary(path: string, name: string): RunSummary {
  const summary = reading(path, name, () => {
    const fd = openSync(path, "r");
    try {
      const header = parseHeader(readFirstLine(fd), name);
      const end = parseEnd(readLastLine(fd));
      return { header, end };
    } finally {
      closeSync(fd);
    }
  });
  const { header, end = countWrites(readRecord(path, name).writes) } = summary;
  return { header, end };
}

function reading<Result>(path: string, name: string, read: (size: number) => Result): Result {
  try {
    const entry = statSync(path);
    if (!entry.isFile()) throw usageError(`cannot read ${name}: it is not a file`);
    return read(entry.size);
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    if (cause instanceof TypeError) throw damagedRecord(name, 1, "it is not UTF-8 text");
    const reason = systemCode(cause) === "ENOENT" ? "no such run or file" : systemReason(cause);
    throw usageError(`cannot read ${name}: ${reason}`, 'Run "catalog history" to list the runs.');
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

function readFirstLine(fd: number): string {
  for (let size = 4096; ; size *= 16) {
    const bytes = readAt(fd, 0, Math.min(size, MAX_SIZE));
    const end = bytes.indexOf("\n");
    if (end !== -1 || bytes.length < size)
      return decode(end === -1 ? bytes : bytes.subarray(0, end));
  }
}

/** The last line; nothing if it is longer than the counts are. */
function readLastLine(fd: number): string {
  const { size } = fstatSync(fd);
  const bytes = readAt(fd, Math.max(0, size - END_SIZE), END_SIZE);
  const [, ...complete] = bytes.toString("latin1").trimEnd().split("\n");
  return complete.at(-1) ?? "";
}

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position));
}
