/** Limits how many requests are in flight, and slows all of them down when the service rejects some. */
import type { Clock } from "../base/clock.ts";
import { Pacing } from "./pacing.ts";
import { backoff, RETRY_BUDGET, retryAfter } from "./retry-policy.ts";
import {
  type BufferedResponse,
  type Method,
  TRANSPORT_ERROR_CODES,
  TransportError,
} from "./transport.ts";
import { abortError } from "./transport-error.ts";

/**
 * How many full rounds must be accepted before the limit grows by one. Fewer find a limit of five
 * requests a second hardly faster, with a quarter more rejected requests.
 */
const ROUNDS = 4;

/** The right to send one request. */
export interface Permit {
  /** How often the limit had been reduced when the permit was given. */
  readonly epoch: number;
  /** When the permit was given. */
  readonly time: number;
}

interface Waiting {
  /** Infinity for a request that was not sent before. */
  readonly deadline: number;
  resolve(permit: Permit): void;
  reject(reason: TransportError): void;
}

/**
 * A semaphore with additive increase and multiplicative decrease: a throttled request halves the
 * limit and makes all requests pause; after a few rounds of accepted ones the limit grows by one.
 * The oldest request goes first, where the age of a retried one counts from its first attempt.
 */
export class RateLimiter {
  readonly #maximum: number;
  readonly #clock: Clock;
  /** Sorted by deadline: retried requests, the oldest first, then new ones in order. */
  readonly #queue: Waiting[] = [];
  readonly #pacing = new Pacing();
  #limit: number;
  #inFlight = 0;
  #epoch = 0;
  /** Requests accepted since the limit last changed. */
  #acceptedInRound = 0;
  #accepted = 0;
  #acceptedWrites = 0;
  #pauseEnd = 0;
  /** How many reductions there were since a request was last accepted, and when the first was. */
  #reductions = 0;
  #throttledSince = 0;
  /** Ends the wait for the end of the pause. */
  #alarm: AbortController | undefined;

  /** @param maximum how many requests may be in flight at most */
  constructor(maximum: number, clock: Clock) {
    this.#maximum = maximum;
    this.#limit = maximum;
    this.#clock = clock;
  }

  /** How many requests the service has accepted: all of them, or writes alone if this is one. */
  accepted(method: Method): number {
    return method === "GET" ? this.#accepted : this.#acceptedWrites;
  }

  /** Resolves when the request may be sent. @throws TransportError if it is aborted or out of time */
  async acquire({
    signal,
    deadline = Number.POSITIVE_INFINITY,
  }: {
    readonly signal?: AbortSignal;
    readonly deadline?: number | undefined;
  }): Promise<Permit> {
    if (signal?.aborted) throw abortError();
    return await new Promise<Permit>((resolve, reject) => {
      const abort = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(abortError());
        this.#advance();
      };
      const waiting: Waiting = {
        deadline,
        resolve: (permit) => {
          signal?.removeEventListener("abort", abort);
          resolve(permit);
        },
        reject: (reason) => {
          signal?.removeEventListener("abort", abort);
          reject(reason);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      const last = this.#queue.findLastIndex((other) => other.deadline <= deadline);
      this.#queue.splice(last + 1, 0, waiting);
      this.#advance();
    });
  }

  /** Gives a permit back when its request has ended. */
  release(): void {
    this.#inFlight--;
    this.#advance();
  }

  /** What the service says about its limits. */
  report(permit: Permit, method: Method, response: BufferedResponse): void {
    const { status } = response;
    if (status === 429 || status === 503) {
      this.#onThrottle(permit, retryAfter(response, this.#clock.now()));
    } else if (status < 500) this.#onSuccess(permit, method);
  }

  /** The service accepted the request. */
  #onSuccess({ epoch, time }: Permit, method: Method): void {
    this.#pacing.onSuccess(time);
    this.#accepted++;
    if (method !== "GET") this.#acceptedWrites++;
    this.#reductions = 0;
    if (epoch !== this.#epoch || this.#limit === this.#maximum) return;
    this.#acceptedInRound++;
    if (this.#acceptedInRound < ROUNDS * this.#limit) return;
    this.#limit++;
    this.#acceptedInRound = 0;
  }

  /**
   * The service rejected the request for its rate. Requests that were in flight together count once.
   *
   * @param requested the pause that the service asked for, in milliseconds
   */
  #onThrottle({ epoch, time }: Permit, requested = 0): void {
    const now = this.#clock.monotonic();
    if (epoch !== this.#epoch) {
      this.#pauseUntil(now + requested);
      return;
    }
    // After a minute without requests, earlier rejections say nothing about the service.
    if (now - this.#pauseEnd > 60_000) this.#reductions = 0;
    if (this.#reductions === 0) {
      this.#throttledSince = now;
      this.#pacing.onReject(time, requested > 0);
    }
    this.#reductions++;
    this.#epoch++;
    // Where the time between requests is the limit, fewer at once and long pauses only slow them down.
    const isPaced = this.#reductions === 1 && this.#pacing.isActive;
    if (!isPaced) this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#acceptedInRound = 0;
    const longest = isPaced ? this.#pacing.interval : Number.POSITIVE_INFINITY;
    const own = Math.min(longest, backoff(this.#reductions, this.#clock.random()));
    this.#pauseUntil(now + Math.max(requested, own));
  }

  #pauseUntil(time: number): void {
    this.#pauseEnd = Math.max(this.#pauseEnd, time);
  }

  /** Gives out the permits that are free, and waits for the end of the pause if there is one. */
  #advance(): void {
    const now = this.#clock.monotonic();
    const pause = Math.max(0, this.#pauseEnd - now);
    this.#rejectLate(now, pause);
    let wait = Math.max(pause, this.#pacing.wait(now));
    while (wait === 0 && this.#inFlight < this.#limit) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#inFlight++;
      this.#pacing.onSend(now);
      next.resolve({ epoch: this.#epoch, time: now });
      wait = this.#pacing.wait(now);
    }
    if (wait > 0 && this.#queue.length > 0) {
      this.#wakeAfter(wait);
    } else {
      this.#alarm?.abort();
      this.#alarm = undefined;
    }
  }

  /** Rejects the requests whose time will be over when the pause is. */
  #rejectLate(now: number, pause: number): void {
    const isThrottled =
      pause > 0 && this.#reductions > 0 && now + pause - this.#throttledSince >= RETRY_BUDGET;
    for (;;) {
      const [first] = this.#queue;
      if (first === undefined || (!isThrottled && first.deadline > now + pause)) return;
      this.#queue.shift();
      first.reject(isThrottled ? throttled() : noTimeLeft());
    }
  }

  #wakeAfter(pause: number): void {
    if (this.#alarm !== undefined) return;
    const alarm = new AbortController();
    this.#alarm = alarm;
    const wake = (): void => {
      if (this.#alarm === alarm) this.#alarm = undefined;
      this.#advance();
    };
    this.#clock.sleep(pause, alarm.signal).then(wake, () => undefined);
  }
}

function throttled(): TransportError {
  const message = "the service rejected every request for five minutes";
  return new TransportError(message, { code: TRANSPORT_ERROR_CODES.throttled });
}

function noTimeLeft(): TransportError {
  return new TransportError("no time left to send the request", {
    code: TRANSPORT_ERROR_CODES.noTimeLeft,
  });
}
