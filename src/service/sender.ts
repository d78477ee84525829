/** Sends the requests of one client: adds the API key, keeps to the limits of the service, and retries failures. */
import { linkedController } from "../base/async.ts";
import { parseApiKey, parseBaseUrl } from "../base/credentials.ts";
import { usageError } from "../base/errors.ts";
import { DEFAULTS } from "../base/http.ts";
import { type Clock, type Environment, systemClock } from "../base/process.ts";
import type { Course } from "../course/request-body.ts";
import { RateLimiter } from "./rate-limit.ts";
import { isHtml, isSuccess, parseErrorBody } from "./response.ts";
import {
  decideRetry,
  isThrottled,
  isUncertain,
  mayHaveTakenEffect,
  type Outcome,
  RETRY_BUDGET,
} from "./retry-policy.ts";
import {
  abortError,
  type BufferedResponse,
  type Request,
  TRANSPORT_ERROR_CODES,
  type Transport,
  TransportError,
  unexpectedHtml,
} from "./transport.ts";
import type { TransportOptions } from "./undici-transport.ts";

/** One exchange that has ended. */
export interface Exchange {
  readonly method: Request["method"];
  readonly url: string;
  /** The HTTP status, or the code of the error if there was no response. */
  readonly result: number | string;
  /** How long the request took, in milliseconds. */
  readonly duration: number;
  readonly attempt: number;
}

/** How the service is reached. Only the base URL and the API key are required. */
export interface SenderOptions {
  /** The service's base URL: `https://api.catalog.example`. All paths are relative to it. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds for one attempt; 30,000 by default. */
  readonly timeout?: number;
  /** How many times a failed request is retried; 4 by default. */
  readonly retries?: number;
  /** The most requests in flight; 4 by default. */
  readonly concurrency?: number;
  /** Milliseconds for which refused connections are retried before the first response; 0 by default. */
  readonly waitForService?: number;
  /** Called before a retry with the milliseconds that the failed attempt took, and why the attempt failed. */
  readonly onRetry?: (duration: number, reason: string) => void;
  /** When this signal is aborted, every request ends. */
  readonly signal?: AbortSignal;
  /** Called after every exchange; never with the key. */
  readonly log?: (exchange: Exchange) => void;
  /** The environment in which proxy variables are looked up; empty by default. */
  readonly environment?: Environment;
  readonly clock?: Clock;
  /** Replaces undici, for tests. */
  readonly transport?: (options: TransportOptions) => Promise<Transport>;
}

export interface RetryOptions {
  readonly signal?: AbortSignal;
  /** When all attempts must have ended; by default five minutes after the first attempt was sent. */
  readonly deadline?: number | undefined;
  /** Called after an attempt that may have taken effect, to find the created course; absent if repeating is safe. */
  readonly findEffect?: (lost: Outcome, deadline: number) => Promise<Course | undefined>;
  /** How many retries are allowed; by default as many as for the client. */
  readonly retries?: number;
}

/** The result of all attempts. Times come from the monotonic clock. */
export interface FinalOutcome {
  readonly outcome: Outcome;
  /** Whether an attempt may have taken effect without a response that says so. */
  readonly mayBeDone: boolean;
  /** The course that `findEffect` found, after which no attempt follows. */
  readonly found?: Course;
  /** When the request, with its look-ups, must have ended. */
  readonly deadline: number;
}

interface AttemptOptions extends Pick<RetryOptions, "signal" | "deadline"> {
  readonly attempt?: number;
  /** Called when the rate limiter lets the request through. */
  readonly onSend?: () => void;
}

/**
 * How many 429 and 503 responses to a request do not count as attempts if the service accepted similar requests
 * in the meantime. Without a limit, a request that is rejected every time would never end.
 */
const MAX_THROTTLED = 16;

/** Milliseconds between attempts to connect to a service that has not started yet. */
const START_INTERVAL = 500;

export class Sender {
  /** The base URL with a slash at its end, because a relative path replaces what follows the last slash. */
  readonly base: URL;
  readonly concurrency: number;
  readonly #options: SenderOptions;
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #authorize: (request: Request) => Request;
  readonly #open: () => Promise<Transport>;
  /** When to stop retrying refused connections; 0 after the first response. */
  #waitUntil: number;
  #transport: Promise<Transport> | undefined;
  /** Aborted by the caller's signal, and when the sender is closed. */
  readonly #controller: AbortController;

