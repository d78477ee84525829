/** The client of the service: one method per endpoint (docs/service.md). */
import { linkedController } from "../base/async.ts";
import { CollectedMemory } from "../base/collected-memory.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { DEFAULTS } from "../base/http.ts";
import { isUuid, type PlainObject } from "../base/values.ts";
import { type Provider, type ProviderRow, providerIn } from "../course/provider.ts";
import type { Course } from "../course/request-body.ts";
import {
  type Change,
  type Creation,
  createCourse,
  deleteCourse,
  updateCourse,
} from "./lost-writes.ts";
import {
  type CourseQuery,
  type FirstPage,
  type ListingEnd,
  type ListOptions,
  paginate,
  readFirstPage,
} from "./paginate.ts";
import { type RawCall, type RawResponse, rawUrl, sendRaw } from "./raw.ts";
import { isSuccess, parseRows, toFailure } from "./response.ts";
import { type RetryOptions, Sender, type SenderOptions } from "./sender.ts";
import { MAX_RESPONSE_SIZE, type Method, type Request } from "./transport.ts";

const COURSES = "developer/v1/courses";
const PROVIDERS = "developer/v1/providers";

/** Bytes of a response with one course, or with the user's providers. */
const SMALL_RESPONSE = 8 * 1024 * 1024;

export interface ClientOptions extends SenderOptions {
  /** The vendor word of the single-object media type; `pgrst` by default. */
  readonly vendor?: string;
}

/** Bytes of the pages that are read at once, if they are as large as those before. */
const READ_AHEAD = 32 * 1024 * 1024;

/** A client of one service with one key. Every method throws a `CatalogError` if it fails. */
export class CatalogClient {
  /** Counts the courses that its user keeps. */
  readonly collected = new CollectedMemory();
  readonly #sender: Sender;
  readonly #vendor: string;
  /** Bytes of the largest list that was received. */
  #largestPage = 1;

  /** @throws CatalogError of kind `usage` for an invalid address or key */
  constructor({ vendor = DEFAULTS.vendor, ...options }: ClientOptions) {
    this.#sender = new Sender(options);
    this.#vendor = vendor;
  }

  /** The user's providers. */
  async providers(options: RetryOptions = {}): Promise<Provider[]> {
    return (await this.providerRows(options)).map(providerIn);
  }

  /** The user's providers as the service sent them. */
  async providerRows(options: RetryOptions = {}): Promise<ProviderRow[]> {
    return await this.#readRows(this.#request("GET", PROVIDERS), "list the providers", options);
  }

  /** One page of courses. @returns at most `limit` courses, 10 by default */
  async courses(query: CourseQuery = {}, options: RetryOptions = {}): Promise<Course[]> {
    const { providerId: provider_id, limit, offset, id, name, published } = query;
    const parameters = { limit, offset, id, provider_id, name, published };
    const request = this.#request("GET", COURSES, parameters);
    // Pages are large and compress well; a single course is not worth it.
    const headers = { ...request.headers, "accept-encoding": "gzip, br" };
    const page = { ...request, headers, maxBytes: MAX_RESPONSE_SIZE };
    return await this.#readRows(limit === undefined ? request : page, "read the courses", options);
  }

  /** The first hundred courses that match; fewer only if there are no more. */
  async firstPage(filter: Required<ListOptions>["filter"]): Promise<FirstPage> {
    return await readFirstPage((query) => this.courses(query), filter);
  }

