/** Keeps in one file what V8 made of a command's parts: its code, which it need not make again. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { type CodePlace, isOwn, isSafe } from "./code-place.ts";

/** What V8 made, and under which flags. */
export interface Code {
  /** V8 takes its code back only under the flags under which it was made. */
  readonly flags: readonly string[];
  /** By the names of the parts. */
  readonly parts: ReadonlyMap<string, Buffer>;
}

/** What a killed run was writing has this in its name. */
const DRAFT = ".new-";

/** How a file begins; its numbers are bytes. */
interface Head {
  readonly size: number;
  readonly flags: readonly string[];
  readonly parts: readonly (readonly [name: string, start: number, length: number])[];
}

/** Bytes that the head takes, with blanks behind it. */
const HEAD = 4096;
/** Bytes that are compared at once. */
const AT_ONCE = 64 * 1024;
/** V8 copies what does not begin at such a place. */
const STEP = 8;

/** No link is followed, and no writer of a pipe waited for. */
const READING = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
/** More bytes than the code of any command has. */
const LARGEST = 16 * 1024 * 1024;

/**
 * The code in a file; undefined where there is none that can be trusted: whoever may write it says
 * what the program does.
 *
 * @param place the folder that the file is in
 */
export function readCode(file: string, place: CodePlace): Code | undefined {
  try {
    if (!isSafe(place)) return undefined;
    const descriptor = openSync(file, READING);
    try {
      const found = fstatSync(descriptor);
      const { size } = found;
      if (!found.isFile() || !isOwn(found, place.user) || size > LARGEST) return undefined;
      const bytes = bytesIn(descriptor, size / 2);
      return bytes === undefined ? undefined : codeIn(bytes);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/**
 * The bytes of a file that holds them twice; undefined where it does not: V8 believes whatever it is
 * given, and a sum over it would take longer to reckon than two copies to compare.
 */
function bytesIn(descriptor: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size);
  if (readSync(descriptor, bytes, 0, size, 0) !== size) return undefined;
  // A little at a time, since memory that is new to the process costs more than what is read into it.
  const again = Buffer.allocUnsafeSlow(Math.min(size, AT_ONCE));
  for (let start = 0; start < size; start += AT_ONCE) {
    const length = Math.min(size - start, AT_ONCE);
    if (readSync(descriptor, again, 0, length, size + start) !== length) return undefined;
    if (again.compare(bytes, start, start + length, 0, length) !== 0) return undefined;
  }
  return bytes;
}

function codeIn(bytes: Buffer): Code | undefined {
  const { size, flags, parts } = JSON.parse(bytes.toString("latin1", 0, HEAD)) as Head;
  if (size !== bytes.length) return undefined;
  const code = parts.map(([name, start, length]): [string, Buffer] => [
    name,
    bytes.subarray(start, start + length),
  ]);
  return { flags, parts: new Map(code) };
}

/** Writes the code to a file in a folder that is there, whole or not at all. */
export function writeCode(file: string, { flags, parts }: Code): void {
  let size = HEAD;
  const places: (readonly [string, number, number])[] = [];
  for (const [name, { length }] of parts) {
    places.push([name, size, length]);
    size += Math.ceil(length / STEP) * STEP;
  }
  const head = JSON.stringify({ size, flags, parts: places } satisfies Head);
  if (head.length > HEAD) return;
  const bytes = Buffer.alloc(2 * size);
  bytes.write(head.padEnd(HEAD), "latin1");
  for (const [name, start] of places) parts.get(name)?.copy(bytes, start);
  bytes.copy(bytes, size, 0, size);
  const draft = `${file}${DRAFT}${Math.random().toString(36).slice(2)}`;
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    try {
      writeSync(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}
