/**
 * Opens files; only `atomic-write.ts` and `io.ts` also do. Files are opened without waiting: opening or reading
 * a pipe without another end could block the process, so even Ctrl-C would not end it.
 */
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { systemCode } from "./errors.ts";
import { PRIVATE_FILE } from "./folders.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_WRONLY } = constants;
// Windows does not have these flags.
const [O_NONBLOCK, O_NOFOLLOW] = [constants.O_NONBLOCK ?? 0, constants.O_NOFOLLOW ?? 0];

/** The uses of an open file. `append` also accepts an existing pipe or device. */
const USES = {
  read: O_RDONLY,
  /** Appending; a missing file is created. */
  append: O_WRONLY | O_APPEND | O_CREAT,
  /** Appending to a new file; an existing one is refused. */
  create: O_WRONLY | O_APPEND | O_CREAT | O_EXCL,
  change: O_RDWR | O_APPEND,
} as const;

interface OpenOptions {
  /** The permissions of a created file; by default only its owner can use the file. */
  readonly mode?: number;
  /** Whether catalog chose the name, and not the user: a link of that name is then refused. */
  readonly isOwn?: boolean;
}

/** Milliseconds between attempts to use a full or an empty pipe. */
const PAUSE = 5;
/** Milliseconds to wait for the other end of a pipe, which may be opened at the same time. */
const PATIENCE = 500;

const flush = promisify(fdatasync);

/** An open file, pipe or device. The methods throw the system's errors. */
export class OpenFile {
  readonly #descriptor: number;
  readonly isRegular: boolean;
  #size: number;
  /** The bytes that a full pipe has not accepted yet. */
  #waiting: Uint8Array = new Uint8Array();
  /** Whether a failed write may have left a part of its text in the file. */
  #isTorn = false;

  constructor(path: string, use: keyof typeof USES, options: OpenOptions = {}) {
    const { mode = PRIVATE_FILE, isOwn = false } = options;
    this.#descriptor = openSync(path, USES[use] | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0), mode);
    const entry = fstatSync(this.#descriptor);
    this.isRegular = entry.isFile();
    this.#size = entry.size;
  }

  get size(): number {
    return this.#size;
  }

  /** Reads `length` bytes of a regular file from a position; fewer at the end of the file. */
  read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const left = length - filled;
      const read = readSync(this.#descriptor, bytes, filled, left, position + filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  }

  /** Reads the next bytes of a pipe or a device: none at its end, undefined if none have arrived yet. */
  readNext(length: number): Buffer | undefined {
    const bytes = Buffer.allocUnsafe(length);
    try {
      return bytes.subarray(0, readSync(this.#descriptor, bytes));
    } catch (cause) {
      if (systemCode(cause) === "EAGAIN") return undefined;
      throw cause;
    }
  }

  /**
   * Appends text: to a regular file completely or not at all, to a full pipe as much as it accepts.
   *
   * @returns whether everything is written; if not, the next call writes the rest first
   */
  appendNow(text: string | Uint8Array): boolean {
    this.#waiting = Buffer.concat([this.#waiting, Buffer.from(text)]);
    return this.#write();
  }

  /** Appends text, and waits until a pipe has accepted all of it. */
  async append(text: string | Uint8Array): Promise<void> {
    let isWritten = this.appendNow(text);
    while (!isWritten) {
      await pause(PAUSE);
      isWritten = this.#write();
    }
  }

  /** @returns whether everything is written */
  #write(): boolean {
    let written = 0;
    try {
      if (this.#isTorn) ftruncateSync(this.#descriptor, this.#size);
      this.#isTorn = false;
      while (this.#waiting.length > 0) {
        const accepted = writeSync(this.#descriptor, this.#waiting);
        this.#waiting = this.#waiting.subarray(accepted);
        written += accepted;
      }
      this.#size += written;
      return true;
    } catch (cause) {
      if (systemCode(cause) === "EAGAIN") return false;
      this.#waiting = new Uint8Array();
      this.#isTorn = this.isRegular;
      // A full disk may have had room for a part.
      if (written > 0 && this.isRegular) ftruncateSync(this.#descriptor, this.#size);
      throw cause;
    }
  }

  /** Saves what was appended, so that not even a power failure loses it. Devices cannot be flushed. */
  async flush(): Promise<void> {
    if (this.isRegular) await flush(this.#descriptor);
  }

  flushNow(): void {
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Why a file was not read. */
export type Unfit = "not-regular" | "too-large";

/** Reads a regular file. @param limit the most bytes @throws the system's error */
export function readRegular(path: string, limit: number, options?: OpenOptions): Buffer | Unfit {
  return withOpened(path, options, (file) =>
    file.size > limit ? "too-large" : file.read(0, file.size),
  );
}

/** Opens a regular file for reading, and closes it after the work. @throws the system's error */
export function withOpened<Result>(
  path: string,
  options: OpenOptions | undefined,
  work: (file: OpenFile) => Result,
): Result | Unfit {
  const file = new OpenFile(path, "read", options);
  try {
    return file.isRegular ? work(file) : "not-regular";
  } finally {
    file.close();
  }
}

/**
 * Reads a file that the user named, which may be a pipe, such as the pipe of the shell's `<(…)`.
 *
 * @returns `silent` for a named pipe to which no program writes
 * @throws the system's error
 */
export async function readAny(
  path: string,
  limit: number,
): Promise<Buffer | "too-large" | "silent"> {
  const file = new OpenFile(path, "read");
  try {
    if (file.isRegular) return file.size > limit ? "too-large" : file.read(0, file.size);
    const chunks: Buffer[] = [];
    let size = 0;
    for (let waited = 0; ; ) {
      const bytes = file.readNext(CHUNK);
      if (bytes === undefined || (bytes.length === 0 && size === 0 && waited < PATIENCE)) {
        // A pipe that its writer has not opened yet seems to be at its end.
        waited += PAUSE;
        await pause(PAUSE);
      } else if (bytes.length > 0) {
        chunks.push(bytes);
        size += bytes.length;
        if (size > limit) return "too-large";
      } else return size === 0 && !isOpenFile(path) ? "silent" : Buffer.concat(chunks);
    }
  } finally {
    file.close();
  }
}

const CHUNK = 64 * 1024;

/**
 * Appends text to a file, a pipe or a device. A missing file is created; a regular file gets all of the text or
 * nothing.
 *
 * @throws the system's error: `ENXIO` for a pipe that no program reads
 */
export async function appendTo(
  path: string,
  text: string | Uint8Array,
  mode: number,
): Promise<void> {
  const file = await openForAppending(path, mode);
  try {
    await file.append(text);
  } finally {
    file.close();
  }
}

async function openForAppending(path: string, mode: number): Promise<OpenFile> {
  for (let waited = 0; ; waited += PAUSE) {
    try {
      return new OpenFile(path, "append", { mode });
    } catch (cause) {
      if (systemCode(cause) !== "ENXIO" || waited >= PATIENCE) throw cause;
    }
    await pause(PAUSE);
  }
}

/** Whether a path names a file that was open when catalog started, which must be appended to instead of replaced. */
export function isOpenFile(path: string): boolean {
  return /^\/(dev\/std(in|out|err)|(dev|proc\/self)\/fd\/\d+)$/.test(path);
}
