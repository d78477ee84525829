/** Writes a sandbox's data file anew (cli.md section 9, `--data`). */

import { open, rename, rm } from "node:fs/promises";
import { writeError } from "../base/atomic-write.ts";
import type { End } from "./data-file.ts";
import { changeRecord, FIRST, headingRecord, lineOf } from "./data-record.ts";
import type { Held } from "./held.ts";
import type { User } from "./store.ts";

/** What a data file is made to hold. */
export interface Content {
  readonly users: readonly User[];
  readonly courses: Iterable<Held>;
}

/** Where it goes. */
export interface Target {
  /** The file as messages call it. */
  readonly file: string;
  /** Its absolute path. */
  readonly path: string;
  /** Where it is until it is whole. */
  readonly draft: string;
  /** Of the file in whose place it comes. */
  readonly like?: { readonly mode: number; readonly uid: number; readonly gid: number } | undefined;
}

/** It holds the keys. */
const PRIVATE = 0o600;

/**
 * Writes a data file in the place of what may be there, whole or not at all.
 *
 * @throws CatalogError of kind `output` when the system refuses
 */
export async function writeDataFile(target: Target, content: Content): Promise<End> {
  const { file, path, draft, like } = target;
  try {
    const handle = await open(draft, "w", PRIVATE);
    let end: End;
    try {
      end = await write(handle, content);
      if (like !== undefined) {
        // Only root may give a file away, and for others it is theirs already.
        await handle.chown(like.uid, like.gid).catch(() => undefined);
        await handle.chmod(like.mode & 0o7777);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    return end;
  } catch (cause) {
    await rm(draft, { force: true });
    throw writeError(file, cause);
  }
}

/** So many characters are written at once, and what the last line has beyond. */
export const AT_ONCE = 1024 * 1024;

async function write(handle: Writable, { users, courses }: Content): Promise<End> {
  let number = FIRST;
  let text = lineOf(number, headingRecord(users));
  let length = 0;
  for (const course of courses) {
    number += 1;
    text += lineOf(number, changeRecord({ put: course }));
    if (text.length < AT_ONCE) continue;
    length += await writeAt(handle, text, length);
    text = "";
  }
  length += await writeAt(handle, text, length);
  return { length, number };
}

/** As much of an open file as writing needs. */
export interface Writable {
  write(
    bytes: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesWritten: number }>;
}

/** Writes all of a text at a place of a file. @returns how many bytes it has */
export async function writeAt(handle: Writable, text: string, position: number): Promise<number> {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    const rest = bytes.length - written;
    written += (await handle.write(bytes, written, rest, position + written)).bytesWritten;
  }
  return bytes.length;
}