  /** All courses that match, page by page, with several pages in flight; each course once. */
  async *list(
    options: ListOptions,
    retryOptions: RetryOptions = {},
  ): AsyncGenerator<Course[], ListingEnd, void> {
    const ending = linkedController(this.#sender.signal);
    const { signal } = ending;
    // Parallel pages are in memory together.
    const concurrency = (): number =>
      Math.min(this.#sender.concurrency, Math.max(1, Math.floor(READ_AHEAD / this.#largestPage)));
    const read = (query: CourseQuery): Promise<Course[]> =>
      this.courses(query, { ...retryOptions, signal });
    try {
      return yield* paginate(read, { ...options, concurrency });
    } finally {
      // Ends the requests of pages that are no longer needed.
      ending.abort();
    }
  }

  /** The course with that id, or undefined if the user has none. */
  async course(id: string, options: RetryOptions = {}): Promise<Course | undefined> {
    const wanted = checkId(id);
    const courses = await this.courses({ id: wanted }, options);
    const found = courses.find((course) => course.id.toLowerCase() === wanted);
    if (found !== undefined || courses.length === 0) return found;
    // A service that ignores the filter must not make us delete or overwrite another course.
    const message = `requested course ${wanted}, but the service returned a different one`;
    const advice = "Check that the base URL is that of the catalog service.";
    throw new CatalogError("unreachable", message, { status: 200, advice });
  }

  /**
   * Creates a course under its id, once: after a lost response the id is looked up before the request
   * is sent again.
   *
   * @param course the body, with an `id`
   */
  async create(course: PlainObject & { readonly id: string }): Promise<Creation> {
    checkId(course.id);
    const { name, provider_id } = course;
    const filter = {
      ...(typeof name === "string" && { name }),
      ...(typeof provider_id === "string" && { providerId: provider_id }),
    };
    return await createCourse(this.#change("POST", course.id, course), course, (options) =>
      this.list({ filter, mayBeEmpty: true }, options),
    );
  }

  /** Changes the given attributes of a course. @throws CatalogError of kind `missing` without one */
  async update(id: string, changes: PlainObject): Promise<void> {
    await updateCourse(this.#change("PATCH", id, changes), changes);
  }

  /** Deletes a course. @throws CatalogError if it exists afterwards, or may exist */
  async delete(id: string): Promise<void> {
    await deleteCourse(this.#change("DELETE", id));
  }

  /** Sends one request as given, once. @returns the response, of any status */
  async raw(call: RawCall): Promise<RawResponse> {
    const { method, body } = call;
    const url = rawUrl(call, this.#sender.base);
    return await sendRaw({ method, ...this.#contentOf(method, body), url: url.href }, this.#sender);
  }

  /** Closes the connections; requests in flight fail without retries. */
  async close(): Promise<void> {
    await this.#sender.close();
  }

  #change(method: Method, id: string, content?: PlainObject): Change {
    const query = method === "POST" ? {} : { id: checkId(id) };
    return {
      sender: this.#sender,
      request: this.#request(method, COURSES, query, content),
      id,
      lookUp: (options) => this.course(id, options),
    };
  }

  async #readRows(request: Request, action: string, options: RetryOptions = {}) {
    const { outcome } = await this.#sender.send(request, options);
    if ("response" in outcome && isSuccess(outcome.response)) {
      this.#largestPage = Math.max(this.#largestPage, outcome.response.body.length);
      return parseRows(request, outcome.response);
    }
    throw toFailure(request, outcome, action);
  }

  #request(
    method: Method,
    path: string,
    query: Readonly<Record<string, string | number | boolean | undefined>> = {},
    content?: PlainObject,
  ): Request {
    const url = new URL(path, this.#sender.base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const body = content && JSON.stringify(content);
    return { method, url: url.href, ...this.#contentOf(method, body), maxBytes: SMALL_RESPONSE };
  }

  /** The body and the headers that it and the method need. */
  #contentOf(method: Method, body: Request["body"]): Pick<Request, "headers" | "body"> {
    const isDelete = method === "DELETE";
    const accept = isDelete ? `application/vnd.${this.#vendor}.object+json` : "application/json";
    if (body === undefined) return { headers: { accept } };
    return { headers: { accept, "content-type": "application/json" }, body };
  }
}

/** Without a valid id, a DELETE or PATCH could affect every course of a service of this kind. */
function checkId(id: string): string {
  if (!isUuid(id)) throw usageError(`not a UUID: ${JSON.stringify(id)}`);
  return id.toLowerCase();
}
