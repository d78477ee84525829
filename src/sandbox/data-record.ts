/**
 * The lines of a sandbox's data file (cli.md section 9, `--data`). Each is a checksum of eight hex
 * digits, a blank, its number, a blank, a record as JSON, and a line feed. The checksum is of all
 * between the first blank and the line feed; the numbers grow, so that lines which were swapped or
 * repeated are known. The first record names the users, every other one puts a course in its place
 * or takes one away; the last word on a course counts.
 */
import { crc32 } from "node:zlib";
import { isList, isObject } from "../base/values.ts";
import { isProvider } from "../course/provider.ts";
import { type Held, jsonOf } from "./held.ts";
import type { User } from "./store.ts";

/** The version of the format, which the first record names. */
const FORMAT = 1;
/** The number of the first line. */
export const FIRST = 1;

/** What a line other than the first says. */
export type Change<Course extends Held = Held> =
  | { readonly put: Course }
  | { readonly remove: string };

/** A course as its line holds it. */
type Written = Held & { readonly whole: Buffer };

/** What the first line says: its users, or another version of the format than this one. */
export type Heading =
  | { readonly users: readonly User[]; readonly other?: undefined }
  | { readonly users?: undefined; readonly other: number };

/** The record that names these users. */
export function headingRecord(users: readonly User[]): string {
  const plain = users.map(({ key, providers }) => ({ key, providers }));
  return JSON.stringify({ sandbox: FORMAT, users: plain });
}

/**
 * The record of a change. What a course is found by stands before a tab, which JSON has nowhere, and
 * the whole of it behind: so most of a file is never parsed.
 */
export function changeRecord(change: Change): string {
  if ("remove" in change) return JSON.stringify(change);
  const { id, slug, provider_id, name, published } = change.put;
  return `${JSON.stringify({ put: [id, slug, provider_id, name, published] })}\t${jsonOf(change.put)}`;
}

/** A record as the line of that number. */
export function lineOf(number: number, record: string): string {
  const text = `${number} ${record}`;
  return `${hex(crc32(text))} ${text}\n`;
}

const SUM_LENGTH = 8;
const START = SUM_LENGTH + 1;
const BLANK = " ".charCodeAt(0);
const TAB = "\t".charCodeAt(0);
const BRACE = "}".charCodeAt(0);
const ZERO = "0".charCodeAt(0);
const NINE = "9".charCodeAt(0);

function hex(sum: number): string {
  return sum.toString(16).padStart(SUM_LENGTH, "0");
}

/** Whether a text may be the beginning of a line. */
export function mayBegin(text: Buffer): boolean {
  return /^[\da-f]{8} \d/.test(text.toString("latin1", 0, START + 1));
}

/** The first line; undefined when no version wrote it like that. */
export function readHeading(line: Buffer): Heading | undefined {
  const { number, value } = read(line) ?? {};
  if (number !== FIRST || !isObject(value) || typeof value.sandbox !== "number") return undefined;
  if (value.sandbox !== FORMAT) return { other: value.sandbox };
  return isList(value.users) && value.users.every(isUser) ? { users: value.users } : undefined;
}

/** Any other line and its number; undefined when it is not as it was written. */
export function readChange(line: Buffer): { number: number; change: Change<Written> } | undefined {
  const { number = 0, value, whole } = read(line) ?? {};
  if (!isObject(value)) return undefined;
  const { remove, put } = value;
  if (typeof remove === "string") return { number, change: { remove } };
  const found = isList(put) && whole !== undefined ? heldIn(put, whole) : undefined;
  return found === undefined ? undefined : { number, change: { put: found } };
}

function heldIn(put: readonly unknown[], whole: Buffer): Written | undefined {
  const [id, slug, provider_id, name, published] = put;
  return typeof id === "string" &&
    typeof slug === "string" &&
    typeof provider_id === "string" &&
    typeof name === "string" &&
    typeof published === "boolean"
    ? { id, slug, provider_id, name, published, whole }
    : undefined;
}

interface Read {
  readonly number: number;
  readonly value: unknown;
  /** What stands behind the tab, if there is one. */
  readonly whole?: Buffer;
}

/** The parts of a line without its line feed; undefined when it is not as it was written. */
function read(line: Buffer): Read | undefined {
  if (line.toString("latin1", 0, START) !== `${hex(crc32(line.subarray(START)))} `) {
    return undefined;
  }
  let blank = START;
  let number = 0;
  for (; isDigit(line[blank]); blank++) number = number * 10 + (line[blank] ?? 0) - ZERO;
  if (line[blank] !== BLANK) return undefined;
  const tab = line.indexOf(TAB, blank);
  const end = tab < 0 ? line.length : tab;
  const value: unknown = JSON.parse(line.toString("utf8", blank + 1, end));
  return tab < 0 ? { number, value } : { number, value, whole: line.subarray(tab + 1) };
}

function isDigit(byte = 0): boolean {
  return byte >= ZERO && byte <= NINE;
}

/**
 * Whether a whole line stands at the beginning of a text that has no line feed, and more behind it:
 * then its line feed was damaged. A line that was cut off while it was written has nothing behind it.
 */
export function holdsWholeLine(text: Buffer): boolean {
  let sum = 0;
  let start = START;
  for (let end = text.indexOf(BRACE, start); end >= 0; end = text.indexOf(BRACE, start)) {
    if (end + 1 === text.length) return false;
    // Every record ends with a brace.
    sum = crc32(text.subarray(start, end + 1), sum);
    if (hex(sum) === text.toString("latin1", 0, SUM_LENGTH)) return true;
    start = end + 1;
  }
  return false;
}

function isUser(value: unknown): value is User {
  return (
    isObject(value) &&
    typeof value.key === "string" &&
    isList(value.providers) &&
    value.providers.every(isProvider)
  );
}
