/** Sends the requests of one client: with its key, within the limits of the service. */
import { linkedController } from "../base/async.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { parseApiKey, parseBaseUrl } from "../base/credentials.ts";
import { usageError } from "../base/errors.ts";
import { DEFAULTS } from "../base/http.ts";
import type { Environment } from "../base/process.ts";
import { RateLimiter } from "./rate-limit.ts";
import {
  type BufferedResponse,
  type Method,
  type Request,
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

/** How one request is sent. */
interface ExchangeOptions {
  /** Which attempt it is, from 1. */
  readonly attempt?: number;
  /** When it must have ended, including the wait for its turn. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal;
  /** Called when the wait for its turn is over. */
  readonly onSend?: () => void;
}

/** Sends requests to one service with one key, each once. */
export class Sender {
  /** The service's address, with a slash at its end: a relative path replaces what follows the last one. */
  readonly base: URL;
  readonly concurrency: number;
  readonly retries: number;
  readonly clock: Clock;
  readonly onRetry: (duration: number) => void;
  readonly #timeout: number;
  readonly #limiter: RateLimiter;
  readonly #log: (exchange: Exchange) => void;
  readonly #authorize: (request: Request) => Request;
  readonly #open: () => Promise<Transport>;
  /** Until when refused connections are retried; 0 after the first response. */
  #waitUntil: number;
  /** Undefined until the first request. */
  #transport: Promise<Transport> | undefined;
  /** Aborted by the caller's signal, and when the sender is closed. */
  readonly #controller: AbortController;

  /** @throws CatalogError of kind `usage` for an invalid address or key */
  constructor(options: SenderOptions) {
    const { clock = systemClock, environment = {}, transport = openUndici } = options;
    const { concurrency = DEFAULTS.concurrency, retries = DEFAULTS.retries } = options;
    const baseUrl = parseBaseUrl(requireOption(options.baseUrl, "base URL", "baseUrl"), ORIGIN);
    const apiKey = parseApiKey(requireOption(options.apiKey, "API key", "apiKey"), ORIGIN);
    this.base = new URL(`${baseUrl}/`);
    this.concurrency = concurrency;
    this.retries = retries;
    this.clock = clock;
    this.onRetry = options.onRetry ?? (() => undefined);
    this.#timeout = options.timeout ?? DEFAULTS.timeout * 1000;
    this.#limiter = new RateLimiter(concurrency, clock);
    this.#log = options.log ?? (() => undefined);
    this.#waitUntil = clock.monotonic() + (options.waitForService ?? 0);
    this.#controller = linkedController(options.signal);
    // Nothing outside of this function sees the key.
    this.#authorize = ({ headers, ...request }) => {
      return { ...request, headers: { ...headers, "x-api-key": apiKey } };
    };
    this.#open = () => transport({ baseUrl, connections: concurrency, environment });
  }

  /** Aborted when no request may be sent anymore. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether every connection was refused so far, and the service may still start. */
  get waitsForStart(): boolean {
    return this.clock.monotonic() < this.#waitUntil;
  }

  /** How many requests the service has accepted: all of them, or writes alone if this is one. */
  accepted(method: Method): number {
    return this.#limiter.accepted(method);
  }

  /** Sends a request once, when it is its turn. @throws TransportError if there was no response */
  async exchange(
    request: Request,
    { attempt = 1, deadline, signal = this.signal, onSend }: ExchangeOptions = {},
  ): Promise<BufferedResponse> {
    this.#transport ??= this.#open();
    const transport = await this.#transport;
    await this.#limiter.acquire(signal, deadline);
    onSend?.();
    const { method, url } = request;
    const start = this.clock.monotonic();
    const left = (deadline ?? Number.POSITIVE_INFINITY) - start;
    const timeout = Math.max(1, Math.min(this.#timeout, left));
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
      this.#log({ method, url, result, duration: this.clock.monotonic() - start, attempt });
    }
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
