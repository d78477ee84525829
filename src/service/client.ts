/** The client of the service: one method per endpoint (docs/service.md). */

import { DEFAULTS } from "../base/credentials.ts";
import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { isUuid, type PlainObject } from "../base/values.ts";
import { type Provider, providerIn } from "../course/provider.ts";
import type { Course } from "../course/request-body.ts";
import {
  type HttpRequest,
  type HttpResponse,
  isSuccess,
  isUncertain,
  type Method,
  parseRows,
  toError,
} from "./errors.ts";
import { type ClientOptions, Http, type SendOptions } from "./http.ts";

const COURSES = "developer/v1/courses";
/** The largest page that the service sends (docs/service.md, "Lists"). */
const PAGE_SIZE = 100;
/** The most pages that are read at once: those after the end of a listing are read in vain. */
const MOST_PAGES = 16;

/** Which courses to list; all of the user's courses by default. */
export interface CourseQuery {
  readonly id?: string | undefined;
  readonly providerId?: string | undefined;
  /** A part of the name; case-sensitive. */
  readonly name?: string | undefined;
  readonly published?: boolean | undefined;
  /** The most courses; all by default. */
  readonly limit?: number | undefined;
  /** How many courses to skip; 0 by default. */
  readonly offset?: number | undefined;
}

/** What is known at the end of a listing. */
export interface ListingEnd {
  /** Whether there are more courses after the range. */
  readonly more: boolean;
  /** Whether the listing changed during the last reading too, so that courses may be missing. */
  readonly isUnreliable: boolean;
}

/** What is known of a change after its last reply. */
export type Effect =
  /** `unchanged`: a course with the id and the same values existed before. */
  | { readonly status: "done" | "unchanged" }
  /** `unknown`: the change may have taken effect, or may still do so. */
  | { readonly status: "failed" | "unknown"; readonly error: CatalogError };

/** A client of one service with one API key. Methods that read throw a `CatalogError` if the request fails. */
export class CatalogClient {
  readonly #http: Http;
  readonly #vendor: string;

  /** @throws CatalogError of kind `usage` for an invalid option */
  constructor(options: ClientOptions) {
    this.#http = new Http(options);
    this.#vendor = options.vendor ?? DEFAULTS.vendor;
  }

  /** The user's providers. */
  async providers(): Promise<Provider[]> {
    return (await this.providerRows()).map(providerIn);
  }

  /** The user's providers with all fields that the service sent. */
  async providerRows(): Promise<(PlainObject & { readonly id: string })[]> {
    return await this.#read(this.#request("GET", "developer/v1/providers"), "list the providers");
  }

  /**
   * Yields all courses that match, page by page, each course once. A listing ends at a short page, or at one without a
   * new course. A reading during which the listing changed may lack a course, so a listing without a limit is read
   * again, and has the courses of all readings. Several pages are read at once, and only ids stay in memory.
   */
  async *courses({
    limit = Number.POSITIVE_INFINITY,
    ...query
  }: CourseQuery = {}): AsyncGenerator<Course[], ListingEnd, void> {
    const listed = new Set<string>();
    for (let repetitions = limit === Number.POSITIVE_INFINITY ? 5 : 0; ; repetitions--) {
      const ids = new Set<string>();
      let last: string | undefined;
      let hasChanged = false;
      // Only a further course shows that there are more.
      for await (const { page, isShort } of this.#pages({ ...query, limit: limit + 1 })) {
        const isOverlap = last !== undefined && page[0]?.id === last;
        const rows = isOverlap ? page.slice(1) : page;
        const before = ids.size;
        for (const { id } of rows) ids.add(id.toLowerCase());
        hasChanged ||= isOverlap !== (last !== undefined) || ids.size < before + rows.length;
        last = page.at(-1)?.id;
        const free = Math.max(0, limit - listed.size);
        const added = rows.filter(({ id }) => listed.size < listed.add(id.toLowerCase()).size);
        if (added.length > 0 && free > 0) yield added.slice(0, free);
        if (isShort || ids.size === before) break;
      }
      const more = listed.size > limit;
      if (!hasChanged || repetitions === 0) return { more, isUnreliable: hasChanged };
    }
  }

