/** The client of the service: one method per endpoint (docs/service.md). */
import { linkedController } from "../base/async.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { parseApiKey, parseBaseUrl } from "../base/credentials.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { DEFAULTS } from "../base/http.ts";
import { CollectedMemory } from "../base/memory.ts";
import type { Environment } from "../base/process.ts";
import { isUuid } from "../base/uuid.ts";
import { memoize, type PlainObject } from "../base/values.ts";
import { type Provider, type ProviderRow, providerIn } from "../course/provider.ts";
import type { Course } from "../course/request-body.ts";
import { type ChangeRequests, deleteCourse, updateCourse } from "./change-course.ts";
import { type Creation, createCourse } from "./create-course.ts";
import { toFailure } from "./failure.ts";
import { type Exchange, withLog } from "./log.ts";
import {
  type CourseQuery,
  type FirstPage,
  type ListingEnd,
  type ListOptions,
  paginate,
  readFirstPage,
} from "./paginate.ts";
import { RateLimiter, withRateLimit } from "./rate-limit.ts";
import type { RawCall, RawResponse } from "./raw.ts";
import { hasId, isSuccess, parseRows } from "./response.ts";
import { type FinalOutcome, type RetryOptions, sendWithRetries } from "./retry.ts";
import {
  MAX_RESPONSE_SIZE,
  type Method,
  type Request,
  type Send,
  type Transport,
} from "./transport.ts";

/** How the client reaches the service. Only the address and the key are required. */
export interface ClientOptions {
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
  /** The vendor word of the single-object media type; `pgrst` by default. */
  readonly vendor?: string;
  /** Aborting it ends every request. */
  readonly signal?: AbortSignal;
  /** Called after every exchange; never with the key. */
  readonly log?: (exchange: Exchange) => void;
  /** For proxy variables; none are used by default. */
  readonly environment?: Environment;
  readonly clock?: Clock;
  /** Replaces undici, for tests. */
  readonly transport?: () => Promise<Transport>;
}

/** Bytes of the pages that are read at once, if they are as large as those before. */
const READ_AHEAD = 32 * 1024 * 1024;

/** Bytes of a response with one course, or with the user's providers. */
const SMALL_RESPONSE = 8 * 1024 * 1024;

const COURSES = "developer/v1/courses";
const PROVIDERS = "developer/v1/providers";

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A client of one service with one key. Every method throws a `CatalogError` if it fails. */
export class CatalogClient {
  /** Counts the courses that its user keeps. */
  readonly collected = new CollectedMemory();
  readonly #options: Required<
    Pick<ClientOptions, "timeout" | "retries" | "concurrency" | "vendor">
  >;
  readonly #base: URL;
  readonly #clock: Clock;
  readonly #limiter: RateLimiter;
  readonly #onRetry: NonNullable<ClientOptions["onRetry"]>;
  /** Until when refused connections are retried, on the clock; 0 after the first response. */
  #waitUntil: number;
  /** Bytes of the largest list that was received. */
  #largestPage = 1;
  /** Undefined until the first request. */
  #transport: Promise<Transport> | undefined;
  readonly #send: () => Promise<Send>;
  /** Aborted by the caller's signal, and when the client is closed. */
  readonly #controller: AbortController;

  /** @throws CatalogError of kind `usage` for an invalid address or key */
  constructor(options: ClientOptions) {
    const { log, clock = systemClock, environment = {} } = options;
    const { concurrency = DEFAULTS.concurrency } = options;
    this.#options = {
      timeout: options.timeout ?? DEFAULTS.timeout * 1000,
      retries: options.retries ?? DEFAULTS.retries,
      vendor: options.vendor ?? DEFAULTS.vendor,
      concurrency,
    };
    const baseUrl = requireOption(options.baseUrl, "base URL", "baseUrl");
    // A relative path replaces everything after the last slash.
    this.#base = new URL(`${parseBaseUrl(baseUrl, ORIGIN)}/`);
    const apiKey = parseApiKey(requireOption(options.apiKey, "API key", "apiKey"), ORIGIN);
    this.#controller = linkedController(options.signal);
    this.#clock = clock;
    this.#limiter = new RateLimiter(concurrency, clock);
    this.#onRetry = options.onRetry ?? (() => undefined);
    this.#waitUntil = clock.now() + (options.waitForService ?? 0);
    const open = options.transport ?? (() => openUndici(this.#base.href, concurrency, environment));
    this.#send = memoize(async () => {
      this.#transport = open();
      const { send } = await this.#transport;
      // Nothing outside of this function sees the key.
      const authorized: Send = (request, options) =>
        send({ ...request, headers: { ...request.headers, "x-api-key": apiKey } }, options);
      const logged = log === undefined ? authorized : withLog(log, clock, authorized);
      return withRateLimit(this.#limiter, clock, logged);
    });
  }

