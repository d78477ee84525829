/** Checks many files on several cores at once, and gives what they came to in their order. */
import { yieldToEventLoop } from "../base/turn.ts";
import { type CheckedBatch, type CheckTask, checkBatches, checkTask } from "../files/batches.ts";
import type { FoundFile } from "../files/find.ts";
import type { FileSummary, SummaryOptions } from "../files/summary.ts";
import type { Helper, Helpers } from "./system.ts";

/** With fewer files, all is done before another thread has begun. */
const FEWEST = 300;
/** Files for which another thread is worth its memory. */
const FILES_A_HELPER = 150;
/** More threads than this wait for the disk, and for the one that tells what they found. */
const MOST_HELPERS = 7;

/** The program's own thread, and those that help it. */
export class CheckCrew {
  readonly #helpers: readonly Helper[];
  readonly #own: Generator<CheckedBatch, void>;
  /** What is checked and was not asked for yet, by the number of the file. */
  readonly #checked = new Map<number, FileSummary | undefined>();
  #working: number;
  #wake: () => void = () => undefined;

  private constructor(
    files: readonly FoundFile[],
    options: SummaryOptions,
    helpers: Helpers,
    count: number,
  ) {
    const task = checkTask(files, options);
    this.#own = checkBatches(task);
    this.#helpers = started(task, helpers, count);
    this.#working = this.#helpers.length;
    for (const { onMessage, onEnd } of this.#helpers) {
      onMessage((message) => {
        this.#take(message as CheckedBatch);
        this.#wake();
      });
      onEnd(() => {
        this.#working -= 1;
        this.#wake();
      });
    }
  }

  /** A crew that has begun to check these files; undefined where one thread is as fast. */
  static async start(
    files: readonly FoundFile[],
    options: SummaryOptions,
    helpers: Helpers | undefined,
  ): Promise<CheckCrew | undefined> {
    if (helpers === undefined || files.length < FEWEST) return undefined;
    const worth = Math.floor(files.length / FILES_A_HELPER) - 1;
    const count = Math.min(await helpers.most(), worth, MOST_HELPERS);
    return count < 1 ? undefined : new CheckCrew(files, options, helpers, count);
  }

  /**
   * What a file came to; asked for once for each, in their order. Undefined where it must be checked
   * here and now: see `summaryOf`.
   */
  async summary(number: number): Promise<FileSummary | undefined> {
    while (!this.#checked.has(number)) {
      const own = this.#own.next().value;
      if (own !== undefined) {
        this.#take(own);
        // Signals, progress and what the others found have their turn.
        await yieldToEventLoop();
      } else if (this.#working === 0) {
        return undefined;
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    const summary = this.#checked.get(number);
    this.#checked.delete(number);
    return summary;
  }

  /** Ends what is still under way. */
  end(): void {
    for (const helper of this.#helpers) helper.end();
  }

  #take({ start, summaries }: CheckedBatch): void {
    for (const [index, summary] of summaries.entries()) this.#checked.set(start + index, summary);
  }
}

/** As many helpers as can be started: some systems allow none, or fewer. */
function started(task: CheckTask, helpers: Helpers, count: number): Helper[] {
  const all: Helper[] = [];
  try {
    while (all.length < count) all.push(helpers.start(task));
  } catch {
    // The others do its share.
  }
  return all;
}
