/** Parses records. What is not a record, or a damaged one, is refused with its place. */
import * as z from "zod/mini";
import { attempt, CatalogError } from "../base/errors.ts";
import { RECORD_VERSION } from "../base/own-files.ts";
import { scanJson } from "../base/scan-json.ts";
import { isUuid } from "../base/uuid.ts";
import { hasId, isObject, type PlainObject } from "../base/values.ts";
import {
  type RecordedWrite,
  type RecordHeader,
  type RunEnd,
  type RunRecord,
  WRITE_STATUSES,
  type WriteResult,
} from "./record.ts";
import { type SavedStep, savedStep } from "./saved-step.ts";

/** The record in a string. @throws CatalogError of kind `usage` */
export function parseRecord(text: string, name: string): RunRecord {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  // Of a run that was killed, the last line may be cut: a write that was not sent, or a result.
  const isCut = last !== "" && parseJson(last) === undefined;
  if (last !== "" && !isCut) lines.push(last);
  const [first = "", ...rest] = lines;
  if (lines.length === 0) throw foreign(name);
  const header = parseHeader(first, name);
  const writes = new Map<number, SavedStep>();
  const results = new Map<number, WriteResult>();
  let end: RunEnd | undefined;
  for (const [index, line] of rest.entries()) {
    const invalid = (problem: string): CatalogError => damagedRecord(name, index + 2, problem);
    const value = parseLine(line, invalid);
    if (end !== undefined) throw invalid("the record has ended before it");
    end = endIn(value);
    if (end !== undefined) continue;
    const { write: number } = value;
    if (typeof number !== "number") throw invalid("it has no number of a write");
    if ("action" in value) {
      if (writes.has(number)) throw invalid(`write ${number} appears twice`);
      writes.set(number, parseWrite(value, invalid));
    } else {
      if (!writes.has(number)) throw invalid(`there is no write ${number} before its result`);
      results.set(number, parseResult(value, invalid));
    }
  }
  const recorded = [...writes].map(([number, write]): RecordedWrite => {
    return { ...write, ...(results.get(number) ?? { status: "unknown" }) };
  });
  return {
    header,
    writes: recorded,
    ...(end === undefined ? {} : { end }),
    ...(isCut ? { cutLine: lines.length + 1 } : {}),
  };
}

/** What the last line of a record says; undefined if it is another line, as that of a killed run. */
export function parseEnd(line: string): RunEnd | undefined {
  const value = parseJson(line);
  return isObject(value) ? endIn(value) : undefined;
}

function endIn({ end }: PlainObject): RunEnd | undefined {
  if (!isObject(end)) return undefined;
  const { created, updated, deleted, failed, unknown, left } = end;
  if (!isCount(created) || !isCount(updated) || !isCount(deleted)) return undefined;
  if (!isCount(failed) || !isCount(unknown)) return undefined;
  return { created, updated, deleted, failed, unknown, ...(isCount(left) ? { left } : {}) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The first line of a record. @throws CatalogError of kind `usage` */
export function parseHeader(line: string, name: string): RecordHeader {
  const value = parseJson(line);
  if (!isObject(value) || !("formatVersion" in value) || !("run" in value)) throw foreign(name);
  const { formatVersion, run, time, command, baseUrl, providers } = value;
  if (formatVersion !== RECORD_VERSION) {
    const message = `its format version is ${JSON.stringify(formatVersion)}, not ${RECORD_VERSION}`;
    throw damagedRecord(name, 1, message, { advice: "Use the version of catalog that wrote it." });
  }
  const isList = Array.isArray(providers) && providers.every((id) => typeof id === "string");
  if (!isText(run) || !isText(time) || !isText(command) || !isText(baseUrl) || !isList) {
    throw damagedRecord(name, 1, "its header is incomplete");
  }
  const found = OPTIONAL_KEYS.flatMap((key) => {
    const text = value[key];
    return isText(text) ? [[key, text] as const] : [];
  });
  const optional = Object.fromEntries(found);
  return { formatVersion, run, time, command, baseUrl, providers, ...optional };
}

/** What records of older versions, and runs without it, lack. */
const OPTIONAL_KEYS = [
  ...(["user", "host", "actor", "commit", "runUrl"] as const),
  ...(["target", "note", "undoes"] as const),
];

function isText(value: unknown): value is string {
  return typeof value === "string";
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
function parseWrite(value: PlainObject, invalid: Invalid): SavedStep {
  const { id, name = null, url = null, file = null, line = null } = value;
  const known = { name, url, file, line, id: typeof id === "string" ? id.toLowerCase() : id };
  const read = z.safeParse(savedStep, { ...value, ...known });
  if (read.success) return read.data;
  const { path = [], message = "" } = read.error.issues[0] ?? {};
  throw invalid(`${path.join(".") || "it"} ${message}`);
}

function parseResult({ status: word, id, stored }: PlainObject, invalid: Invalid): WriteResult {
  const status = WRITE_STATUSES.find((each) => each === word);
  if (status === undefined) throw invalid(`unknown status ${JSON.stringify(word)}`);
  if (id !== undefined && (typeof id !== "string" || !isUuid(id))) {
    throw invalid("its id is not a UUID");
  }
  return {
    status,
    ...(id === undefined ? {} : { id: id.toLowerCase() }),
    ...(hasId(stored) ? { stored } : {}),
  };
}

function foreign(name: string): CatalogError {
  return damagedRecord(name, 1, "it is not the header of a record", {
    advice: 'Pass a run of "catalog history", or a file that --record wrote.',
  });
}

/** A record that cannot be used, with the place. */
export function damagedRecord(
  name: string,
  line: number,
  problem: string,
  facts: { readonly advice?: string } = {},
): CatalogError {
  const message = `line ${line} of the record cannot be used: ${problem}`;
  return new CatalogError("usage", message, { file: name, line, column: 1, ...facts });
}
