/**
 * Reads and writes the lines of a data file, each of which is JSON. The first one has the users; each
 * other one puts or removes a course. An unterminated last line was never acknowledged, and is
 * dropped.
 */
import { createReadStream } from "node:fs";
import { CatalogError, systemReason } from "../base/errors.ts";
import { isUuid } from "../base/uuid.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { isProvider } from "../course/provider.ts";
import { type MemoryStore, memoryStore, type User } from "./store.ts";
import type { StoredCourse } from "./stored-course.ts";

/** The version of the format. */
const FORMAT = 1;
const HEADING = '{"sandbox":';
/** A file is compacted once it has this many lines more than twice its courses. */
const SURPLUS_LINES = 1000;

/** What a data file says. */
export interface State {
  readonly users: readonly User[];
  readonly store: MemoryStore;
  /** Whether the file can be appended to as it is. */
  readonly isCompact: boolean;
}

/** The lines of a new file. */
export function* contentOf(users: readonly User[], store: MemoryStore): Generator<string> {
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

/**
 * The state in a file; undefined if the file is empty.
 *
 * @throws CatalogError of kind `file`, with the line if it is damaged
 */
export async function readState(file: string, path: string): Promise<State | undefined> {
  const replayer = new Replayer(file);
  let rest = "";
  try {
    for await (const chunk of createReadStream(path, {
      encoding: "utf8",
      highWaterMark: 2 ** 20,
    })) {
      // Reject another kind of file early; it may be large.
      if (rest === "") replayer.checkStart(chunk);
      if (!chunk.includes("\n")) {
        rest += chunk;
        continue;
      }
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) replayer.apply(line);
    }
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    const facts = { file, cause };
    throw new CatalogError("file", `cannot read ${file}: ${systemReason(cause)}`, facts);
  }
  return replayer.finish(rest);
}

/** Applies the lines of a data file one by one. */
class Replayer {
  readonly #file: string;
  #lines = 0;
  #users: readonly User[] = [];
  #providers: ReadonlySet<string> = new Set();
  #store = memoryStore({ users: [] });

  constructor(file: string) {
    this.#file = file;
  }

  checkStart(text: string): void {
    if (this.#lines === 0 && !text.startsWith(HEADING)) throw foreign(this.#file);
  }

  apply(line: string): void {
    this.#lines += 1;
    if (this.#lines === 1) this.#readHeading(line);
    else if (!this.#applyChange(parseObject(line))) throw damaged(this.#file, this.#lines);
  }

  /** @param rest what follows the last line feed */
  finish(rest: string): State | undefined {
    if (this.#lines === 0) {
      if (rest === "") return undefined;
      throw foreign(this.#file);
    }
    const isCompact = rest === "" && this.#lines <= 2 * this.#store.size + SURPLUS_LINES;
    return { users: this.#users, store: this.#store, isCompact };
  }

  #readHeading(line: string): void {
    const { sandbox, users } = parseObject(line);
    if (typeof sandbox === "number" && sandbox !== FORMAT) throw otherFormat(this.#file, sandbox);
    if (sandbox !== FORMAT || !isList(users) || !users.every(isUser)) throw foreign(this.#file);
    this.#users = users;
    this.#providers = new Set(users.flatMap(({ providers }) => providers.map(({ id }) => id)));
    this.#store = memoryStore({ users: users.map((user) => ({ ...user, courses: [] })) });
  }

  /** @returns false if it is not a valid change */
  #applyChange({ put, remove }: PlainObject): boolean {
    if (typeof remove === "string" && this.#store.hasCourse(remove)) this.#store.remove(remove);
    else if (isStoredCourse(put) && this.#providers.has(put.provider_id)) this.#store.put(put);
    else return false;
    return true;
  }
}

/** The object in a line; an empty one if there is none. */
function parseObject(line: string): PlainObject {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
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

function foreign(file: string): CatalogError {
  const message = `${file} is not a data file of a sandbox, or its first line is damaged`;
  return new CatalogError("file", message, { file, line: 1, column: 1, advice: ANOTHER_FILE });
}

function otherFormat(file: string, format: number): CatalogError {
  const message = `${file} has format ${format}, which this version of catalog cannot read`;
  return new CatalogError("file", message, { file, line: 1, column: 1, advice: ANOTHER_FILE });
}

function damaged(file: string, line: number): CatalogError {
  return new CatalogError("file", "this line is not a valid change of the sandbox", {
    file,
    line,
    column: 1,
    advice: "Restore the file from a copy, or delete this line to do without its change.",
  });
}
