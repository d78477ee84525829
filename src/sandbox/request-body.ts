/** Reads the bodies of requests, within bounds. */
const MOST_BYTES = 10 * 1000 * 1000;
/** So much of a body that is too large is read and forgotten before its connection is cut. */
const MOST_FORGOTTEN = 10 * MOST_BYTES;
/** What all bodies that are held at once may take together. */
const MOST_TOGETHER = 256 * 1000 * 1000;
/** Smaller ones are always taken, so that a few large ones that do not end block nobody. */
const SMALL = 64 * 1000;

/** A body, or why there is none: it is too large, or one of too many large ones at once. */
export type Body = Uint8Array | "large" | "crowded";

/** The bodies that are held at one time. */
export class Bodies {
  #held = 0;

  /**
   * Reads a body and hands it on. The rest of one that is refused is read and forgotten, since a
   * client in mid-sentence does not hear the answer.
   *
   * @throws Error when it does not end in order, or goes on beyond all measure
   */
  async read<Result>(
    request: AsyncIterable<Uint8Array>,
    work: (body: Body) => Promise<Result>,
  ): Promise<Result> {
    let chunks: Uint8Array[] = [];
    let size = 0;
    let held = 0;
    let refusal: "large" | "crowded" | undefined;
    try {
      for await (const chunk of request) {
        size += chunk.length;
        if (size > MOST_BYTES) refusal = "large";
        else if (size > SMALL && this.#held + chunk.length > MOST_TOGETHER) refusal ??= "crowded";
        if (refusal === undefined) {
          chunks.push(chunk);
          held += chunk.length;
          this.#held += chunk.length;
          continue;
        }
        chunks = [];
        this.#held -= held;
        held = 0;
        if (size > MOST_FORGOTTEN) throw new Error("the body does not end");
      }
      return await work(refusal ?? Buffer.concat(chunks));
    } finally {
      this.#held -= held;
    }
  }
}
