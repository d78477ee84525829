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
} from "./course-writes.ts";
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

/** The most bytes of a response with one course, or with the user's providers. */
const SMALL_RESPONSE = 8 * 1024 * 1024;

export interface ClientOptions extends SenderOptions {
  /** The vendor prefix of the single-object media type (docs/service.md); `pgrst` by default. */
  readonly vendor?: string;
}

/** The most bytes of pages that are read at once, estimated by the largest page so far. */
const READ_AHEAD = 32 * 1024 * 1024;

/** A client of one service with one API key. Every method throws a `CatalogError` if the request fails. */
export class CatalogClient {
  /** Counts the memory of the courses that the caller keeps. */
  readonly collected = new CollectedMemory();
  readonly #sender: Sender;
  readonly #vendor: string;
  #largestPage = 1;

  /** @throws CatalogError of kind `usage` for an invalid base URL or API key */
  constructor({ vendor = DEFAULTS.vendor, ...options }: ClientOptions) {
    this.#sender = new Sender(options);
    this.#vendor = vendor;
  }

  /** The user's providers. */
  async providers(options: RetryOptions = {}): Promise<Provider[]> {
    return (await this.providerRows(options)).map(providerIn);
  }

  /** The user's providers with all fields that the service sent. */
  async providerRows(options: RetryOptions = {}): Promise<ProviderRow[]> {
    return await this.#readRows(this.#request("GET", PROVIDERS), "list the providers", options);
  }

  /** One page of courses. @returns at most `limit` courses, 10 by default */
  async courses(query: CourseQuery = {}, options: RetryOptions = {}): Promise<Course[]> {
    const { providerId: provider_id, limit, offset, id, name, published } = query;
    const parameters = { limit, offset, id, provider_id, name, published };
    const request = this.#request("GET", COURSES, parameters);
    // Pages are large and compress well; for a single course, compression is not worth its time.
    const headers = { ...request.headers, "accept-encoding": "gzip, br" };
    const page = { ...request, headers, maxBytes: MAX_RESPONSE_SIZE };
    return await this.#readRows(limit === undefined ? request : page, "read the courses", options);
  }

  /** The first hundred courses that match; fewer only if no more exist. */
  async firstPage(filter: Required<ListOptions>["filter"]): Promise<FirstPage> {
    return await readFirstPage((query) => this.courses(query), filter);
  }

  /** Yields all courses that match, each course once, page by page; reads several pages at once. */
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
      // Ends requests for pages that are no longer needed.
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
    const message = `requested course ${wanted}, but the service returned a different course`;
    const advice = "Is the base URL right? This service ignores the id in the request.";
    throw new CatalogError("unreachable", message, { status: 200, advice });
  }

  /**
   * Creates a course under its id, exactly once: if a response is lost, the client looks the course up before it
   * sends the request again (docs/service.md).
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

  /** Changes the given fields of a course. @throws CatalogError of kind `missing` if the course does not exist */
  async update(id: string, changes: PlainObject): Promise<void> {
    await updateCourse(this.#change("PATCH", id, changes), changes);
  }

  /** Deletes a course. @throws CatalogError if the course still exists, or may still exist */
  async delete(id: string): Promise<void> {
    await deleteCourse(this.#change("DELETE", id));
  }

  /** Sends one request as the caller wrote it, once. @returns the response, with any status */
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

  /** The body with the headers that the body and the method need. */
  #contentOf(method: Method, body: Request["body"]): Pick<Request, "headers" | "body"> {
    const isDelete = method === "DELETE";
    const accept = isDelete ? `application/vnd.${this.#vendor}.object+json` : "application/json";
    if (body === undefined) return { headers: { accept } };
    return { headers: { accept, "content-type": "application/json" }, body };
  }
}

/** The id in lowercase. Without a valid id, a DELETE or PATCH could affect every course. */
function checkId(id: string): string {
  if (!isUuid(id)) throw usageError(`the id must be a UUID, not ${JSON.stringify(id)}`);
  return id.toLowerCase();
}
