/** A rate-limited service in virtual time, and a client of it. */
import { CatalogClient, type ClientOptions } from "../../src/service/client.ts";
import type {
  BufferedResponse,
  Request,
  SendOptions,
  Transport,
} from "../../src/service/transport.ts";
import { VirtualClock } from "./virtual-time.ts";

/** Whether a request is accepted, or the response that rejects it. */
export type LimitDecision = "take" | (Pick<BufferedResponse, "status"> & Partial<BufferedResponse>);

/** Decides about a request by the milliseconds since the start. */
export type RateLimit = (elapsed: number, request: Request) => LimitDecision;

/** One request to the service; times are milliseconds since the start. */
export interface SentRequest {
  readonly request: Request;
  readonly options: SendOptions;
  readonly left: number;
  /** The time of its response. */
  readonly answered: number;
  readonly status: number;
}

/** A rejection with a Retry-After in seconds or as a date. */
export function refusal(status: 429 | 503, retryAfter?: number | string): LimitDecision {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { status, headers };
}

/** Accepts at most `count` requests in any `span` milliseconds. */
export function slidingWindow(count: number, span: number, refused: LimitDecision): RateLimit {
  let taken: number[] = [];
  return (elapsed) => {
    taken = taken.filter((time) => time > elapsed - span);
    if (taken.length >= count) return refused;
    taken.push(elapsed);
    return "take";
  };
}

/** Accepts at most `count` requests in each span of the clock. */
export function fixedWindow(count: number, span: number, refused: LimitDecision): RateLimit {
  let current = -1;
  let taken = 0;
  return (elapsed) => {
    const window = Math.floor(elapsed / span);
    taken = window === current ? taken + 1 : 1;
    current = window;
    return taken > count ? refused : "take";
  };
}

/** A bucket of `size` tokens, refilled at `rate` per second. */
export function tokenBucket(rate: number, size: number, refused: LimitDecision): RateLimit {
  let held = size;
  let last = 0;
  return (elapsed) => {
    held = Math.min(size, held + ((elapsed - last) * rate) / 1000);
    last = elapsed;
    if (held < 1) return refused;
    held--;
    return "take";
  };
}

/** A client with a virtual clock, and its requests. */
export class LimitedService {
  readonly clock = new VirtualClock();
  readonly seen: SentRequest[] = [];
  readonly client: CatalogClient;
  readonly #rule: RateLimit;
  readonly #latency: number;

  constructor(
    rule: RateLimit,
    options: Partial<ClientOptions> & { readonly latency?: number } = {},
  ) {
    this.#rule = rule;
    this.#latency = options.latency ?? 50;
    this.client = new CatalogClient({
      baseUrl: "https://api.example",
      apiKey: "key.word",
      clock: this.clock,
      concurrency: 16,
      transport: async () => this.#transport(),
      ...options,
    });
  }

  /** Creates courses with parallel workers. @returns the errors */
  async create(count: number, workers = 16): Promise<unknown[]> {
    const failures: unknown[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) {
        await this.client.create({ id: idOf(next++) }).catch((error) => failures.push(error));
      }
    };
    await this.clock.run(Promise.all(Array.from({ length: workers }, work)));
    return failures;
  }

  /** The number of rejections in each wave: requests sent before the first rejection of it was received. */
  waves(): number[] {
    const waves: number[] = [];
    let known = Number.NEGATIVE_INFINITY;
    for (const { left, answered } of this.refused()) {
      if (left > known) {
        waves.push(0);
        known = answered;
      }
      waves.push((waves.pop() ?? 0) + 1);
    }
    return waves;
  }

  /** The rejected requests, in the order of their responses. */
  refused(): SentRequest[] {
    return this.seen.filter(({ status }) => status === 429 || status === 503);
  }

  /** The maximum number of parallel requests among those sent from that time on. */
  atOnce(from = 0): number {
    const later = this.seen.filter(({ left }) => left >= from);
    const counts = later.map(({ left }) => {
      return later.filter((other) => other.left <= left && other.answered > left).length;
    });
    return Math.max(0, ...counts);
  }

  #transport(): Transport {
    return {
      close: async () => undefined,
      send: async (request, options) => {
        const left = this.clock.elapsed();
        await this.clock.sleep(this.#latency / 2, options.signal);
        const verdict = this.#rule(this.clock.elapsed(), request);
        await this.clock.sleep(this.#latency / 2, options.signal);
        const answer =
          verdict === "take" ? taken(request) : { headers: {}, body: Buffer.alloc(0), ...verdict };
        const { status } = answer;
        this.seen.push({ request, options, left, answered: this.clock.elapsed(), status });
        return answer;
      },
    };
  }
}

function taken({ method }: Request): BufferedResponse {
  return method === "GET"
    ? { status: 200, headers: {}, body: Buffer.from("[]") }
    : { status: method === "POST" ? 201 : 204, headers: {}, body: Buffer.alloc(0) };
}

/** The id of the nth course. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
