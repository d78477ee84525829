/** Limits the memory of the courses that a run collects: a listing may be larger than the heap, or endless. */
import { CatalogError } from "./errors.ts";
import { formatNumber } from "./text.ts";
import { isList, isObject } from "./values.ts";

/** Bytes up to which the heap is not measured, because that takes as long as a short command. */
const ALWAYS_FREE = 32_000_000;

/** The rest is for what is derived from the courses, and for the young generation, large in Node.js 24. */
const SHARE_OF_HEAP = 0.3;

/** Counts what is collected, and ends the run before the heap does. */
export class CollectedMemory {
  #size = 0;
  #most: number | undefined;

  /** @param most in bytes; by default a share of the heap */
  constructor(most?: number) {
    this.#most = most;
  }

  /**
   * Counts a value that is kept from now on.
   *
   * @param replaced a value that is no longer kept
   * @throws CatalogError of kind `unreachable` if there is too much
   */
  async add(value: unknown, replaced?: unknown): Promise<void> {
    this.#size += memoryOf(value) - (replaced === undefined ? 0 : memoryOf(replaced));
    if (this.#size <= (this.#most ?? ALWAYS_FREE)) return;
    this.#most ??= Math.max(ALWAYS_FREE, await heapShare());
    if (this.#size <= this.#most) return;
    const megabytes = formatNumber(Math.floor(this.#most / 1_000_000));
    const message = `the service sent more courses than fit into memory: more than ${megabytes} MB`;
    throw new CatalogError("unreachable", message, {
      advice:
        "Check that the base URL is that of the catalog service. For a catalog of this size, give the " +
        "program more memory, for example with NODE_OPTIONS=--max-old-space-size=8192.",
    });
  }
}

async function heapShare(): Promise<number> {
  const { getHeapStatistics } = await import("node:v8");
  return getHeapStatistics().heap_size_limit * SHARE_OF_HEAP;
}

/** An upper estimate of the bytes that a value takes in memory. */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return 24 + 2 * value.length;
  let size = 40;
  if (isList(value)) for (const element of value) size += 8 + memoryOf(element);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) size += 24 + key.length + memoryOf(inner);
  }
  return size;
}
