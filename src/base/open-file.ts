/** Opens files; only `atomic-write.ts` and `io.ts` also do. Only regular files are used: a pipe could block forever. */
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
} from "node:fs";
import { attempt } from "./errors.ts";
import { PRIVATE_FILE } from "./folders.ts";

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_WRONLY } = constants;
// Windows does not have these flags. Opening a pipe without another end would wait.
const [O_NONBLOCK, O_NOFOLLOW] = [constants.O_NONBLOCK ?? 0, constants.O_NOFOLLOW ?? 0];

/** A file that is appended to. The methods throw the system's errors. */
export class OpenFile {
  readonly #descriptor: number;
  #size: number;

  /** @param use `create` refuses an existing file; `append` creates a missing one, which only its owner can use */
  constructor(path: string, use: "append" | "create") {
    const flags = O_WRONLY | O_APPEND | O_CREAT | (use === "create" ? O_EXCL : O_NOFOLLOW);
    this.#descriptor = openSync(path, flags | O_NONBLOCK, PRIVATE_FILE);
    this.#size = fstatSync(this.#descriptor).size;
  }

  /** Appends a text completely or not at all: a full disk may have had room for a part. */
  append(text: string): void {
    try {
      appendFileSync(this.#descriptor, text);
      this.#size += Buffer.byteLength(text);
    } catch (cause) {
      attempt(() => ftruncateSync(this.#descriptor, this.#size));
      throw cause;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Reads a regular file; links are followed. @param limit the most bytes @throws the system's error */
export function readRegular(path: string, limit: number): Buffer | "not-regular" | "too-large" {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    const entry = fstatSync(descriptor);
    if (!entry.isFile()) return "not-regular";
    return entry.size > limit ? "too-large" : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
