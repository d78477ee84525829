/** The service as a typed client: one method per endpoint (api.md, "Endpoints"; cli.md section 10). */

import { linkedController } from "../base/async.ts";
import type { Clock } from "../base/clock.ts";
import { systemClock } from "../base/clock.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { DEFAULTS, isHeaderValue } from "../base/http.ts";
import type { Environment } from "../base/process.ts";
import { isUuid } from "../base/uuid.ts";
import { memoize, type PlainObject } from "../base/values.ts";
import { type Provider, type ProviderRow, providerIn } from "../course/provider.ts";
import type { Course } from "../course/wire.ts";
import { courseAmong, failure } from "./answer.ts";
import { baseAddress } from "./base-address.ts";
import { type Creation, createCourse } from "./create-course.ts";
import { type Exchange, logging } from "./logging.ts";
import { pacing } from "./pacing.ts";
import { type ListingEnd, type ListOptions, paginate, type ReadPage } from "./paginate.ts";
import type { CourseQuery } from "./query.ts";
import type { RawCall, RawResponse } from "./raw.ts";
import { type AttemptOptions, type Attempts, attempt } from "./retry.ts";
import { isRecord, rowsIn } from "./rows.ts";
import type { BufferedResponse, Request, Send, Transport } from "./transport.ts";
import { mayHaveTakenEffect, withUncertainty } from "./uncertain-outcome.ts";

/** How the client reaches the service. Only the address and the key are needed. */
export interface ClientOptions {
  /** The service's base address; the paths of api.md are below it. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Milliseconds for one try at a request; 30,000 if left out. */
  readonly timeout?: number;
  /** How often a request is repeated; 4 if left out. */
  readonly retries?: number;
  /** How many requests are under way at once; 4 if left out. */
  readonly concurrency?: number;
  /** The vendor word of the single-object media type; `pgrst` if left out. */
  readonly vendor?: string;
  /** Aborting it ends every request. */
  readonly signal?: AbortSignal;
  /** Told of every exchange; never of the key. */
  readonly log?: (exchange: Exchange) => void;
  /** For proxy variables; none are used if left out. */
  readonly environment?: Environment;
  readonly clock?: Clock;
  /** In place of undici, for tests. */
  readonly transport?: () => Promise<Transport>;
}

const COURSES = "developer/v1/courses";
const PROVIDERS = "developer/v1/providers";
const READING = "read the courses";

/** A client of one service with one key. Every method throws a `CatalogError` when it fails. */
export class CatalogClient {
  readonly #options: ClientOptions;
  readonly #base: URL;
  readonly #clock: Clock;
  readonly #transport: () => Promise<Transport>;
  readonly #send: () => Promise<Send>;
  /** Aborted by the caller's signal, and when the client is closed. */
  readonly #ending: AbortController;
  /** Requests that were built before their time, by what they send. */
  readonly #prepared = new WeakMap<
    PlainObject,
    { readonly id?: string; readonly request: Request }
  >();
  #opened = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = baseAddress(options.baseUrl);
    if (!isHeaderValue(options.apiKey)) {
      throw usageError("the API key holds characters that no HTTP header may hold");
    }
    this.#ending = linkedController(options.signal);
    this.#clock = options.clock ?? systemClock;
    this.#transport = memoize(options.transport ?? (() => this.#undici()));
    const paced = pacing(options.concurrency ?? DEFAULTS.concurrency, this.#clock);
    this.#send = memoize(async () => {
      this.#opened = true;
      const { send } = await this.#transport();
      const { log } = options;
      return paced(log === undefined ? send : logging(log, this.#clock)(send));
    });
  }

  /** The user's providers. */
  async providers(): Promise<Provider[]> {
    return (await this.providerRows()).map(providerIn);
  }

  /** The user's providers as they came, to be shown. */
  async providerRows(): Promise<ProviderRow[]> {
    return await this.#rows(this.#request("GET", PROVIDERS), "list the providers", isRecord);
  }