  /**
   * Reads the pages in order, several at once after the first one. Each begins with the last course of the page before,
   * if no course was added or deleted in between.
   */
  async *#pages({ limit = 0, offset = 0, ...query }: CourseQuery) {
    const { providerId: provider_id, id, name, published } = query;
    const end = offset + limit;
    const read = async (from: number) => {
      const size = Math.min(PAGE_SIZE, end - from);
      const part = { limit: size, offset: from, id, provider_id, name, published };
      const request = this.#request("GET", COURSES, part);
      // Pages are large and compress well.
      const headers = { ...request.headers, "accept-encoding": "gzip" };
      const rows = await this.#read({ ...request, headers }, "read the courses");
      return { page: rows.slice(0, size), isShort: rows.length < size };
    };
    const step = PAGE_SIZE - 1;
    for (let from = offset, width = 1; ; width = Math.min(MOST_PAGES, this.#http.concurrency)) {
      const starts = Array.from({ length: width }, (_, index) => from + index * step);
      const wanted = starts.filter((start) => start === offset || start + 1 < end);
      if (wanted.length === 0) return;
      yield* await Promise.all(wanted.map(read));
      from += width * step;
    }
  }

  /** The course with that id, or undefined if the user has none. */
  async course(id: string, options: SendOptions = {}): Promise<Course | undefined> {
    const wanted = checkId(id);
    const request = this.#request("GET", COURSES, { id: wanted });
    const courses = await this.#read(request, "read the courses", options);
    return courses.find((course) => course.id.toLowerCase() === wanted);
  }

  /** Creates a course under its id. The request is repeated only after a look-up that does not find the id. */
  async create(course: Course): Promise<Effect> {
    const id = checkId(course.id);
    const request = this.#request("POST", COURSES, {}, course);
    const outcome = await this.#change("create", id, request, (seen) => seen);
    if (outcome.status !== "failed" || outcome.error.kind !== "rejected") return outcome;
    const existing = await this.course(course.id).catch(() => undefined);
    if (existing === undefined) return outcome;
    if (await hasValues(course, existing)) return { status: "unchanged" };
    const advice = `A course with the id ${id} already exists, with other values.`;
    return { status: "failed", error: outcome.error.with({ advice }) };
  }

  /** Changes the given fields of a course. The error is of kind `missing` if the course does not exist. */
  async update(id: string, changes: PlainObject): Promise<Effect> {
    const request = this.#request("PATCH", COURSES, { id: checkId(id) }, changes);
    const isWanted = (seen: Course | undefined) => seen && hasValues(changes, seen);
    return await this.#change("update", id, request, isWanted);
  }

  /** Deletes a course. The error is of kind `missing` if the course does not exist. */
  async delete(id: string): Promise<Effect> {
    const request = this.#request("DELETE", COURSES, { id: checkId(id) });
    return await this.#change("delete", id, request, (seen) => seen === undefined);
  }

  /**
   * Sends one request as the caller wrote it, once.
   *
   * @param call its path with the query, relative to the base URL, with or without a leading slash; the bytes of its body
   *   are sent unchanged, with the content type of JSON
   * @returns the response, with any status; `failure`: why the request failed, if it did
   */
  async raw(
    call: Pick<HttpRequest, "method" | "body"> & { readonly path: string },
  ): Promise<HttpResponse & { readonly failure?: CatalogError }> {
    const { method, path, body } = call;
    checkCall(method, path);
    // After "./" nothing can be read as a scheme or a host.
    const url = new URL(`./${path.replace(/^\//, "")}`, this.#http.base);
    const request = { method, url: url.href, headers: this.#headers(method, body), body };
    const { reply } = await this.#http.send(request, { retries: 0 });
    if (reply.type === "response" && reply.status >= 200 && reply.status < 300) return reply;
    const error = toError(request, reply, `${method} ${url.pathname}${url.search}`);
    const mayBeDone = method !== "GET" && method !== "HEAD" && isUncertain(reply);
    const failure = mayBeDone ? error.with({ advice: CHECK_FIRST }) : error;
    if (reply.type === "failure") throw failure;
    return { ...reply, failure };
  }

  /** The most requests in flight. */
  get concurrency(): number {
    return this.#http.concurrency;
  }

  /** Ends pauses, and starts no request from now on; those in flight are finished. */
  stop(): void {
    this.#http.stopping.abort();
  }

  /** Whether no request starts any more. */
  get isStopped(): boolean {
    return this.#http.stopping.signal.aborted;
  }

  /** Closes the connections; requests in flight fail without retries. */
  async close(): Promise<void> {
    await this.#http.close();
  }

  /**
   * Sends a change, and finds out whether it took effect. After an uncertain reply only a look-up that shows the wanted
   * state says so: another look-up may come too early.
   *
   * @param isWanted whether the course, if there is one, is as the change would make it
   */
  async #change(
    verb: keyof typeof DONE,
    id: string,
    request: HttpRequest,
    isWanted: (seen: Course | undefined) => unknown,
  ): Promise<Effect> {
    let found: boolean | CatalogError | undefined;
    const lookUp = async (options: SendOptions): Promise<boolean> => {
      const seen = this.course(id, options).then(isWanted).then(Boolean);
      found = await seen.catch((thrown: unknown) => asCatalogError(thrown));
      return found === false;
    };
    const mayRepeat = verb === "create" ? (deadline: number) => lookUp({ deadline }) : undefined;
    const sent = await this.#http.send(request, { mayRepeat });
    const { reply, isUncertain, deadline } = sent;
    if (isSuccess(reply)) return { status: "done" };
    const error = toError(request, reply, `${verb} course ${id}`);
    if (!isUncertain) return { status: "failed", error };
    // After all attempts have failed, one attempt at the look-up is enough.
    const retries = error.kind === "unreachable" ? 0 : undefined;
    if (found === undefined || found === false) await lookUp({ deadline, retries });
    if (found === true) return { status: "done" };
    const advice = `The course may have been ${DONE[verb]}. Running the command again is safe.`;
    // Unreachable, although the service may have rejected the last request.
    const unclear = new CatalogError("unreachable", error.message, { ...error.facts, advice });
    return { status: "unknown", error: unclear };
  }

  async #read(request: HttpRequest, action: string, options?: SendOptions): Promise<Course[]> {
    const { reply } = await this.#http.send(request, options);
    if (!isSuccess(reply)) throw toError(request, reply, action);
    return parseRows(reply, action);
  }

