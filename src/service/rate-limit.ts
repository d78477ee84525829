/** Limits how many requests are in flight, and slows all of them down when the service rejects some. */
import type { Clock } from "../base/clock.ts";
import { backoff, RETRY_BUDGET, retryAfter } from "./retry-policy.ts";
import {
  type BufferedResponse,
  type Method,
  TRANSPORT_ERROR_CODES,
  TransportError,
} from "./transport.ts";
import { abortError } from "./transport-error.ts";

/** Milliseconds between two requests after the first rejection, and at most. */
const [FIRST_INTERVAL, LONGEST_INTERVAL] = [25, 5000];
/** Timers are not more exact. */
const SHORTEST_WAIT = 5;
/** How much longer the interval gets after a rejection, and how much shorter after an accepted request. */
const [GROWTH, DECAY] = [1.25, 0.985];

interface Waiting {
  /** Infinity for a request that was not sent before. */
  readonly deadline: number;
  /** Ends the wait: the request is sent, or fails. */
  end(error?: TransportError): void;
}

/**
 * Lets requests through: the oldest first, where the age of a repeated one counts from its first
 * attempt. A rejected request makes all requests pause, and increases the interval between two of them;
 * accepted ones shorten it again. Times are those of the monotonic clock.
 */
export class RateLimiter {
  readonly #maximum: number;
  readonly #clock: Clock;
  /** Sorted by deadline: repeated requests, the oldest first, then new ones in order. */
  readonly #queue: Waiting[] = [];
  #inFlight = 0;
  /** Milliseconds between two requests. */
  #interval = 0;
  #accepted = 0;
  #acceptedWrites = 0;
  #pauseEnd = Number.NEGATIVE_INFINITY;
  #lastSent = Number.NEGATIVE_INFINITY;
  /** How often requests were rejected since one was last accepted, and when they first and last were. */
  #rejections = 0;
  #rejectedSince = 0;
  #lastRejected = Number.NEGATIVE_INFINITY;
  /** Ends the wait for the end of the pause. */
  #alarm: AbortController | undefined;

  /** @param maximum how many requests may be in flight at most */
  constructor(maximum: number, clock: Clock) {
    this.#maximum = maximum;
    this.#clock = clock;
  }

  /** How many requests the service has accepted: all of them, or writes alone if this is one. */
  accepted(method: Method): number {
    return method === "GET" ? this.#accepted : this.#acceptedWrites;
  }

  /** Resolves when the request may be sent. @throws TransportError if it is aborted or out of time */
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

  /**
   * A request has ended.
   *
   * @param sent when it was sent
   * @param response what the service says about its limits; undefined without a response
   */
  release(sent: number, method: Method, response: BufferedResponse | undefined): void {
    this.#inFlight--;
    const status = response?.status ?? 500;
    if (response !== undefined && (status === 429 || status === 503)) {
      this.#onThrottle(sent, retryAfter(response, this.#clock.now()));
    } else if (status < 500) this.#onSuccess(method);
    this.#advance();
  }

  #onSuccess(method: Method): void {
    this.#accepted++;
    if (method !== "GET") this.#acceptedWrites++;
    this.#rejections = 0;
    this.#interval *= DECAY;
  }

  /** @param requested the pause that the service asked for, in milliseconds */
  #onThrottle(sent: number, requested = 0): void {
    const now = this.#clock.monotonic();
    // Requests that were in flight together count once.
    if (sent > this.#lastRejected) {
      // After a minute without requests, earlier rejections say nothing about the service.
      if (now - this.#pauseEnd > 60_000) this.#rejections = 0;
      if (this.#rejections === 0) this.#rejectedSince = now;
      this.#rejections++;
      this.#lastRejected = now;
      this.#interval = Math.min(
        LONGEST_INTERVAL,
        Math.max(FIRST_INTERVAL, this.#interval * GROWTH),
      );
      const own = backoff(this.#rejections, this.#clock.random());
      this.#pauseEnd = Math.max(this.#pauseEnd, now + own);
    }
    this.#pauseEnd = Math.max(this.#pauseEnd, now + requested);
  }

  /** Starts the requests that may be sent, and waits for the end of the pause if there is one. */
  #advance(): void {
    const now = this.#clock.monotonic();
    const pause = Math.max(0, this.#pauseEnd - now);
    this.#rejectLate(now, pause);
    let wait = Math.max(pause, this.#lastSent + this.#interval - now);
    // Timers are not more exact than a few milliseconds.
    while (wait < SHORTEST_WAIT && this.#inFlight < this.#maximum) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.#inFlight++;
      this.#lastSent = now;
      next.end();
      wait = this.#interval;
    }
    if (wait >= SHORTEST_WAIT && this.#queue.length > 0) {
      this.#wakeAfter(wait);
    } else {
      this.#alarm?.abort();
      this.#alarm = undefined;
    }
  }

  /** Rejects the requests whose time will be over when the pause is. */
  #rejectLate(now: number, pause: number): void {
    const isThrottled =
      pause > 0 && this.#rejections > 0 && now + pause - this.#rejectedSince >= RETRY_BUDGET;
    for (;;) {
      const [first] = this.#queue;
      if (first === undefined || (!isThrottled && first.deadline > now + pause)) return;
      this.#queue.shift();
      first.end(isThrottled ? throttled() : noTimeLeft());
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
