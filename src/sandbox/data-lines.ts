/**
 * Reads and writes the lines of a data file, each of which is JSON. The first one has the users; each
 * other one puts or removes a course. An unterminated last line was never acknowledged, and is
 * dropped.
 */
import { readFileSync } from "node:fs";
import { attempt, CatalogError, systemReason } from "../base/errors.ts";
import { isUuid } from "../base/uuid.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { isProvider } from "../course/provider.ts";
import { type MemoryStore, memoryStore, type User } from "./store.ts";
import type { StoredCourse } from "./stored-course.ts";

const FORMAT = 1;

/** What a data file says. */
export interface State {
  readonly users: readonly User[];
  readonly store: MemoryStore;
}

export function* newFileLines({ users, store }: State): Generator<string> {
  const plain = users.map(({ key, providers }) => ({ key, providers }));
  yield `${JSON.stringify({ sandbox: FORMAT, users: plain })}\n`;
  for (const json of store.all()) yield `${putRecord(json)}\n`;
}

/** The record of a course that was created or changed, given as JSON. */
export function putRecord(json: string): string {
  return `{"put":${json}}`;
}

/** The record of a course that was deleted. */
export function removeRecord(id: string): string {
  return JSON.stringify({ remove: id });
}

/** The state in a file; undefined if the file is empty. @throws CatalogError if it is damaged */
export function readState(file: string, path: string): State | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const facts = { file, cause };
    throw new CatalogError("file", `cannot read ${file}: ${systemReason(cause)}`, facts);
  }
  if (text === "") return undefined;
  const [heading = "", ...changes] = text.split("\n").slice(0, -1);
  const users = readHeading(file, heading);
  const store = memoryStore({ users: users.map((user) => ({ ...user, courses: [] })) });
  const providers = new Set(users.flatMap((user) => user.providers.map(({ id }) => id)));
  for (const [index, line] of changes.entries()) {
    const { put, remove } = parseObject(line);
    if (typeof remove === "string" && store.hasCourse(remove)) store.remove(remove);
    else if (isStoredCourse(put) && providers.has(put.provider_id)) store.put(put);
    else {
      const advice = "Restore the file from a copy, or delete this line to do without its change.";
      throw damaged(file, index + 2, "this line is not a valid change of the sandbox", advice);
    }
  }
  return { users, store };
}

function readHeading(file: string, line: string): readonly User[] {
  const { sandbox, users } = parseObject(line);
  if (sandbox === FORMAT && isList(users) && users.every(isUser)) return users;
  const message =
    typeof sandbox === "number" && sandbox !== FORMAT
      ? `${file} has format ${sandbox}, which this version of catalog cannot read`
      : `${file} is not a data file of a sandbox, or its first line is damaged`;
  throw damaged(file, 1, message, ANOTHER_FILE);
}

function parseObject(line: string): PlainObject {
  const value = attempt((): unknown => JSON.parse(line));
  return isObject(value) ? value : {};
}

function isStoredCourse(value: unknown): value is StoredCourse {
  return (
    isObject(value) &&
    typeof value.id === "string" &&
    isUuid(value.id) &&
    [value.slug, value.name, value.provider_id].every((text) => typeof text === "string") &&
    typeof value.published === "boolean"
  );
}

function isUser(value: unknown): value is User {
  return (
    isObject(value) &&
    typeof value.key === "string" &&
    isList(value.providers) &&
    value.providers.every(isProvider)
  );
}

/** The advice for a path that cannot be used. */
export const ANOTHER_FILE = "Choose another file; a missing one is created.";

function damaged(file: string, line: number, message: string, advice: string): CatalogError {
  return new CatalogError("file", message, { file, line, column: 1, advice });
}