  #request(
    method: Method,
    path: string,
    query: Readonly<Record<string, string | number | boolean | undefined>> = {},
    content?: PlainObject,
  ): HttpRequest {
    const url = new URL(path, this.#http.base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const body = content && JSON.stringify(content);
    return { method, url: url.href, headers: this.#headers(method, body), body };
  }

  #headers(method: Method, body: HttpRequest["body"]): HttpRequest["headers"] {
    const isDelete = method === "DELETE";
    const accept = isDelete ? `application/vnd.${this.#vendor}.object+json` : "application/json";
    return body === undefined ? { accept } : { accept, "content-type": "application/json" };
  }
}

const CHECK_FIRST = "The request may have taken effect. Check before you send it again.";
const DONE = { create: "created", update: "changed", delete: "deleted" } as const;

/** The id in lowercase. Without a valid id, a DELETE or PATCH could affect every course. */
function checkId(id: string): string {
  if (!isUuid(id)) throw usageError(`the id must be a UUID, not ${JSON.stringify(id)}`);
  return id.toLowerCase();
}

async function hasValues(values: PlainObject, course: Course): Promise<boolean> {
  // Imported here because it loads the schema, which listing courses does not need.
  const { differingFields } = await import("../course/difference.ts");
  return differingFields(values, course).length === 0;
}

/** Names with single slashes between them, none of them `..`, and a query that nothing can end. */
const CALL = /^\/?(?:(?!\.\.?(?:\/|$|\?))[\w.~-]+(?:\/|(?=\?|$)))*(?:\?[^\s\p{Cc}\\#]*)?$/u;

/** Refuses a call that must never be sent to any base URL. @throws CatalogError of kind `usage` */
export function checkCall(method: Method, path: string): void {
  if (path === "" || !CALL.test(path)) {
    throw usageError(
      "the path must be relative to the base URL: names of letters and digits, separated by single slashes, then the query",
      "For example: developer/v1/courses?limit=5",
    );
  }
  const [, query = ""] = path.split(/\?(.*)/s);
  const parts = query.split("&");
  // No character may end the query or begin another one, even if a server decodes it twice.
  const isPlain = parts.every((part) => /^[\w.]+(?:=[\w.,:*-]*)?$/.test(part));
  const [id = "", ...others] = parts.filter((part) => /^id(\W|$)/i.test(part));
  const isOneId = isPlain && others.length === 0 && id.startsWith("id=") && isUuid(id.slice(3));
  if (/^(PATCH|PUT|DELETE)$/.test(method) && !isOneId) {
    throw usageError(
      `${method} needs exactly one id=<uuid> in the query; without it, the request could change every course`,
      "For example: developer/v1/courses?id=0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
    );
  }
}