  /** One page of courses. @returns at most `limit`, 10 if it is left out */
  async courses(query: CourseQuery = {}): Promise<Course[]> {
    return await this.#page(query);
  }

  /** All courses that match, page by page, several pages at once; a course met twice comes once. */
  list(options: ListOptions): AsyncGenerator<Course[], ListingEnd, void> {
    const concurrency = this.#options.concurrency ?? DEFAULTS.concurrency;
    const ending = linkedController(this.#ending.signal);
    const read: ReadPage = async (query) => {
      const request = this.#pageRequest(query);
      const answer = await this.#expectDone(request, READING, { signal: ending.signal });
      return () => rowsIn(request, answer, isRecord);
    };
    const chance = this.#clock.random();
    return paginate(read, { ...options, concurrency, ending, chance });
  }

  /** The course with that id, or undefined where the user has none. */
  async course(id: string): Promise<Course | undefined> {
    return courseAmong(await this.#page({ id: checkedId(id) }), id);
  }

  /**
   * Creates a course under the id that it carries, once: after a lost answer the id is looked up
   * before the request is sent again (cli.md section 8).
   *
   * @param course the body, with an `id`
   * @param chosen whether the id was chosen for this call, so that a course found under it is this one
   */
  async create(course: PlainObject & { readonly id: string }, chosen: boolean): Promise<Creation> {
    checkedId(course.id);
    const request = this.#writeRequest(course);
    return await createCourse(course, chosen, {
      request,
      attempt: (tookEffect) => this.#attempt(request, { tookEffect }),
      lookUp: async (deadline) => {
        const extra = deadline === undefined ? {} : { deadline };
        return courseAmong(await this.#page({ id: course.id }, extra), course.id);
      },
    });
  }

  /** Changes the given attributes of a course. */
  async update(id: string, changes: PlainObject): Promise<void> {
    const request = this.#writeRequest(changes, id);
    const { outcome, uncertainBefore } = await this.#attempt(request);
    if (outcome === "took-effect" || isSuccess(outcome)) return;
    const error = failure(request, outcome, `update course ${id}`);
    throw uncertainBefore || mayHaveTakenEffect(outcome)
      ? withUncertainty(error, "have been changed", id)
      : error;
  }

  /**
   * Builds the request of a later `create`, or with an `id` that of an `update`, while there is time:
   * the service waits for a request that is built only when it is to be sent.
   *
   * @param body the very object that will be given to that call
   */
  prepare(body: PlainObject, id?: string): void {
    const built = this.#writeRequest(body, id);
    const request = { ...built, bytes: Buffer.from(built.body ?? "") };
    this.#prepared.set(body, id === undefined ? { request } : { id, request });
  }

  /** Deletes a course. @throws CatalogError of kind `missing` when there was none */
  async delete(id: string): Promise<void> {
    const vendor = this.#options.vendor ?? DEFAULTS.vendor;
    const request = this.#request("DELETE", COURSES, { id: checkedId(id) }, undefined, {
      accept: `application/vnd.${vendor}.object+json`,
    });
    const { outcome, uncertainBefore } = await this.#attempt(request);
    if (outcome === "took-effect" || isSuccess(outcome)) return;
    // A lost answer to an earlier try explains why the course is gone now.
    if (uncertainBefore && "answer" in outcome && outcome.answer.status === 406) return;
    const error = failure(request, outcome, `delete course ${id}`);
    throw uncertainBefore || mayHaveTakenEffect(outcome)
      ? withUncertainty(error, "be gone", id)
      : error;
  }

  /** Sends one request as it is told, once, and gives back what came, of any status (`raw.ts`). */
  async raw(call: RawCall): Promise<RawResponse> {
    const { apiKey, vendor = DEFAULTS.vendor, timeout = DEFAULTS.timeout * 1000 } = this.#options;
    const { rawRequest, sendRaw } = await import("./raw.ts");
    const request = rawRequest(call, { base: this.#base, apiKey, vendor });
    return await sendRaw(request, await this.#send(), { timeout, signal: this.#ending.signal });
  }

  /** Lets requests under way fail, which are not repeated; the connections are left to the system. */
  abort(): void {
    this.#ending.abort();
  }

  /** Closes the connections; requests under way fail, and are not repeated. */
  async close(): Promise<void> {
    this.abort();
    if (this.#opened) await (await this.#transport()).close();
  }

  async #undici(): Promise<Transport> {
    const { undiciTransport } = await import("./undici-transport.ts");
    return await undiciTransport({
      baseUrl: this.#base.href,
      connections: this.#options.concurrency ?? DEFAULTS.concurrency,
      environment: this.#options.environment ?? {},
    });
  }

  async #page(query: CourseQuery, extra: Partial<AttemptOptions> = {}): Promise<Course[]> {
    return await this.#rows(this.#pageRequest(query), READING, isRecord, extra);
  }

  #pageRequest({ providerId, ...query }: CourseQuery): Request {
    const { limit, offset, id, name, published } = query;
    const words = { limit, offset, id, provider_id: providerId, name, published };
    return this.#request("GET", COURSES, words);
  }

  async #rows<Row>(
    request: Request,
    doing: string,
    isRow: (row: unknown) => row is Row,
    extra: Partial<AttemptOptions> = {},
  ): Promise<Row[]> {
    return rowsIn(request, await this.#expectDone(request, doing, extra), isRow);
  }

  async #expectDone(
    request: Request,
    doing: string,
    extra: Partial<AttemptOptions> = {},
  ): Promise<BufferedResponse> {
    const { outcome } = await this.#attempt(request, extra);
    if (outcome !== "took-effect" && isSuccess(outcome)) return outcome.answer;
    if (outcome === "took-effect") throw new CatalogError("internal", `could not ${doing}`);
    throw failure(request, outcome, doing);
  }

  async #attempt(request: Request, extra: Partial<AttemptOptions> = {}): Promise<Attempts> {
    return await attempt(request, {
      send: await this.#send(),
      clock: this.#clock,
      timeout: this.#options.timeout ?? DEFAULTS.timeout * 1000,
      retries: this.#options.retries ?? DEFAULTS.retries,
      signal: this.#ending.signal,
      ...extra,
    });
  }

