/** The client of the service: one method per endpoint (docs/service.md). */
import { linkedController } from "../base/async.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { DEFAULTS } from "../base/http.ts";
import { CollectedMemory } from "../base/memory.ts";
import { isUuid } from "../base/uuid.ts";
import type { PlainObject } from "../base/values.ts";
import { type Provider, type ProviderRow, providerIn } from "../course/provider.ts";
import type { Course } from "../course/request-body.ts";
import { toFailure } from "./failure.ts";
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
import type { RawCall, RawResponse } from "./raw.ts";
import { buildListing, buildRequest, COURSES, PROVIDERS, type ServiceAddress } from "./requests.ts";
import { isSuccess, parseRows } from "./response.ts";
import { type RetryOptions, sendWithRetries } from "./retry.ts";
import { Sender, type SenderOptions } from "./sender.ts";
import type { Request } from "./transport.ts";

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
  readonly #service: ServiceAddress;
  /** Bytes of the largest list that was received. */
  #largestPage = 1;

  /** @throws CatalogError of kind `usage` for an invalid address or key */
  constructor({ vendor = DEFAULTS.vendor, ...options }: ClientOptions) {
    this.#sender = new Sender(options);
    this.#service = { base: this.#sender.base, vendor };
  }

  /** The user's providers. */
  async providers(options: RetryOptions = {}): Promise<Provider[]> {
    return (await this.providerRows(options)).map(providerIn);
  }

  /** The user's providers as the service sent them. */
  async providerRows(options: RetryOptions = {}): Promise<ProviderRow[]> {
    const request = buildRequest(this.#service, "GET", PROVIDERS);
    return await this.#readRows(request, "list the providers", options);
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
    retryOptions: RetryOptions = {},
  ): AsyncGenerator<Course[], ListingEnd, void> {
    const ending = linkedController(this.#sender.signal);
    const { signal } = ending;
    // Parallel pages are in memory together.
    const concurrency = (): number =>
      Math.min(this.#sender.concurrency, Math.max(1, Math.floor(READ_AHEAD / this.#largestPage)));
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
    const request = buildRequest(this.#service, "POST", COURSES, {}, course);
    const filter = namesakesOf(course);
    return await createCourse(this.#change(course.id, request), course, (options) =>
      this.#list({ filter, mayBeEmpty: true }, options),
    );
  }

  /** Changes the given attributes of a course. @throws CatalogError of kind `missing` without one */
  async update(id: string, changes: PlainObject): Promise<void> {
    const query = { id: checkId(id) };
    const request = buildRequest(this.#service, "PATCH", COURSES, query, changes);
    await updateCourse(this.#change(id, request), changes);
  }

  /** Deletes a course. @throws CatalogError of kind `missing` if there was none */
  async delete(id: string): Promise<void> {
    const request = buildRequest(this.#service, "DELETE", COURSES, { id: checkId(id) });
    await deleteCourse(this.#change(id, request));
  }

  /** Sends one request as given, once. @returns the response, of any status */
  async raw(call: RawCall): Promise<RawResponse> {
    const { buildRawRequest, sendRaw } = await import("./raw.ts");
    return await sendRaw(buildRawRequest(call, this.#service), this.#sender);
  }

  /** Closes the connections; requests in flight fail without retries. */
  async close(): Promise<void> {
    await this.#sender.close();
  }

  #change(id: string, request: Request): Change {
    const lookUp: Change["lookUp"] = (options) => this.#findCourse(id, options);
    return { sender: this.#sender, request, id, lookUp };
  }

  async #findCourse(id: string, options: RetryOptions = {}): Promise<Course | undefined> {
    const courses = await this.#readCourses({ id }, options);
    const found = courses.find((course) => course.id.toLowerCase() === id.toLowerCase());
    if (found !== undefined || courses.length === 0) return found;
    // A service that ignores the filter must not make us delete or overwrite another course.
    const message = `requested course ${id}, but the service returned a different one`;
    const advice = "Check that the base URL is that of the catalog service.";
    throw new CatalogError("unreachable", message, { status: 200, advice });
  }

  async #readCourses(query: CourseQuery, options?: RetryOptions): Promise<Course[]> {
    return await this.#readRows(buildListing(this.#service, query), "read the courses", options);
  }

  async #readRows(request: Request, action: string, options: RetryOptions = {}) {
    const { outcome } = await sendWithRetries(this.#sender, request, options);
    if ("response" in outcome && isSuccess(outcome.response)) {
      this.#largestPage = Math.max(this.#largestPage, outcome.response.body.length);
      return parseRows(request, outcome.response);
    }
    throw toFailure(request, outcome, action);
  }
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
