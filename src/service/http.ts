/** Sends requests: one exchange with undici, a gate that all requests pass, and one loop of retries. */
import { BlockList, isIP, isIPv6 } from "node:net";
import { linkedController } from "../base/async.ts";
import { DEFAULTS, isLoopback, PARSERS, parseApiKey, parseBaseUrl } from "../base/credentials.ts";
import { attempt, usageError, VERSION } from "../base/errors.ts";
import { type Clock, type Environment, systemClock } from "../base/io.ts";
import {
  type HttpRequest,
  type HttpResponse,
  INTERRUPTED,
  isThrottled,
  isUncertain,
  mayPass,
  type Reply,
  requestId,
  toFailure,
} from "./errors.ts";

/** Connections to a service. */
export interface Transport {
  /** The variable that names the proxy of all requests; undefined without a proxy. */
  readonly proxyVariable?: string | undefined;
  /**
   * Carries out one exchange; the response may have any status.
   *
   * @param timeout the milliseconds after which it fails
   * @throws unknown without a complete response
   */
  send(request: HttpRequest, timeout: number): Promise<HttpResponse>;
  /** Closes the connections; exchanges that have not ended fail. */
  close(): Promise<void>;
}

/** Connects at the first request; follows no redirect. @throws CatalogError of kind `usage` for a bad proxy */
export async function openTransport({
  baseUrl,
  environment = {},
  timeout: usual = DEFAULTS.timeout * 1000,
}: Pick<ClientOptions, "baseUrl" | "environment" | "timeout">): Promise<Transport> {
  const { Agent, ProxyAgent } = await import("undici");
  const proxyVariable = findProxyVariable(new URL(baseUrl), environment);
  // A connection that takes half of the time has failed before anything was sent.
  const connect = { timeout: usual / 2 };
  // Other limits than the one of each request are off.
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  const connectToProxy = (variable: string) => {
    const uri = (environment[variable] ?? "").replace(/^(?!.*:\/\/)/, "http://");
    // SOCKS, for example, is experimental in undici.
    if (!/^https?:/i.test(uri)) return undefined;
    // Most proxies allow tunnels only to port 443: requests over plain HTTP are forwarded.
    const options = { uri, proxyTunnel: false, proxyTls: connect, requestTls: connect };
    return new ProxyAgent({ ...limits, ...options });
  };
  const dispatcher =
    proxyVariable === undefined
      ? new Agent({ ...limits, connect })
      : attempt(() => connectToProxy(proxyVariable));
  if (dispatcher === undefined) {
    const example = "For example: http://user:password@proxy.example:3128";
    throw usageError(`${proxyVariable} is not the URL of an HTTP proxy`, example);
  }
  const send: Transport["send"] = async ({ url, method, headers, body = null }, timeout) => {
    // A signal of AbortSignal.timeout would keep a finished request in memory until the time has passed.
    const ending = new AbortController();
    const { signal } = ending;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(new DOMException("no response in time", "TimeoutError"));
        ending.abort();
      }, timeout);
    });
    const receive = async (): Promise<HttpResponse> => {
      const { origin, pathname, search } = new URL(url);
      const sent = { origin, path: pathname + search, method, headers, body, signal };
      const response = await dispatcher.request(sent);
      const { statusCode: status, statusText: reason } = response;
      const lines = Object.entries(response.headers);
      const joined = lines.map(([name, value = ""]) => [name, [value].flat().join(", ")]);
      const answered: HttpResponse["headers"] = Object.fromEntries(joined);
      const bytes = Buffer.from(await response.body.arrayBuffer());
      const isPacked = answered["content-encoding"] === "gzip" && bytes.length > 0;
      const content = isPacked ? (await import("node:zlib")).gunzipSync(bytes) : bytes;
      return { status, reason, headers: answered, body: content };
    };
    try {
      // undici notices an abort only when it is connected, which can take forever.
      return await Promise.race([receive(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
  return { proxyVariable, send, close: () => dispatcher.destroy() };
}

/** The variable that names the proxy for a URL, as curl reads it, but never for this machine; undefined without a proxy. */
function findProxyVariable(url: URL, environment: Environment): string | undefined {
  const find = (name: string): string | undefined =>
    [name.toLowerCase(), name].find((each) => environment[each]);
  if (isLoopback(url.hostname)) return undefined;
  const exceptions = environment[find("NO_PROXY") ?? ""] ?? "";
  if (exceptions.split(/[\s,]+/).some((entry) => isMatch(url, entry.toLowerCase())))
    return undefined;
  return find(url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
}

/** Whether an entry of `NO_PROXY` names a host: `*`, a name for its subdomains too, an address, or a network. */
function isMatch({ hostname, host }: URL, entry: string): boolean {
  const withoutBrackets = (text: string): string => text.replace(/^\[|\]$/g, "");
  const own = withoutBrackets(hostname);
  const [address = "", bits = isIPv6(own) ? 128 : 32] = withoutBrackets(entry).split("/");
  if (isIP(own) !== 0 && isIP(own) === isIP(address)) {
    const family = isIPv6(own) ? "ipv6" : "ipv4";
    const network = new BlockList();
    attempt(() => network.addSubnet(address, Number(bits), family));
    return network.check(own, family);
  }
  const name = entry.replace(/^\*?\./, "").replace(/\.$/, "");
  if (entry === "*" || name === host) return true;
  return name !== "" && `.${own.replace(/\.$/, "")}`.endsWith(`.${name}`);
}

/** The time within which all attempts at one request must end, with its look-ups, in milliseconds. */
const FIVE_MINUTES = 5 * 60_000;
const [FIRST_PAUSE, LONGEST_PAUSE, LONGEST_RETRY_AFTER] = [500, 20_000, 60_000];
/** After so many accepted requests in a row, one more may be in flight. */
const ACCEPTED_PER_STEP = 32;

/** A pause that doubles from half a second to 20 seconds, with jitter that only lengthens it. */
function backoff(failures: number, clock: Clock): number {
  const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1));
  return Math.round(pause * (1 + clock.random() / 10));
}

/** `Retry-After` in milliseconds: seconds, or a date by the clock of the service; 0 without a valid header. */
function retryAfter(reply: Reply, clock: Clock): number {
  const { "retry-after": text = "", date = "" } = reply.type === "response" ? reply.headers : {};
  const seconds = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  const wait = seconds * 1000 || Date.parse(text) - (Date.parse(date) || clock.now());
  return Math.min(LONGEST_RETRY_AFTER, Math.max(0, wait || 0));
}

/** Lets at most a number of requests be in flight, and none start before the time that the service named. */
class Gate {
  readonly #most: number;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;
  #openAt = 0;
  /** How many pauses in a row ended with another rejection. */
  #rejections = 0;
  /** The most requests in flight: fewer after a rejection, because the same burst would be rejected again. */
  #width: number;
  #accepted = 0;

  constructor(most: number, clock: Clock) {
    this.#most = most;
    this.#width = most;
    this.#clock = clock;
  }

  /** Milliseconds until requests may start. */
  get pause(): number {
    return Math.max(0, this.#openAt - this.#clock.monotonic());
  }

  /** Resolves to whether the request may start; to false when the signal is aborted. */
  async enter(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (this.pause > 0) await this.#clock.sleep(this.pause, signal).catch(() => undefined);
      else if (this.#inFlight >= this.#width) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      } else return ++this.#inFlight > 0;
    }
    this.#waiting.shift()?.();
    return false;
  }

  /** Counts a request that has ended, and lets others follow. @param sent when it started */
  leave(sent: number, reply: Reply): void {
    this.#inFlight--;
    const isAfterPause = sent >= this.#openAt;
    if (isThrottled(reply)) {
      let pause = retryAfter(reply, this.#clock);
      // Requests that were in flight together count once.
      if (isAfterPause) {
        pause ||= backoff(++this.#rejections, this.#clock);
        this.#width = Math.ceil(this.#width / 2);
        this.#accepted = 0;
      }
      this.#openAt = Math.max(this.#openAt, this.#clock.monotonic() + pause);
    } else if (isAfterPause && reply.type === "response" && reply.status < 500) {
      this.#rejections = 0;
      if (++this.#accepted % ACCEPTED_PER_STEP === 0 && this.#width < this.#most) this.#width++;
    }
    const free = Math.max(0, this.#width - this.#inFlight);
    for (const start of this.#waiting.splice(0, free)) start();
  }
}

/** How the service is reached. Only the base URL and the API key are required. */
export interface ClientOptions {
  /** The service's base URL: `https://api.catalog.example`. All paths are relative to it. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds for one attempt; 30,000 by default, at most 300,000. */
  readonly timeout?: number;
  /** How many times a failed request is repeated; 6 by default. */
  readonly retries?: number;
  /** The most requests in flight; 4 by default. */
  readonly concurrency?: number;
  /** The vendor prefix of the single-object media type (docs/service.md); `pgrst` by default. */
  readonly vendor?: string;
  /** When this signal is aborted, pauses end and no request starts; those in flight are finished. */
  readonly stop?: AbortSignal;
  /** Called before a retry with the reason why the attempt failed. */
  readonly onRetry?: (reason: string) => void;
  /** Called after every exchange with its method, URL, result and duration; never with the key. */
  readonly log?: (line: string) => void;
  /** The environment in which proxy variables are looked up; empty by default. */
  readonly environment?: Environment;
  readonly clock?: Clock;
  /** Replaces undici, for tests. */
  readonly transport?: typeof openTransport;
}

/** How one request is repeated. */
export interface SendOptions {
  readonly retries?: number | undefined;
  /** When all attempts must have ended; by default five minutes after the first one. */
  readonly deadline?: number | undefined;
  /** Called before a repetition that could do something twice. Resolves to false to end the attempts. */
  readonly mayRepeat?: ((deadline: number) => Promise<boolean>) | undefined;
}

/** Sends the requests of one client with its API key. */
export class Http {
  /** The base URL with a slash at its end, because a relative path replaces what follows the last slash. */
  readonly base: URL;
  readonly concurrency: number;
  /** Aborted when pauses end and no request may start. */
  readonly stopping: AbortController;
  readonly #options: ClientOptions;
  readonly #clock: Clock;
  readonly #gate: Gate;
  /** The headers of every request. */
  readonly #own: HttpRequest["headers"];
  #transport: Promise<Transport> | undefined;

  /** @throws CatalogError of kind `usage` for an invalid option */
  constructor(options: ClientOptions) {
    const { clock = systemClock, concurrency = DEFAULTS.concurrency } = options;
    const { retries = DEFAULTS.retries, timeout = DEFAULTS.timeout * 1000 } = options;
    const numbers = { concurrency, retries, timeout: timeout / 1000 };
    for (const name of ["concurrency", "retries", "timeout"] as const) {
      PARSERS[name](String(numbers[name]), `${name} of ${ORIGIN}`);
    }
    const apiKey = parseApiKey(options.apiKey ?? "", ORIGIN);
    this.base = new URL(`${parseBaseUrl(options.baseUrl ?? "", ORIGIN)}/`);
    this.concurrency = concurrency;
    this.#options = options;
    this.#clock = clock;
    this.stopping = linkedController(options.stop);
    this.#gate = new Gate(concurrency, clock);
    // A cache may ignore that responses depend on the key.
    this.#own = {
      "cache-control": "no-cache",
      "user-agent": `catalog/${VERSION}`,
      "x-api-key": apiKey,
    };
  }

  /**
   * Sends a request, and repeats it while its failure may pass. A failed request is a reply, not an exception.
   *
   * @returns `isUncertain`: whether an attempt may have taken effect without a reply that says so
   */
  async send(request: HttpRequest, options: SendOptions = {}) {
    const { retries = this.#options.retries ?? DEFAULTS.retries, mayRepeat } = options;
    const { signal } = this.stopping;
    let { deadline = Number.POSITIVE_INFINITY } = options;
    let wasUncertain = false;
    for (let attempt = 1; ; attempt++) {
      if (!(await this.#gate.enter(signal))) {
        return { reply: INTERRUPTED, isUncertain: wasUncertain, deadline };
      }
      const sent = this.#clock.monotonic();
      deadline = Math.min(deadline, sent + FIVE_MINUTES);
      const reply = await this.#exchange(request, attempt, deadline - sent);
      this.#gate.leave(sent, reply);
      wasUncertain ||= isUncertain(reply);
      const result = { reply, isUncertain: wasUncertain, deadline };
      if (!mayPass(reply) || attempt > retries) return result;
      // After a rejection the gate makes all requests wait.
      const own = Math.max(backoff(attempt, this.#clock), retryAfter(reply, this.#clock));
      const pause = isThrottled(reply) ? 0 : own;
      const wait = Math.max(pause, this.#gate.pause);
      if (this.#clock.monotonic() + wait >= deadline) return result;
      const reason = reply.type === "response" ? `HTTP ${reply.status}` : reply.message;
      this.#options.onRetry?.(reason);
      await this.#clock.sleep(pause, signal).catch(() => undefined);
      if (signal.aborted) return { ...result, reply: INTERRUPTED };
      if (wasUncertain && mayRepeat !== undefined && !(await mayRepeat(deadline))) return result;
      // The look-up may have used up the time.
      if (this.#clock.monotonic() >= deadline) return result;
    }
  }

  /** Closes the connections; requests in flight fail without retries. */
  async close(): Promise<void> {
    this.stopping.abort();
    const transport = await this.#transport?.catch(() => undefined);
    await transport?.close();
  }

  async #exchange(request: HttpRequest, attempt: number, left: number): Promise<Reply> {
    const { transport = openTransport, timeout: usual = DEFAULTS.timeout * 1000 } = this.#options;
    this.#transport ??= transport(this.#options);
    const { send, proxyVariable } = await this.#transport;
    const timeout = Math.max(0, Math.min(usual, left));
    const { method, url, headers } = request;
    const start = this.#clock.monotonic();
    const keyed = { ...request, headers: { ...headers, ...this.#own } };
    const reply = await send(keyed, timeout).then(
      (response): Reply => ({ type: "response", ...response }),
      (thrown: unknown) => toFailure(thrown, timeout, proxyVariable),
    );
    const [result, id] =
      reply.type === "response" ? [reply.status, requestId(reply)] : [reply.code, ""];
    const duration = this.#clock.monotonic() - start;
    this.#options.log?.(`${method} ${url} → ${result} in ${duration} ms, attempt ${attempt}${id}`);
    return reply;
  }
}

/** How messages name the origin of the base URL and the key of a client. */
const ORIGIN = "new CatalogClient";
