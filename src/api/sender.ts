/** Sends the requests of one client: with its key, within its limits, again after transient failures. */
import { linkedController } from "../base/async.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { parseApiKey, parseBaseUrl } from "../base/credentials.ts";
import { usageError } from "../base/errors.ts";
import { DEFAULTS } from "../base/http.ts";
import type { Environment } from "../base/process.ts";
import { memoize } from "../base/values.ts";
import { RateLimiter, withRateLimit } from "./rate-limit.ts";
import {
  type FinalOutcome,
  type RetryContext,
  type RetryOptions,
  sendWithRetries,
} from "./retry.ts";
import {
  type BufferedResponse,
  type Request,
  type Send,
  type Transport,
  TransportError,
} from "./transport.ts";
import type { TransportOptions } from "./undici-transport.ts";

/** One exchange that has ended. */
export interface Exchange {
  readonly method: Request["method"];
  readonly url: string;
  /** The HTTP status, or the code of the error if there was no response. */
  readonly result: number | string;
  /** Milliseconds. */
  readonly duration: number;
  readonly attempt: number;
}

/** How the service is reached. Only the address and the key are required. */
export interface SenderOptions {
  /** The service's base address; all paths are relative to it. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds for one attempt; 30,000 by default. */
  readonly timeout?: number;
  /** How many times a request is retried; 4 by default. */
  readonly retries?: number;
  /** How many requests are in flight at most; 4 by default. */
  readonly concurrency?: number;
  /** Milliseconds for which refused connections are retried before the first response; 0 by default. */
  readonly waitForService?: number;
  /** Called before a retry, with the milliseconds that the failed attempt took. */
  readonly onRetry?: (duration: number) => void;
  /** Aborting it ends every request. */
  readonly signal?: AbortSignal;
  /** Called after every exchange; never with the key. */
  readonly log?: (exchange: Exchange) => void;
  /** For proxy variables; none are used by default. */
  readonly environment?: Environment;
  readonly clock?: Clock;
  /** Replaces undici, for tests. */
  readonly transport?: (options: TransportOptions) => Promise<Transport>;
}

/** Sends requests to one service with one key. */
export class Sender {
  /** The service's address, with a slash at its end: a relative path replaces what follows the last one. */
  readonly base: URL;
  readonly concurrency: number;
  readonly #context: Omit<RetryContext, "send">;
  /** Until when refused connections are retried, on the clock; 0 after the first response. */
  #waitUntil: number;
  /** Undefined until the first request. */
  #transport: Promise<Transport> | undefined;
  readonly #send: () => Promise<Send>;
  /** Aborted by the caller's signal, and when the sender is closed. */
  readonly #controller: AbortController;

  /** @throws CatalogError of kind `usage` for an invalid address or key */
  constructor(options: SenderOptions) {
    const { log, clock = systemClock, environment = {}, transport = openUndici } = options;
    const { concurrency = DEFAULTS.concurrency, onRetry = () => undefined } = options;
    const { timeout = DEFAULTS.timeout * 1000, retries = DEFAULTS.retries } = options;
    const baseUrl = parseBaseUrl(requireOption(options.baseUrl, "base URL", "baseUrl"), ORIGIN);
    const apiKey = parseApiKey(requireOption(options.apiKey, "API key", "apiKey"), ORIGIN);
    this.base = new URL(`${baseUrl}/`);
    this.concurrency = concurrency;
    const limiter = new RateLimiter(concurrency, clock);
    const accepted: RetryContext["accepted"] = (method) => limiter.accepted(method);
    this.#context = { clock, timeout, retries, accepted, onRetry };
    this.#waitUntil = clock.now() + (options.waitForService ?? 0);
    this.#controller = linkedController(options.signal);
    this.#send = memoize(async () => {
      this.#transport = transport({ baseUrl, connections: concurrency, environment });
      const { send } = await this.#transport;
      // Nothing outside of this function sees the key.
      const authorized: Send = (request, options) =>
        send({ ...request, headers: { ...request.headers, "x-api-key": apiKey } }, options);
      const logged = log === undefined ? authorized : withLog(log, clock, authorized);
      return withRateLimit(limiter, clock, logged);
    });
  }

  /** Aborted when no request may be sent anymore. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Sends a request, and repeats it after transient failures. Never throws for a failed request. */
  async send(request: Request, options: Partial<RetryOptions> = {}): Promise<FinalOutcome> {
    const { clock, onRetry } = this.#context;
    const context = { ...this.#context, send: await this.#send() };
    for (;;) {
      const final = await sendWithRetries(request, context, { signal: this.signal, ...options });
      const { outcome, uncertainBefore } = final;
      const isRefused = "error" in outcome && outcome.error.code === "ECONNREFUSED";
      if (!isRefused || uncertainBefore) this.#waitUntil = 0;
      if (clock.now() >= this.#waitUntil) return final;
      onRetry(0);
      await clock.sleep(500, this.signal).catch(() => undefined);
    }
  }

  /** Sends a request once. @throws TransportError if there was no response */
  async sendOnce(request: Request): Promise<BufferedResponse> {
    const send = await this.#send();
    const { timeout } = this.#context;
    return await send(request, { timeout, signal: this.signal, attempt: 1 });
  }

  /** Closes the connections; requests in flight fail without retries. */
  async close(): Promise<void> {
    this.#controller.abort();
    const transport = await this.#transport?.catch(() => undefined);
    await transport?.close();
  }
}

/** Where the base URL and the key of a client come from, as messages name it. */
const ORIGIN = "new CatalogClient";

/** JavaScript, and an empty variable, can leave an option out, although the type does not allow it. */
function requireOption(value: string | undefined, what: string, name: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw usageError(`no ${what} is set`, `Pass ${name} to ${ORIGIN}.`);
}

async function openUndici(options: TransportOptions): Promise<Transport> {
  const { undiciTransport } = await import("./undici-transport.ts");
  return await undiciTransport(options);
}

/** Reports every exchange to `log`. */
function withLog(log: (exchange: Exchange) => void, clock: Clock, send: Send): Send {
  return async (request, options) => {
    const start = clock.now();
    let result: number | string = "failed";
    try {
      const response = await send(request, options);
      result = response.status;
      return response;
    } catch (error) {
      if (error instanceof TransportError) result = error.code;
      throw error;
    } finally {
      const { method, url } = request;
      log({ method, url, result, duration: clock.now() - start, attempt: options.attempt });
    }
  };
}
