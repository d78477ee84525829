/** Opens files; only `atomic-write.ts` and `io.ts` also do. Only regular files are read: a pipe could block forever. */
import {
  appendFileSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
} from "node:fs";
import { attempt } from "./errors.ts";
import { PRIVATE_FILE } from "./folders.ts";

/** A file that is appended to. The methods throw the system's errors. */
export class OpenFile {
  readonly #descriptor: number;

  /** @param flags `ax` refuses what exists, even a link; `a` creates a missing file, which only its owner can use */
  constructor(path: string, flags: "a" | "ax") {
    this.#descriptor = openSync(path, flags, PRIVATE_FILE);
  }

  /** Appends a text completely or not at all: a full disk may have had room for a part. */
  append(text: string): void {
    const { size } = fstatSync(this.#descriptor);
    try {
      appendFileSync(this.#descriptor, text);
    } catch (cause) {
      attempt(() => ftruncateSync(this.#descriptor, size));
      throw cause;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Reads a regular file; links are followed. @param limit the most bytes @throws the system's error */
export function readRegular(path: string, limit: number): Buffer | "not-regular" | "too-large" {
  const entry = statSync(path);
  if (!entry.isFile()) return "not-regular";
  return entry.size > limit ? "too-large" : readFileSync(path);
}
