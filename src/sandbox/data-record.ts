/**
 * The lines of a sandbox's data file (cli.md section 9, `--data`). Each is a checksum of eight hex
 * digits, a blank, a record as JSON, and a line feed. The first record names the users, every other
 * one puts a course in its place or takes one away; the last word on a course counts.
 */
import { crc32 } from "node:zlib";
import { isList, isMapping } from "../base/values.ts";
import { isProvider } from "../course/provider.ts";
import type { StoredCourse } from "./record.ts";
import type { User } from "./store.ts";

/** The version of the format, which the first record names. */
const FORMAT = 1;

/** What the first line says. */
export interface Heading {
  readonly sandbox: typeof FORMAT;
  readonly users: readonly User[];
}

/** What every other line says. */
export type Change = { readonly put: StoredCourse } | { readonly remove: string };

/** The heading of these users. */
export function headingOf(users: readonly User[]): Heading {
  return { sandbox: FORMAT, users: users.map(({ key, providers }) => ({ key, providers })) };
}

/** A record as its line. */
export function lineOf(record: Heading | Change): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

const CHECKSUM_LENGTH = 8;

/** The value of a line without its line feed; undefined when it is not as it was written. */
function recordIn(line: Buffer): unknown {
  const json = line.subarray(CHECKSUM_LENGTH + 1);
  const isWhole =
    line.length > CHECKSUM_LENGTH + 1 &&
    line[CHECKSUM_LENGTH] === BLANK &&
    line.toString("latin1", 0, CHECKSUM_LENGTH) === checksum(json);
  return isWhole ? JSON.parse(json.toString("utf8")) : undefined;
}

const BLANK = " ".charCodeAt(0);

function checksum(json: string | Buffer): string {
  return crc32(json).toString(16).padStart(CHECKSUM_LENGTH, "0");
}

/** The first line; undefined when it is damaged or of another format. */
export function readHeading(line: Buffer): Heading | undefined {
  const value = recordIn(line);
  return isMapping(value) &&
    value.sandbox === FORMAT &&
    isList(value.users) &&
    value.users.every(isUser)
    ? { sandbox: FORMAT, users: value.users }
    : undefined;
}

function isUser(value: unknown): value is User {
  return (
    isMapping(value) &&
    typeof value.key === "string" &&
    isList(value.providers) &&
    value.providers.every(isProvider)
  );
}

/** Any other line; undefined when it is damaged. */
export function readChange(line: Buffer): Change | undefined {
  const value = recordIn(line);
  if (!isMapping(value)) return undefined;
  if (typeof value.remove === "string") return { remove: value.remove };
  return isCourse(value.put) ? { put: value.put } : undefined;
}

const TEXTS = ["id", "name", "slug", "provider_id"];

function isCourse(value: unknown): value is StoredCourse {
  return isMapping(value) && TEXTS.every((key) => typeof value[key] === "string");
}
