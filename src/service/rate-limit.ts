/** Limits how many requests are in flight, and slows all of them down when the service rejects some. */
import type { Clock } from "../base/process.ts";
import { backoff, RETRY_BUDGET, retryAfter } from "./retry-policy.ts";
import {
  abortError,
  type BufferedResponse,
  type Method,
  TRANSPORT_ERROR_CODES,
  TransportError,
} from "./transport.ts";

/** The shortest and the longest interval between two requests after a rejection, in milliseconds. */
const [FIRST_INTERVAL, LONGEST_INTERVAL] = [10, 5000];
/** Each rejection makes the interval longer by this factor. */
const SLOWDOWN = 1.4;
/**
 * The time in which the interval shrinks to a third is the sum of both: milliseconds, and a number of intervals.
 * With milliseconds alone, a slow service would reject every fifth request.
 */
const [RECOVERY, RECOVERY_INTERVALS] = [6000, 64];
/** Timers are not more exact than this, in milliseconds. */
const SHORTEST_WAIT = 5;

interface Waiting {
  /** When the request must have ended; infinity for a request that was not sent before. */
  readonly deadline: number;
  end(error?: TransportError): void;
}

/**
 * Decides when each request is sent. The oldest request is first; the age of a retried request counts from its
 * first attempt. After a rejection, all requests pause, and the interval between two requests grows; time without
 * a rejection shortens the interval again. All times come from the monotonic clock.
 */
export class RateLimiter {
  readonly #maximum: number;
  readonly #clock: Clock;
  /** Sorted by deadline: retried requests, the oldest first, then new requests in order. */
  readonly #queue: Waiting[] = [];
  readonly #accepted = { all: 0, writes: 0 };
  #inFlight = 0;
  #lastSent = Number.NEGATIVE_INFINITY;
  /** Milliseconds between two requests at the end of the last pause. */
  #interval = 0;
  #pauseEnd = 0;
  /** How many requests were rejected since the last accepted one, and when the first and the last of them were. */
  #rejections = 0;
  #rejectedSince = 0;
  #lastRejected = Number.NEGATIVE_INFINITY;
  /** Cancels the timer that calls `#advance` after the pause. */
  #alarm: AbortController | undefined;

  /** @param maximum the most requests in flight */
  constructor(maximum: number, clock: Clock) {
    this.#maximum = maximum;
    this.#clock = clock;
  }

  /** How many requests the service has accepted: for GET all requests, for other methods only changes. */
  accepted(method: Method): number {
    return method === "GET" ? this.#accepted.all : this.#accepted.writes;
  }

  /** Resolves when the request may be sent. @throws TransportError if the request is aborted or out of time */
  async acquire(signal: AbortSignal, deadline = Number.POSITIVE_INFINITY): Promise<void> {
    if (signal.aborted) throw abortError();
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        this.#queue.splice(this.#queue.indexOf(waiting), 1);
        reject(abortError());
        this.#advance();
      };
      const waiting: Waiting = {
        deadline,
        end: (error) => {
          signal.removeEventListener("abort", abort);
          if (error === undefined) resolve();
          else reject(error);
        },
      };
      signal.addEventListener("abort", abort, { once: true });
      const last = this.#queue.findLastIndex((other) => other.deadline <= deadline);
      this.#queue.splice(last + 1, 0, waiting);
      this.#advance();
    });
  }

  /** Counts a request that has ended, and lets others follow. @param response undefined if there was none */
  release(sent: number, method: Method, response: BufferedResponse | undefined): void {
    this.#inFlight--;
    const status = response?.status ?? 500;
    if (response !== undefined && (status === 429 || status === 503)) {
      this.#slowDown(sent, retryAfter(response, this.#clock.now()));
    } else if (status < 500) {
      this.#accepted.all++;
      if (method !== "GET") this.#accepted.writes++;
      this.#rejections = 0;
    }
    this.#advance();
  }

  /** @param requested the pause that the service asked for, in milliseconds */
  #slowDown(sent: number, requested = 0): void {
    const now = this.#clock.monotonic();
    // Requests that were in flight together count once.
    if (sent > this.#lastRejected) {
      // After a minute without requests, earlier rejections say nothing about the service.
      if (now - this.#pauseEnd > 60_000) this.#rejections = 0;
      if (this.#rejections === 0) this.#rejectedSince = now;
      this.#rejections++;
      this.#lastRejected = now;
      const longer = Math.max(FIRST_INTERVAL, this.#intervalAt(now) * SLOWDOWN);
      this.#interval = Math.min(LONGEST_INTERVAL, longer);
      const own = backoff(this.#rejections, this.#clock.random());
      this.#pauseEnd = Math.max(this.#pauseEnd, now + own);
    }
    this.#pauseEnd = Math.max(this.#pauseEnd, now + requested);
  }

  /** The interval shrinks slowly at first, then faster: soon after a rejection, another one is likely. */
  #intervalAt(now: number): number {
    const recovery = RECOVERY + RECOVERY_INTERVALS * this.#interval;
    return this.#interval * Math.exp(-((Math.max(0, now - this.#pauseEnd) / recovery) ** 2));
  }

  /** Sends the requests that may be sent now, and sets a timer for the next one. */
  #advance(): void {
    const now = this.#clock.monotonic();
    const pause = Math.max(0, this.#pauseEnd - now);
    this.#rejectLate(now, pause);
    const interval = this.#intervalAt(now);
    let wait = Math.max(pause, this.#lastSent + interval - now);
    while (wait < SHORTEST_WAIT && this.#inFlight < this.#maximum) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#inFlight++;
      this.#lastSent = now;
      next.end();
      wait = interval;
    }
    if (wait >= SHORTEST_WAIT && this.#queue.length > 0) {
      this.#wakeAfter(wait);
    } else {
      this.#alarm?.abort();
      this.#alarm = undefined;
    }
  }

  /** Fails the requests whose deadline is before the end of the pause. */
  #rejectLate(now: number, pause: number): void {
    const isThrottled =
      pause > 0 && this.#rejections > 0 && now + pause - this.#rejectedSince >= RETRY_BUDGET;
    const [code, message] = isThrottled
      ? [TRANSPORT_ERROR_CODES.throttled, "the service rejected every request for five minutes"]
      : [TRANSPORT_ERROR_CODES.noTimeLeft, "no time left to send the request"];
    const advice = "Wait a few minutes and try again, or lower --concurrency.";
    for (;;) {
      const [first] = this.#queue;
      if (first === undefined || (!isThrottled && first.deadline > now + pause)) return;
      this.#queue.shift();
      first.end(new TransportError(message, { code, advice }));
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
