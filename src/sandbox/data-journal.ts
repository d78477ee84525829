/** Adds changes to a data file, several at once when they come faster than the disk takes them. */
import type { FileHandle } from "node:fs/promises";
import { writeAt } from "./data-file.ts";
import { type Change, lineOf } from "./data-record.ts";

/** A change on its way into the file. */
interface Waiting {
  readonly line: string;
  readonly kept: () => void;
  readonly lost: (cause: unknown) => void;
}

/** The end of a data file, to which changes are added in their order. */
export class Journal {
  readonly #handle: FileHandle;
  /** Where the next line goes; what stands behind it counts for nothing. */
  #length: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  /** Why nothing can be added any more. */
  #broken: unknown;

  /** @param length the bytes of the file that are whole lines; the others are cut off */
  constructor(handle: FileHandle, length: number) {
    this.#handle = handle;
    this.#length = length;
  }

  /**
   * Adds a change. Resolves when the system has it, so that a killed sandbox does not lose it.
   *
   * @param undo takes back what the change did in memory; called, the latest change first, when it
   * could not be kept
   */
  async add(change: Change, undo: () => void): Promise<void> {
    if (this.#broken !== undefined) {
      undo();
      throw this.#broken;
    }
    const kept = new Promise<void>((resolve, reject) => {
      this.#waiting.push({
        line: lineOf(change),
        kept: resolve,
        lost: (cause) => {
          undo();
          reject(cause);
        },
      });
    });
    this.#writing ??= this.#write();
    await kept;
  }

  /** Waits for what is being written, and closes the file. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#handle.close();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const text = batch.map(({ line }) => line).join("");
        this.#length += await writeAt(this.#handle, text, this.#length);
        for (const { kept } of batch) kept();
      } catch (cause) {
        await this.#cutOff(cause);
        // Those that came meanwhile build on changes that are lost.
        const all = [...batch, ...this.#waiting];
        this.#waiting = [];
        for (const { lost } of all.reverse()) lost(cause);
      }
    }
    this.#writing = undefined;
  }

  /** Takes away what was written of lines that are not whole. */
  async #cutOff(cause: unknown): Promise<void> {
    try {
      await this.#handle.truncate(this.#length);
    } catch {
      this.#broken = cause;
    }
  }
}
