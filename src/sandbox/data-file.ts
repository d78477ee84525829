/** Reads a sandbox's data file (cli.md section 9, `--data`). */
import { constants } from "node:buffer";
import { createReadStream } from "node:fs";
import { CatalogError, systemCode } from "../base/errors.ts";
import { FIRST, holdsWholeLine, mayBegin, readChange, readHeading } from "./data-record.ts";
import type { Held } from "./held.ts";
import type { User } from "./store.ts";

/** Where a data file ends. */
export interface End {
  /** How many bytes its lines take; what follows was never acknowledged. */
  readonly length: number;
  /** The number of its last line. */
  readonly number: number;
}

/** What a data file holds. */
export interface Data {
  readonly users: readonly User[];
  /** In the order of their creation. */
  readonly courses: readonly Held[];
  /** Whether most lines say nothing any more, which costs time at every start. */
  readonly isWasteful: boolean;
  readonly end: End;
}

const LINE_FEED = "\n".charCodeAt(0);
const CHUNK = 1024 * 1024;
/** No line that was written is longer, since each was a text once. */
const LONGEST_LINE = constants.MAX_STRING_LENGTH;

/**
 * What the file holds, or undefined when there is none, or an empty one.
 *
 * @throws CatalogError of kind `file` with the line, when one is not as it was written
 */
export async function readDataFile(file: string, path: string): Promise<Data | undefined> {
  try {
    return await dataIn(file, createReadStream(path, { highWaterMark: CHUNK }));
  } catch (cause) {
    if (systemCode(cause) === "ENOENT") return undefined;
    throw unreadable(file, cause);
  }
}

/**
 * What these bytes hold, or undefined when there are none. A last line that was cut off is a change
 * that nobody was told of, and counts for nothing.
 *
 * @param chunks are not changed any more
 */
export async function dataIn(
  file: string,
  chunks: AsyncIterable<Buffer>,
): Promise<Data | undefined> {
  const reader = new Reader(file);
  let begun: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    // A file of something else may be as large as it likes.
    if (size === 0 && !reader.mayGoOn(chunk)) throw foreign(file);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      reader.take(size === 0 ? rest : Buffer.concat([...begun, rest]));
      begun = [];
      size = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > LONGEST_LINE) throw reader.damage();
  }
  return reader.end(Buffer.concat(begun));
}

/** Makes of lines what they say. */
class Reader {
  readonly #file: string;
  readonly #courses = new Map<string, Held>();
  readonly #providers = new Set<string>();
  #users: readonly User[] | undefined;
  #lines = 0;
  #length = 0;
  #number = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** Whether a line of a data file can begin with these bytes. */
  mayGoOn(bytes: Buffer): boolean {
    return this.#users !== undefined || mayBegin(bytes);
  }

  /** Takes the next line, without its end. */
  take(line: Buffer): void {
    if (this.#users === undefined) this.#begin(line);
    else this.#goOn(line);
    this.#lines += 1;
    this.#length += line.length + 1;
  }

  /** @param rest what stands behind the last line */
  end(rest: Buffer): Data | undefined {
    if (this.#users === undefined) {
      if (rest.length === 0) return undefined;
      throw foreign(this.#file);
    }
    if (holdsWholeLine(rest)) throw this.damage();
    return {
      users: this.#users,
      courses: [...this.#courses.values()],
      isWasteful: this.#isWasteful(),
      end: { length: this.#length, number: this.#number },
    };
  }

  /** The failure of the line behind those that were taken. */
  damage(): CatalogError {
    return damaged(this.#file, this.#lines + 1);
  }

  #isWasteful(): boolean {
    return this.#lines > 2 * this.#courses.size + WASTE;
  }

  #begin(line: Buffer): void {
    const heading = readHeading(line);
    if (heading === undefined) throw foreign(this.#file);
    if (heading.other !== undefined) throw otherVersion(this.#file, heading.other);
    this.#users = heading.users;
    this.#number = FIRST;
    for (const { providers } of heading.users) {
      for (const { id } of providers) this.#providers.add(id);
    }
  }

  #goOn(line: Buffer): void {
    const { number = 0, change } = readChange(line) ?? {};
    if (change === undefined || number <= this.#number) throw this.damage();
    if ("remove" in change) {
      this.#courses.delete(change.remove);
    } else {
      const { put } = change;
      if (!this.#providers.has(put.provider_id)) throw this.damage();
      // A few courses must not keep all of a long file in memory, of which each is a part.
      const own = this.#isWasteful() ? { ...put, whole: Buffer.from(put.whole) } : put;
      this.#courses.set(put.id, own);
    }
    this.#number = number;
  }
}

/** So many lines more are no waste in any case. */
const WASTE = 1000;

const ANOTHER = "Name another file; one that is not there yet is made.";

function foreign(file: string): CatalogError {
  const message = `${file} is no data file of a sandbox, or its first line is damaged`;
  return new CatalogError("file", message, { file, line: 1, column: 1, advice: ANOTHER });
}

function otherVersion(file: string, version: number): CatalogError {
  const message = `${file} is a data file of version ${version}, which this catalog cannot read`;
  return new CatalogError("file", message, { file, line: 1, column: 1, advice: ANOTHER });
}

function damaged(file: string, line: number): CatalogError {
  return new CatalogError("file", "this line is not as the sandbox wrote it", {
    file,
    line,
    column: 1,
    advice:
      "Bring back a copy of the file, or take this line out if you can do without its change.",
  });
}

function unreadable(file: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  return new CatalogError("file", `could not read ${file}: ${systemCode(cause) ?? cause}`, {
    file,
    cause,
  });
}
