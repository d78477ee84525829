/** Reads records. What is not a record, or a damaged one, is refused with its place. */
import { readFileSync, statSync } from "node:fs";
import { attempt, CatalogError, systemCode, systemReason, usageError } from "../base/errors.ts";
import { RECORD_VERSION } from "../base/file-start.ts";
import { scanJson } from "../base/scan-json.ts";
import { isUuid } from "../base/uuid.ts";
import { hasId, isObject, type PlainObject } from "../base/values.ts";
import {
  describeTarget,
  type RecordedWrite,
  type RecordHeader,
  type RunRecord,
  type Write,
  type WriteStatus,
} from "./record.ts";

/** Bytes of a record; more cannot be one string. */
const MAX_SIZE = 500 * 1024 * 1024;

/** Reads a record. @throws CatalogError of kind `usage` if it is damaged or not a record */
export function readRecord(path: string, name: string): RunRecord {
  return parseRecord(readText(path, name), name);
}

function readText(path: string, name: string): string {
  try {
    const entry = statSync(path);
    if (!entry.isFile()) throw usageError(`cannot read ${name}: it is not a file`);
    if (entry.size > MAX_SIZE) throw usageError(`cannot read ${name}: it is too large`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    if (cause instanceof TypeError) throw damaged(name, 1, "it is not UTF-8 text");
    const reason = systemCode(cause) === "ENOENT" ? "no such run or file" : systemReason(cause);
    throw usageError(`cannot read ${name}: ${reason}`, 'Run "catalog history" to list the runs.');
  }
}

/** The record in a string. @throws as `readRecord` */
function parseRecord(text: string, name: string): RunRecord {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  // Of a run that was killed, the last line may be cut: a write that was not sent, or a result.
  const isCut = last !== "" && parseJson(last) === undefined;
  if (last !== "" && !isCut) lines.push(last);
  const [first = "", ...rest] = lines;
  if (lines.length === 0) throw foreign(name);
  const header = parseHeader(first, name);
  const writes = new Map<number, Write>();
  const results = new Map<number, WriteStatus>();
  for (const [index, line] of rest.entries()) {
    const invalid = (problem: string): CatalogError => damaged(name, index + 2, problem);
    const value = parseLine(line, invalid);
    const { write: number } = value;
    if (typeof number !== "number") throw invalid("it has no number of a write");
    if ("action" in value) {
      if (writes.has(number)) throw invalid(`write ${number} appears twice`);
      writes.set(number, parseWrite(value, invalid));
    } else {
      if (!writes.has(number)) throw invalid(`there is no write ${number} before its result`);
      results.set(number, parseStatus(value.status, invalid));
    }
  }
  const recorded = [...writes].map(([number, write]): RecordedWrite => {
    return { ...write, status: results.get(number) ?? "unknown" };
  });
  return { header, writes: recorded, ...(isCut ? { cutLine: lines.length + 1 } : {}) };
}

function parseHeader(line: string, name: string): RecordHeader {
  const value = parseJson(line);
  if (!isObject(value) || !("formatVersion" in value) || !("run" in value)) throw foreign(name);
  const { formatVersion, run, time, command, baseUrl, providers } = value;
  if (formatVersion !== RECORD_VERSION) {
    const message = `its format version is ${JSON.stringify(formatVersion)}, not ${RECORD_VERSION}`;
    throw damaged(name, 1, message, { advice: "Use the version of catalog that wrote it." });
  }
  const texts = [run, time, command, baseUrl];
  const isList = Array.isArray(providers) && providers.every((id) => typeof id === "string");
  if (!texts.every((text) => typeof text === "string") || !isList) {
    throw damaged(name, 1, "its header is incomplete");
  }
  return { formatVersion, run, time, command, baseUrl, providers } as RecordHeader;
}

type Invalid = (problem: string) => CatalogError;

function parseLine(line: string, invalid: Invalid): PlainObject {
  const value = parseJson(line);
  if (value === undefined) throw invalid("it is not the JSON of a write");
  if (!isObject(value)) throw invalid("it is not an object");
  return value;
}

/** More than the courses that a service returns have. Millions of keys take seconds and a gigabyte. */
const LIMITS = { depth: 2000, values: Number.POSITIVE_INFINITY, keys: 100_000 };

/** A line as JSON; undefined if it is not JSON, or deeper or wider than any that a run writes. */
function parseJson(line: string): unknown {
  const { deep, wide } = scanJson(line, LIMITS);
  if (deep !== undefined || wide !== undefined) return undefined;
  return attempt(() => JSON.parse(line));
}

/** A write with everything that undoing it needs; a request without a valid id is never sent. */
function parseWrite(value: PlainObject, invalid: Invalid): Write {
  const { id, file, action, body, before } = value;
  if (typeof id !== "string" || !isUuid(id)) throw invalid("its id is not a UUID");
  const course = { ...value, id: id.toLowerCase() };
  const target = describeTarget(course, typeof file === "string" ? file : undefined);
  switch (action) {
    case "create":
      if (!isObject(body)) throw invalid("the body of the creation is missing");
      return { ...target, action, body };
    case "update":
      if (!isObject(body) || !isObject(before)) throw invalid("the values before are missing");
      if (Object.keys(body).some((field) => !Object.hasOwn(before, field))) {
        throw invalid("the values before are incomplete");
      }
      return { ...target, action, body, before };
    case "delete":
      if (!hasId(before) || before.id.toLowerCase() !== target.id) {
        throw invalid("the deleted course is missing");
      }
      return { ...target, action, before };
    default:
      throw invalid(`unknown action ${JSON.stringify(action)}`);
  }
}

const STATUSES: readonly WriteStatus[] = ["done", "failed", "unchanged", "unknown"];

function parseStatus(value: unknown, invalid: Invalid): WriteStatus {
  const status = STATUSES.find((each) => each === value);
  if (status === undefined) throw invalid(`unknown status ${JSON.stringify(value)}`);
  return status;
}

function foreign(name: string): CatalogError {
  return damaged(name, 1, "it is not the header of a record", {
    advice: 'Pass a run of "catalog history", or a file that --record wrote.',
  });
}

function damaged(
  name: string,
  line: number,
  problem: string,
  facts: { readonly advice?: string } = {},
): CatalogError {
  const message = `line ${line} of the record cannot be used: ${problem}`;
  return new CatalogError("usage", message, { file: name, line, column: 1, ...facts });
}