  /** @throws CatalogError of kind `usage` for an invalid base URL or API key */
  constructor(options: SenderOptions) {
    const { clock = systemClock, environment = {}, transport = openUndici } = options;
    const { concurrency = DEFAULTS.concurrency } = options;
    const baseUrl = parseBaseUrl(requireOption(options.baseUrl, "base URL", "baseUrl"), ORIGIN);
    const apiKey = parseApiKey(requireOption(options.apiKey, "API key", "apiKey"), ORIGIN);
    this.base = new URL(`${baseUrl}/`);
    this.concurrency = concurrency;
    this.#options = options;
    this.#clock = clock;
    this.#limiter = new RateLimiter(concurrency, clock);
    this.#waitUntil = clock.monotonic() + (options.waitForService ?? 0);
    this.#controller = linkedController(options.signal);
    // Only this function sees the key.
    this.#authorize = ({ headers, ...request }) => {
      // A cache between here and the service may not know that responses depend on the key.
      const own = { "cache-control": "no-cache", "x-api-key": apiKey };
      return { ...request, headers: { ...headers, ...own } };
    };
    this.#open = () => transport({ baseUrl, connections: concurrency, environment });
  }

  /** Aborted when no request may be sent anymore. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Sends a request and retries it as `decideRetry` says. A failed request is an outcome, not an exception. */
  async send(request: Request, options: RetryOptions = {}): Promise<FinalOutcome> {
    const clock = this.#clock;
    const { signal = this.signal, deadline: fixed, findEffect } = options;
    const retries = options.retries ?? this.#options.retries ?? DEFAULTS.retries;
    const accepted = (): number => this.#limiter.accepted(request.method);
    let start = clock.monotonic();
    let acceptedBefore = accepted();
    let mayBeDone = false;
    let throttled = 0;
    let previous: Outcome | undefined;

    for (let attempt = 1; ; attempt++) {
      let sent: number | undefined;
      const onSend = (): void => {
        sent = clock.monotonic();
        if (attempt > 1) return;
        start = sent;
        acceptedBefore = accepted();
      };
      // The five minutes begin when the first attempt is sent, not while it waits.
      const end = fixed ?? (attempt === 1 ? undefined : start + RETRY_BUDGET);
      const outcome = await this.sendOnce(request, { signal, attempt, onSend, deadline: end }).then(
        (response) => outcomeOf(request, response),
        failureOf,
      );
      const code = "error" in outcome ? outcome.error.code : undefined;
      const isCutOff = code === TRANSPORT_ERROR_CODES.aborted && sent !== undefined;
      mayBeDone ||= isCutOff || mayHaveTakenEffect(outcome);
      const deadline = fixed ?? start + RETRY_BUDGET;
      const final = { outcome, mayBeDone, deadline };
      if (code === TRANSPORT_ERROR_CODES.throttled) return final;
      // The outcome of the previous attempt says more.
      if (code === TRANSPORT_ERROR_CODES.noTimeLeft) {
        return { ...final, outcome: previous ?? outcome };
      }
      previous = outcome;

      const isOvertaken = isThrottled(outcome) && accepted() > acceptedBefore;
      if (isOvertaken && throttled < MAX_THROTTLED) throttled++;
      const limits = { retries, budget: deadline - start };
      const elapsed = clock.monotonic() - start;
      const times = { elapsed, now: clock.now(), random: clock.random() };
      const pause = decideRetry(outcome, { attempt, throttled, ...times, ...limits });
      const isStarting = pause === undefined && clock.monotonic() < this.#waitUntil;
      const isLost = isUncertain(outcome);
      if (pause === undefined && !isLost && !isStarting) return final;
      if (pause !== undefined || isStarting) {
        const duration = isStarting ? 0 : clock.monotonic() - (sent ?? start);
        this.#options.onRetry?.(duration, reasonOf(outcome));
        await clock.sleep(pause ?? START_INTERVAL, signal).catch(() => undefined);
      }
      if (signal.aborted) return { ...final, outcome: { error: abortError() } };
      if (isStarting) {
        attempt = 0;
        continue;
      }
      const found = isLost ? await findEffect?.(outcome, deadline) : undefined;
      if (found !== undefined) return { ...final, found };
      // The look-up may have used up the remaining time.
      if (pause !== undefined && clock.monotonic() < deadline) continue;
      return isLost && findEffect !== undefined ? { ...final, mayBeDone: false } : final;
    }
  }

  /** Sends a request once, when the rate limiter allows it. @throws TransportError if there was no response */
  async sendOnce(
    request: Request,
    { attempt = 1, deadline, signal = this.signal, onSend }: AttemptOptions = {},
  ): Promise<BufferedResponse> {
    this.#transport ??= this.#open();
    const transport = await this.#transport;
    await this.#limiter.acquire(signal, deadline);
    onSend?.();
    const { method, url } = request;
    const start = this.#clock.monotonic();
    const left = (deadline ?? Number.POSITIVE_INFINITY) - start;
    const { timeout: usual = DEFAULTS.timeout * 1000 } = this.#options;
    const timeout = Math.max(1, Math.min(usual, left));
    let response: BufferedResponse | undefined;
    let result: Exchange["result"] = "failed";
    try {
      response = await transport.send(this.#authorize(request), { timeout, signal });
      result = response.status;
      return response;
    } catch (error) {
      if (error instanceof TransportError) result = error.code;
      throw error;
    } finally {
      if (result !== "ECONNREFUSED") this.#waitUntil = 0;
      this.#limiter.release(start, method, response);
      const duration = this.#clock.monotonic() - start;
      this.#options.log?.({ method, url, result, duration, attempt });
    }
  }

  /** Closes the connections; requests in flight fail without retries. */
  async close(): Promise<void> {
    this.#controller.abort();
    const transport = await this.#transport?.catch(() => undefined);
    await transport?.close();
  }
}

function outcomeOf({ method }: Request, response: BufferedResponse): Outcome {
  // A change that succeeded is done, even if the body of the response is incomplete.
  const isDone = method !== "GET" && isSuccess(response);
  if (response.bodyError !== undefined && !isDone) return { error: response.bodyError };
  if (isDone && isHtml(response)) return { error: unexpectedHtml() };
  return { response, hasHint: parseErrorBody(response).hint !== undefined };
}

function reasonOf(outcome: Outcome): string {
  return "error" in outcome ? outcome.error.message : `HTTP ${outcome.response.status}`;
}

function failureOf(error: unknown): Outcome {
  if (error instanceof TransportError) return { error };
  throw error;
}

/** How messages name the origin of the base URL and the key of a client. */
const ORIGIN = "new CatalogClient";

/** The option, which JavaScript can omit and an empty variable can leave blank, although the type requires it. */
function requireOption(value: string | undefined, what: string, name: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw usageError(`no ${what} is set`, `Pass ${name} to ${ORIGIN}.`);
}

async function openUndici(options: TransportOptions): Promise<Transport> {
  const { undiciTransport } = await import("./undici-transport.ts");
  return await undiciTransport(options);
}