  /** The request that creates a course or, with an `id`, changes one: built before, or now. */
  #writeRequest(body: PlainObject, id?: string): Request {
    const prepared = this.#prepared.get(body);
    this.#prepared.delete(body);
    if (prepared !== undefined && prepared.id === id) return prepared.request;
    return id === undefined
      ? this.#request("POST", COURSES, {}, body)
      : this.#request("PATCH", COURSES, { id: checkedId(id) }, body);
  }

  #request(
    method: Request["method"],
    path: string,
    query: Readonly<Record<string, string | number | boolean | undefined>> = {},
    body?: PlainObject,
    headers: Readonly<Record<string, string>> = {},
  ): Request {
    const url = new URL(path, this.#base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const common = { "x-api-key": this.#options.apiKey, accept: "application/json", ...headers };
    if (body === undefined) return { method, url: url.href, headers: common };
    return {
      method,
      url: url.href,
      headers: { ...common, "content-type": "application/json" },
      body: JSON.stringify(body),
    };
  }
}

/** Behind a DELETE or PATCH without a valid id, a service of this kind can empty a table. */
function checkedId(id: string): string {
  if (!isUuid(id)) throw usageError(`not a UUID: ${JSON.stringify(id)}`);
  return id.toLowerCase();
}

function isSuccess(outcome: object): outcome is { answer: BufferedResponse; hasHint: boolean } {
  if (!("answer" in outcome)) return false;
  const { status } = outcome.answer as BufferedResponse;
  return status >= 200 && status < 300;
}
