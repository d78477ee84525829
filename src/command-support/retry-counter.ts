/** Counts the requests that are repeated, so that the progress line can show them. */
export class RetryCounter {
  #total = 0;
  readonly #watchers = new Set<() => void>();

  get total(): number {
    return this.#total;
  }

  /** Counts one more. */
  add(): void {
    this.#total++;
    for (const watcher of this.#watchers) watcher();
  }

  /** Calls the function after each retry. @returns ends that */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}
