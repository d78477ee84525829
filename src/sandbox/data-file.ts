/** Reads a sandbox's data file, and writes a new one (cli.md section 9, `--data`). */
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { CatalogError, systemCode } from "../base/errors.ts";
import {
  type Change,
  type Heading,
  headingOf,
  lineOf,
  readChange,
  readHeading,
} from "./data-record.ts";
import type { StoredCourse } from "./record.ts";
import type { Seed, User } from "./store.ts";

/** What a data file holds. */
export interface Data {
  readonly seed: Seed;
  /** How many lines said so; far more than there are courses when they changed often. */
  readonly lines: number;
  /** How many bytes these lines take: what follows was never acknowledged. */
  readonly length: number;
}

const LINE_FEED = 10;
const CHUNK = 1024 * 1024;

/**
 * What the file holds, or undefined when there is none, or an empty one. A last line without an end
 * is a change that was cut off before anybody was told of it, and counts for nothing.
 *
 * @throws CatalogError of kind `file` with the line, when one is not as it was written
 */
export async function readDataFile(file: string, path: string): Promise<Data | undefined> {
  let heading: Heading | undefined;
  let lines = 0;
  let length = 0;
  const courses = new Map<string, StoredCourse>();
  const take = (line: Buffer): void => {
    lines++;
    length += line.length + 1;
    if (heading === undefined) {
      heading = readHeading(line);
      if (heading === undefined) throw foreign(file);
      return;
    }
    const change = readChange(line);
    if (change === undefined) throw damaged(file, lines);
    if ("remove" in change) courses.delete(change.remove);
    else courses.set(change.put.id, change.put);
  };
  await eachLine(path, take).catch((cause: unknown) => {
    if (systemCode(cause) !== "ENOENT") throw unreadable(file, cause);
  });
  if (heading === undefined) return undefined;
  return { seed: seedOf(heading.users, [...courses.values()]), lines, length };
}

/** Calls for each line that has an end, without it. */
async function eachLine(path: string, take: (line: Buffer) => void): Promise<void> {
  let open: Buffer[] = [];
  for await (const chunk of createReadStream(path, {
    highWaterMark: CHUNK,
  }) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end);
      take(open.length === 0 ? rest : Buffer.concat([...open, rest]));
      open = [];
      start = end + 1;
    }
    if (start < chunk.length) open.push(chunk.subarray(start));
  }
}

function seedOf(users: readonly User[], courses: readonly StoredCourse[]): Seed {
  const owners = new Map(
    users.flatMap((user) => user.providers.map(({ id }) => [id, user] as const)),
  );
  const byUser = new Map(users.map((user) => [user, [] as StoredCourse[]]));
  for (const course of courses) {
    const owner = owners.get(course.provider_id);
    if (owner !== undefined) byUser.get(owner)?.push(course);
  }
  return { users: users.map((user) => ({ ...user, courses: byUser.get(user) ?? [] })) };
}

/**
 * Writes a data file that holds a seed, in the place of what may be there, whole or not at all.
 *
 * @returns how many bytes it has
 * @throws CatalogError of kind `output` when the system refuses
 */
export async function writeDataFile(file: string, path: string, seed: Seed): Promise<number> {
  const draft = `${path}.new`;
  let length = 0;
  try {
    const handle = await open(draft, "w", 0o600);
    try {
      for (const text of textOf(seed)) length += await writeAt(handle, text, length);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    return length;
  } catch (cause) {
    await rm(draft, { force: true });
    throw new CatalogError("output", `could not write ${file}: ${systemCode(cause) ?? cause}`, {
      file,
      cause,
    });
  }
}

const COURSES_AT_ONCE = 500;

function* textOf({ users }: Seed): Generator<string> {
  yield lineOf(headingOf(users));
  for (const { courses } of users) {
    for (let start = 0; start < courses.length; start += COURSES_AT_ONCE) {
      yield courses
        .slice(start, start + COURSES_AT_ONCE)
        .map((course): Change => ({ put: course }))
        .map(lineOf)
        .join("");
    }
  }
}

/** Writes all of a text at a place of a file. @returns how many bytes it has */
export async function writeAt(handle: FileHandle, text: string, position: number): Promise<number> {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    const rest = bytes.length - written;
    written += (await handle.write(bytes, written, rest, position + written)).bytesWritten;
  }
  return bytes.length;
}

function foreign(file: string): CatalogError {
  return new CatalogError(
    "file",
    `${file} is no data file of this sandbox, or its first line is damaged`,
    {
      file,
      line: 1,
      column: 1,
      next: "Name another file; one that is not there yet is made.",
    },
  );
}

function damaged(file: string, line: number): CatalogError {
  return new CatalogError("file", "this line is not as the sandbox wrote it", {
    file,
    line,
    column: 1,
    next: "Bring back a copy of the file, or take this line out if you can do without its change.",
  });
}

function unreadable(file: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  return new CatalogError("file", `could not read ${file}: ${systemCode(cause) ?? cause}`, {
    file,
    cause,
  });
}
