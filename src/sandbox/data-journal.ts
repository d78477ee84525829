/** Adds changes to a data file, several at once when they come faster than the disk takes them. */
import { AT_ONCE, type Writable, writeAt } from "./data-draft.ts";
import type { End } from "./data-file.ts";
import { type Change, changeRecord, lineOf } from "./data-record.ts";

/** A change on its way into the file, or somebody who waits for those before. */
interface Waiting {
  /** Undefined for who only waits. */
  readonly record: string | undefined;
  readonly kept: () => void;
  readonly lost: (cause: unknown) => void;
}

/** As much of an open file as a journal needs. */
export interface JournalFile extends Writable {
  truncate(length: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The end of a data file, to which changes are added in their order. */
export class Journal {
  readonly #handle: JournalFile;
  readonly #fail: (cause: unknown) => void;
  /** Where the next line goes; what stands behind it counts for nothing. */
  #length: number;
  #number: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #fails = false;
  /** Why nothing can be added any more. */
  #broken: unknown;

  /** @param fail is told why changes are refused, when that begins */
  constructor(handle: JournalFile, { length, number }: End, fail: (cause: unknown) => void) {
    this.#handle = handle;
    this.#length = length;
    this.#number = number;
    this.#fail = fail;
  }

  /**
   * Adds a change. Resolves when the system has it, so that a killed sandbox does not lose it.
   *
   * @param undo takes back what the change did in memory; called, the latest change first, when it
   * could not be kept
   */
  async add(change: Change, undo: () => void): Promise<void> {
    let record: string;
    try {
      if (this.#broken !== undefined) throw this.#broken;
      record = changeRecord(change);
    } catch (cause) {
      undo();
      throw cause;
    }
    await this.#line(record, undo);
  }

  /** Resolves when all that was added is kept, and rejects when some of it could not be. */
  async settled(): Promise<void> {
    if (this.#writing !== undefined) await this.#line(undefined, () => undefined);
  }

  /** Waits for what is being written, until the disk has it, and closes the file. */
  async close(): Promise<void> {
    await this.#writing;
    try {
      await this.#handle.sync();
    } finally {
      await this.#handle.close();
    }
  }

  async #line(record: string | undefined, undo: () => void): Promise<void> {
    const kept = new Promise<void>((resolve, reject) => {
      const lost = (cause: unknown): void => {
        undo();
        reject(cause);
      };
      this.#waiting.push({ record, kept: resolve, lost });
    });
    this.#writing ??= this.#write();
    await kept;
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#batch();
      try {
        let number = this.#number;
        let text = "";
        for (const { record } of batch) {
          if (record === undefined) continue;
          number += 1;
          text += lineOf(number, record);
        }
        this.#length += await writeAt(this.#handle, text, this.#length);
        this.#number = number;
        if (text !== "") this.#fails = false;
        for (const { kept } of batch) kept();
      } catch (cause) {
        await this.#cutOff(cause);
        // Those that came meanwhile build on changes that are lost.
        const all = [...batch, ...this.#waiting];
        this.#waiting = [];
        for (const { lost } of all.reverse()) lost(cause);
        if (!this.#fails) this.#fail(cause);
        this.#fails = true;
      }
    }
    this.#writing = undefined;
  }

  /** Takes the next that are waiting, as many as are written at once. */
  #batch(): Waiting[] {
    let size = 0;
    const beyond = this.#waiting.findIndex(({ record = "" }) => {
      const isFull = size > AT_ONCE;
      size += record.length;
      return isFull;
    });
    return this.#waiting.splice(0, beyond < 0 ? this.#waiting.length : beyond);
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