  /** The user's providers. */
  async providers(): Promise<Provider[]> {
    return (await this.providerRows()).map(providerIn);
  }

  /** The user's providers as the service sent them. */
  async providerRows(): Promise<ProviderRow[]> {
    return await this.#readRows(this.#buildRequest("GET", PROVIDERS), "list the providers");
  }

  /** One page of courses. @returns at most `limit` courses, 10 by default */
  async courses(query: CourseQuery = {}): Promise<Course[]> {
    return await this.#readCourses(query);
  }

  /** The first hundred courses that match; fewer only if there are no more. */
  async firstPage(filter: Required<ListOptions>["filter"]): Promise<FirstPage> {
    return await readFirstPage((query) => this.#readCourses(query), filter);
  }

  /** All courses that match, page by page, with several pages in flight; each course once. */
  list(options: ListOptions): AsyncGenerator<Course[], ListingEnd, void> {
    return this.#list(options);
  }

  async *#list(
    options: ListOptions,
    retryOptions: Partial<RetryOptions> = {},
  ): AsyncGenerator<Course[], ListingEnd, void> {
    const ending = linkedController(this.#controller.signal);
    const { signal } = ending;
    // Parallel pages are in memory together.
    const concurrency = (): number =>
      Math.min(this.#options.concurrency, Math.max(1, Math.floor(READ_AHEAD / this.#largestPage)));
    const read = (query: CourseQuery): Promise<Course[]> =>
      this.#readCourses(query, { ...retryOptions, signal });
    try {
      return yield* paginate(read, { ...options, concurrency });
    } finally {
      // Ends the requests of pages that are no longer needed.
      ending.abort();
    }
  }

  /** The course with that id, or undefined if the user has none. */
  async course(id: string): Promise<Course | undefined> {
    return await this.#findCourse(checkId(id));
  }

  /**
   * Creates a course under its id, once: after a lost response the id is looked up before the request
   * is sent again.
   *
   * @param course the body, with an `id`
   */
  async create(course: PlainObject & { readonly id: string }): Promise<Creation> {
    checkId(course.id);
    const request = this.#buildRequest("POST", COURSES, {}, course);
    return await createCourse(course, {
      request,
      send: (tookEffect) => this.#sendWithRetries(request, { tookEffect }),
      lookUp: (deadline) => this.#findCourse(course.id, { deadline }),
      findByName: (deadline) =>
        this.#list({ filter: namesakesOf(course), mayBeEmpty: true }, { deadline }),
    });
  }

  /** Changes the given attributes of a course. @throws CatalogError of kind `missing` without one */
  async update(id: string, changes: PlainObject): Promise<void> {
    const request = this.#buildRequest("PATCH", COURSES, { id: checkId(id) }, changes);
    await updateCourse(id, changes, this.#changeRequests(id, request));
  }

  /** Deletes a course. @throws CatalogError of kind `missing` if there was none */
  async delete(id: string): Promise<void> {
    const accept = `application/vnd.${this.#options.vendor}.object+json`;
    const request = this.#buildRequest("DELETE", COURSES, { id: checkId(id) }, undefined, accept);
    await deleteCourse(id, this.#changeRequests(id, request));
  }

  /** Sends one request as given, once. @returns the response, of any status */
  async raw(call: RawCall): Promise<RawResponse> {
    const { vendor, timeout } = this.#options;
    const { buildRawRequest, sendRaw } = await import("./raw.ts");
    const request = buildRawRequest(call, this.#base, vendor);
    const { signal } = this.#controller;
    return await sendRaw(request, await this.#send(), { timeout, signal });
  }

  /** Makes requests in flight fail without retries; leaves the connections to the system. */
  abort(): void {
    this.#controller.abort();
  }

  /** Closes the connections; requests in flight fail without retries. */
  async close(): Promise<void> {
    this.abort();
    const transport = await this.#transport?.catch(() => undefined);
    await transport?.close();
  }

  #changeRequests(id: string, request: Request): ChangeRequests {
    return {
      request,
      send: () => this.#sendWithRetries(request),
      // Once is enough: all attempts at the change have failed before.
      lookUp: (deadline) => this.#findCourse(id, { deadline, retries: 0 }),
    };
  }

  async #findCourse(id: string, options: Partial<RetryOptions> = {}): Promise<Course | undefined> {
    const courses = await this.#readCourses({ id }, options);
    const found = courses.find((course) => course.id.toLowerCase() === id.toLowerCase());
    if (found !== undefined || courses.length === 0) return found;
    // A service that ignores the filter must not make us delete or overwrite another course.
    const message = `requested course ${id}, but the service returned a different one`;
    const advice = "Check that the base URL is that of the catalog service.";
    throw new CatalogError("unreachable", message, { status: 200, advice });
  }

  async #readCourses(
    { providerId, ...query }: CourseQuery,
    options: Partial<RetryOptions> = {},
  ): Promise<Course[]> {
    const { limit, offset, id, name, published } = query;
    const parameters = { limit, offset, id, provider_id: providerId, name, published };
    const request = this.#buildRequest("GET", COURSES, parameters);
    return await this.#readRows(
      limit === undefined ? request : pageRequest(request),
      "read the courses",
      options,
    );
  }

  async #readRows(request: Request, action: string, options: Partial<RetryOptions> = {}) {
    const { outcome } = await this.#sendWithRetries(request, options);
    if ("response" in outcome && isSuccess(outcome.response)) {
      this.#largestPage = Math.max(this.#largestPage, outcome.response.body.length);
      return parseRows(request, outcome.response, hasId);
    }
    throw toFailure(request, outcome, action);
  }

  async #sendWithRetries(
    request: Request,
    options: Partial<RetryOptions> = {},
  ): Promise<FinalOutcome> {
    const { timeout, retries } = this.#options;
    const accepted = (method: Method): number => this.#limiter.accepted(method);
    const clock = this.#clock;
    const send = await this.#send();
    const context = { send, clock, timeout, retries, accepted, onRetry: this.#onRetry };
    const { signal } = this.#controller;
    for (;;) {
      const final = await sendWithRetries(request, context, { signal, ...options });
      const { outcome, uncertainBefore } = final;
      const isRefused = "error" in outcome && outcome.error.code === "ECONNREFUSED";
      if (!isRefused || uncertainBefore) this.#waitUntil = 0;
      if (clock.now() >= this.#waitUntil) return final;
      this.#onRetry(0);
      await clock.sleep(500, signal).catch(() => undefined);
    }
  }

  #buildRequest(
    method: Method,
    path: string,
    query: Query = {},
    body?: PlainObject,
    accept = "application/json",
  ): Request {
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const request = { method, url: url.href, maxBytes: SMALL_RESPONSE };
    if (body === undefined) return { ...request, headers: { accept } };
    const headers = { accept, "content-type": "application/json" };
    return { ...request, headers, body: JSON.stringify(body) };
  }
}

/** Where the base URL and the key of a client come from, as messages name it. */
const ORIGIN = "new CatalogClient";

/** JavaScript, and an empty variable, can leave an option out, although the type does not allow it. */
function requireOption(value: string | undefined, what: string, name: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw usageError(`no ${what} is set`, `Pass ${name} to ${ORIGIN}.`);
}

/** Pages are large and compress well; a single course is not worth it. */
function pageRequest(request: Request): Request {
  const headers = { ...request.headers, "accept-encoding": "gzip, br" };
  return { ...request, headers, maxBytes: MAX_RESPONSE_SIZE };
}

async function openUndici(
  baseUrl: string,
  connections: number,
  environment: Environment,
): Promise<Transport> {
  const { undiciTransport } = await import("./undici-transport.ts");
  return await undiciTransport({ baseUrl, connections, environment });
}

/** Without a valid id, a DELETE or PATCH could affect every course of a service of this kind. */
function checkId(id: string): string {
  if (!isUuid(id)) throw usageError(`not a UUID: ${JSON.stringify(id)}`);
  return id.toLowerCase();
}

/** Finds the courses with the name of a new one, among them one that the service gave another id. */
function namesakesOf({ name, provider_id }: PlainObject): Omit<CourseQuery, "limit" | "offset"> {
  return {
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof provider_id === "string" ? { providerId: provider_id } : {}),
  };
}
