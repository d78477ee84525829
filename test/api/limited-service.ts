/** A service in virtual time that takes only so many requests, and a client that works at it. */
import { CatalogClient, type ClientOptions } from "../../src/api/client.ts";
import type { BufferedResponse, Request, SendOptions, Transport } from "../../src/api/transport.ts";
import { VirtualClock } from "./virtual-time.ts";

/** What came of a request that arrived at that time. */
export type LimitDecision = "take" | (Pick<BufferedResponse, "status"> & Partial<BufferedResponse>);

/** Decides about a request by the milliseconds since the beginning. */
export type RateLimit = (elapsed: number, request: Request) => LimitDecision;

/** One request as the service saw it; times are milliseconds since the beginning. */
export interface SentRequest {
  readonly request: Request;
  readonly options: SendOptions;
  readonly left: number;
  /** When its answer was back. */
  readonly answered: number;
  readonly status: number;
}

/** A refusal that asks to come again after so many seconds, or at that date. */
export function refusal(status: 429 | 503, retryAfter?: number | string): LimitDecision {
  const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { status, headers };
}

/** At most `count` in any `span` milliseconds. */
export function slidingWindow(count: number, span: number, refused: LimitDecision): RateLimit {
  let taken: number[] = [];
  return (elapsed) => {
    taken = taken.filter((time) => time > elapsed - span);
    if (taken.length >= count) return refused;
    taken.push(elapsed);
    return "take";
  };
}

/** At most `count` in each span of the wall's clock. */
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

/** A store of `size` that fills up by `rate` a second. */
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

/** A client, its clock, and all that it sent. */
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

  /** Creates so many courses, by so many workers. @returns what failed */
  async create(count: number, workers = 16): Promise<unknown[]> {
    const failures: unknown[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) {
        await this.client.create({ id: idOf(next++) }, true).catch((error) => failures.push(error));
      }
    };
    await this.clock.run(Promise.all(Array.from({ length: workers }, work)));
    return failures;
  }

  /** The sizes of the waves of refusals: what left before the first of a wave was known is of it. */
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

  /** The requests that were refused, in the order of their answers. */
  refused(): SentRequest[] {
    return this.seen.filter(({ status }) => status === 429 || status === 503);
  }

  /** How many were under way at once, at most, of those that left from that time on. */
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
    : { status: 201, headers: {}, body: Buffer.alloc(0) };
}

/** The id of the nth course. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}
