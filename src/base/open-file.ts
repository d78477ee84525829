/** Opens files; only `atomic-write.ts` and `io.ts` also do. Only regular files are used: a pipe could block forever. */
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import { promisify } from "node:util";
import { attempt } from "./errors.ts";
import { PRIVATE_FILE } from "./folders.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;
// Windows does not have these flags. Opening a pipe without another end would wait.
const [O_NONBLOCK, O_NOFOLLOW] = [constants.O_NONBLOCK ?? 0, constants.O_NOFOLLOW ?? 0];

/** The uses of an open file. Links are followed only for reading. */
const USES = {
  read: O_RDONLY,
  /** Appending; a missing file is created. */
  append: O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW,
  /** Appending to a new file; an existing one is refused. */
  create: O_WRONLY | O_APPEND | O_CREAT | O_EXCL,
} as const;

const flush = promisify(fdatasync);

/** An open file. The methods throw the system's errors. */
export class OpenFile {
  readonly #descriptor: number;
  readonly isRegular: boolean;
  #size: number;

  /** @param mode the permissions of a created file; by default only its owner can use the file */
  constructor(path: string, use: keyof typeof USES, mode = PRIVATE_FILE) {
    this.#descriptor = openSync(path, USES[use] | O_NONBLOCK, mode);
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

  /** Appends a text completely or not at all: a full disk may have had room for a part. */
  append(text: string): void {
    const bytes = Buffer.from(text);
    try {
      for (let written = 0; written < bytes.length; ) {
        written += writeSync(this.#descriptor, bytes, written);
      }
      this.#size += bytes.length;
    } catch (cause) {
      attempt(() => ftruncateSync(this.#descriptor, this.#size));
      throw cause;
    }
  }

  /** Saves what was appended, so that not even a power failure loses it. */
  async flush(): Promise<void> {
    await flush(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Why a file was not read. */
export type Unfit = "not-regular" | "too-large";

/** Reads a regular file. @param limit the most bytes @throws the system's error */
export function readRegular(path: string, limit: number): Buffer | Unfit {
  return withOpened(path, (file) => (file.size > limit ? "too-large" : file.read(0, file.size)));
}

/** Opens a regular file for reading, and closes it after the work. @throws the system's error */
function withOpened<Result>(
  path: string,
  work: (file: OpenFile) => Result,
): Result | "not-regular" {
  const file = new OpenFile(path, "read");
  try {
    return file.isRegular ? work(file) : "not-regular";
  } finally {
    file.close();
  }
}
