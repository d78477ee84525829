/** Limits the memory of the courses that a run collects: the service's list may be larger than the heap, or endless. */
import { CatalogError } from "./errors.ts";
import { formatNumber } from "./text.ts";
import { isList, isObject } from "./values.ts";

/** Up to this many bytes, the heap is not measured, because measuring takes as long as a short command. */
const ALWAYS_FREE = 32_000_000;

/** The rest of the heap is for what is derived from the courses, and for the young generation. */
const SHARE_OF_HEAP = 0.3;

/** Counts the memory of collected courses, and ends the run before the heap is full. */
export class CollectedMemory {
  #size = 0;
  #most: number | undefined;

  /** @param most the limit in bytes; by default a share of the heap */
  constructor(most?: number) {
    this.#most = most;
  }

  /** Counts a value. @param replaced is no longer kept @throws CatalogError of kind `unreachable` above the limit */
  async add(value: unknown, replaced?: unknown): Promise<void> {
    this.#size += memoryOf(value) - (replaced === undefined ? 0 : memoryOf(replaced));
    if (this.#size <= (this.#most ?? ALWAYS_FREE)) return;
    this.#most ??= Math.max(ALWAYS_FREE, await heapShare());
    if (this.#size <= this.#most) return;
    const megabytes = formatNumber(Math.floor(this.#most / 1_000_000));
    const message = `the service sent more courses than fit into memory: more than ${megabytes} MB`;
    throw new CatalogError("unreachable", message, {
      advice:
        "Is the base URL right? If your catalog is this large, give catalog more memory. " +
        "For example: NODE_OPTIONS=--max-old-space-size=8192",
    });
  }
}

async function heapShare(): Promise<number> {
  const { getHeapStatistics } = await import("node:v8");
  return getHeapStatistics().heap_size_limit * SHARE_OF_HEAP;
}

/** Estimates how many bytes a value needs in memory, rather too many than too few. */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return 24 + 2 * value.length;
  let size = 40;
  if (isList(value)) for (const element of value) size += 8 + memoryOf(element);
  else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) size += 24 + key.length + memoryOf(inner);
  }
  return size;
}
