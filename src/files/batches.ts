/** Shares the check of many files among threads, a batch at a time. */
import type { FoundFile } from "./find.ts";
import { type FileSummary, type SummaryOptions, summaryOf } from "./summary.ts";

/** The work that threads share. */
export interface CheckTask {
  readonly files: readonly FoundFile[];
  readonly options: SummaryOptions;
  /** The number of the first file that nobody has taken yet, in memory that all of them see. */
  readonly next: Int32Array<SharedArrayBuffer>;
}

/** What some files came to. */
export interface CheckedBatch {
  /** The number of the first of them. */
  readonly start: number;
  readonly summaries: readonly (FileSummary | undefined)[];
}

/** Bytes of nearly every course file, or more. */
const ROOM = 64 * 1024;
/** Files that are taken at once. */
const BATCH = 16;

/** The work of a check that nobody has begun. */
export function checkTask(files: readonly FoundFile[], options: SummaryOptions): CheckTask {
  return { files, options, next: new Int32Array(new SharedArrayBuffer(4)) };
}

/** Takes files as long as there are some that nobody has taken, and checks them. */
export function* checkBatches({ files, options, next }: CheckTask): Generator<CheckedBatch, void> {
  // Threads that ask the system for memory all the time wait for one another.
  const room = Buffer.allocUnsafeSlow(ROOM);
  for (;;) {
    const start = Atomics.add(next, 0, BATCH);
    if (start >= files.length) return;
    const batch = files.slice(start, start + BATCH);
    yield { start, summaries: batch.map((file) => summaryOf(file, options, room)) };
  }
}
