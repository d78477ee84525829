/** A service in virtual time, and a client of it. */
import { mapInOrder } from "../../src/base/async.ts";
import type { Clock } from "../../src/base/io.ts";
import type { Course } from "../../src/course/request-body.ts";
import { CatalogClient, type Effect } from "../../src/service/client.ts";
import type { HttpRequest, HttpResponse } from "../../src/service/errors.ts";
import type { ClientOptions } from "../../src/service/http.ts";

/** What the service does with a request: it takes effect and is answered, or the response or error replaces both. */
export type Behavior = "take" | "lose" | "hang" | Error | Partial<HttpResponse>;

/** Chooses the behavior for a request by the milliseconds since the start and the number of the request, from 1. */
export type Rule = (elapsed: number, number: number, request: HttpRequest) => Behavior;

/** The first requests meet these behaviors; the others take effect. */
export function first(...behaviors: readonly Behavior[]): Rule {
  return (_, number) => behaviors[number - 1] ?? "take";
}

/** One request to the service; times are milliseconds since the start. */
interface SentRequest {
  /** `POST 3`: the method and the end of the id. */
  readonly line: string;
  readonly left: number;
}

/** The id of the nth course. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** An error of the system. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

interface Sleeper {
  readonly at: number;
  wake(): void;
}

/** A clock that advances to the next timer when all other work waits; random numbers are always the same. */
class VirtualClock implements Clock {
  readonly began = Date.UTC(2026, 0, 31, 12);
  #now = this.began;
  /** How far the time of day is ahead. */
  #ahead = 0;
  #sleepers: Sleeper[] = [];
  #seed = 1;

  now(): number {
    return this.#now + this.#ahead;
  }

  monotonic(): number {
    return this.#now;
  }

  /** Sets the time of day; durations are not affected. */
  set(now: number): void {
    this.#ahead = now - this.#now;
  }

  /** Milliseconds since the start. */
  elapsed(): number {
    return this.#now - this.began;
  }

  random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }

  uuid(): string {
    return "00000000-0000-4000-8000-000000000000";
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        at: this.#now + milliseconds,
        wake: () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        },
      };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener("abort", stop, { once: true });
      const previous = this.#sleepers.findLastIndex(({ at }) => at <= sleeper.at);
      this.#sleepers.splice(previous + 1, 0, sleeper);
    });
  }

  /** Advances time until the work is done. @throws Error if the work waits without a timer */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let done = false;
    const finish = (): void => {
      done = true;
    };
    work.then(finish, finish);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (done) return await work;
      const next = this.#sleepers.shift();
      if (next === undefined) throw new Error("the work waits, but no timer is set");
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }
}

/** A service with courses, and a client with a virtual clock. */
export class VirtualService {
  readonly clock = new VirtualClock();
  readonly seen: SentRequest[] = [];
  readonly courses = new Map<string, Course>();
  readonly client: CatalogClient;
  readonly #rule: Rule;
  readonly #latency: number;

  constructor(rule: Rule, options: Partial<ClientOptions> & { readonly latency?: number } = {}) {
    const { latency = 100, ...others } = options;
    this.#rule = rule;
    this.#latency = latency;
    this.client = new CatalogClient({
      baseUrl: "https://api.example",
      apiKey: "key.word",
      clock: this.clock,
      transport: async () => ({
        send: (request, timeout) => this.#answer(request, timeout),
        close: async () => undefined,
      }),
      ...others,
    });
  }

  /** The lines of all requests. */
  get lines(): string[] {
    return this.seen.map(({ line }) => line);
  }

  /** Creates courses as commands do. @returns how each creation ended */
  async create(count: number): Promise<Effect[]> {
    const ids = Array.from({ length: count }, (_, index) => idOf(index + 1));
    const outcomes = mapInOrder(ids, 2 * this.client.concurrency, (id) =>
      this.client.create({ id }),
    );
    const collect = async (): Promise<Effect[]> => {
      const ended: Effect[] = [];
      for await (const outcome of outcomes) ended.push(outcome);
      return ended;
    };
    return await this.clock.run(collect());
  }

  async #answer(request: HttpRequest, timeout: number): Promise<HttpResponse> {
    const { clock } = this;
    const left = clock.elapsed();
    const id = (new URL(request.url).searchParams.get("id") ?? bodyOf(request).id ?? "").slice(-3);
    const number = this.seen.length + 1;
    const line = `${request.method} ${Number(id)}`;
    this.seen.push({ line, left });
    const rule = this.#rule(left, number, request);
    if (rule === "hang") {
      await clock.sleep(timeout);
      throw new DOMException("late", "TimeoutError");
    }
    await clock.sleep(this.#latency);
    if (rule instanceof Error) throw rule;
    const taken = typeof rule === "object" ? undefined : this.#take(request);
    if (rule === "lose") throw systemError("ECONNRESET");
    const response = { status: 200, headers: {}, body: Buffer.alloc(0), ...taken };
    return typeof rule === "object" ? { ...response, ...rule } : response;
  }

  #take(request: HttpRequest): Partial<HttpResponse> {
    const id = new URL(request.url).searchParams.get("id") ?? bodyOf(request).id ?? "";
    const course = this.courses.get(id);
    if (request.method === "GET") {
      return { body: Buffer.from(JSON.stringify(course === undefined ? [] : [course])) };
    }
    if (request.method === "POST") {
      if (course !== undefined) return { status: 409, body: Buffer.from('{"hint":"id exists"}') };
      this.courses.set(id, { ...bodyOf(request), id });
      return { status: 201 };
    }
    if (course === undefined) return { status: request.method === "PATCH" ? 404 : 406 };
    if (request.method === "DELETE") this.courses.delete(id);
    else this.courses.set(id, { ...course, ...bodyOf(request) });
    return { status: 204 };
  }
}

function bodyOf({ body }: HttpRequest): { readonly id?: string } {
  return body === undefined ? {} : JSON.parse(body.toString());
}
