/** Requests as the user types them: refuses those that could reach another host or change every course. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { isUuid } from "../base/values.ts";
import {
  type HttpRequest,
  type HttpResponse,
  isUncertain,
  type Method,
  type Reply,
  toError,
} from "./errors.ts";

export interface RawCall {
  readonly method: Method;
  /** Path and query, relative to the base URL, with or without a leading slash. */
  readonly path: string;
  /** The bytes of the body, which are sent unchanged, with the content type of JSON. */
  readonly body?: Uint8Array | undefined;
}

/** A response of any status. */
export interface RawResponse extends HttpResponse {
  /** Why the request failed; absent if it succeeded. */
  readonly failure?: CatalogError | undefined;
}

const RELATIVE =
  'Pass a path relative to the base URL. For example: catalog api GET "developer/v1/courses?limit=5"';

/** Refuses a call that must never be sent to any base URL. @throws CatalogError of kind `usage` */
export function checkCall(method: Method, path: string): void {
  if (path === "") throw usageError("the path is empty", RELATIVE);
  if (/[\s\p{Cc}\\#]/u.test(path)) {
    const message = "the path contains whitespace, a control character, a backslash or a #";
    throw usageError(message, "Encode them: %20 is a space, %5C a backslash, and %23 a #.");
  }
  const [, pathname = "", query = ""] = /^([^?]*)\??(.*)$/.exec(path) ?? [];
  if (/^[a-z][a-z\d+.-]*:|^\/\/|@/i.test(pathname)) {
    const message =
      "the path names a host, but catalog sends your key only to the configured service";
    throw usageError(message, `For another service, pass --base-url. ${RELATIVE}`);
  }
  // Before they look for "..", servers may decode a path and ignore what follows a semicolon.
  if (/%(?:25|2e|2f|5c|3b)|%(?![\da-f]{2})|(?:^|\/)\.\.(?:[/;]|$)/i.test(pathname)) {
    throw usageError("the path could lead outside the base URL", RELATIVE);
  }
  if (/^(PATCH|PUT|DELETE)$/.test(method) && !hasExactlyOneId(pathname, query)) {
    throw usageError(
      `${method} needs exactly one id=<uuid> in the path; without it, the request could change every course`,
      `For example: catalog api ${method} "developer/v1/courses?id=0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10"`,
    );
  }
}

/** Whether the query has exactly one `id`, a UUID, and no characters that could end the query or begin another. */
function hasExactlyOneId(path: string, query: string): boolean {
  const parts = query.split("&");
  const isPlain = parts.every((part) => /^[\w.]+(?:=[\w.,:*-]*)?$/.test(part));
  const [only = "", ...others] = parts.filter((part) => /^id(\W|$)/i.test(part));
  const isId = only.startsWith("id=") && isUuid(only.slice("id=".length));
  return isPlain && isId && others.length === 0 && !/%(?:23|3f)/i.test(path);
}

/** The URL of a call, below the base URL. @throws CatalogError of kind `usage` if the call must never be sent */
export function rawUrl(method: Method, path: string, base: URL): URL {
  checkCall(method, path);
  // After "./" nothing can be read as a scheme or a host.
  return new URL(`./${path.replace(/^\//, "")}`, base);
}

/** The response to a raw request, with its failure. @throws CatalogError if there is no response */
export function toRawResponse(request: HttpRequest, reply: Reply): RawResponse {
  if ("status" in reply && reply.status >= 200 && reply.status < 300) return reply;
  const { pathname, search } = new URL(request.url);
  const error = toError(request, reply, `${request.method} ${pathname}${search}`);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const warning = "The request may have taken effect. Check before you send it again.";
  const failure = !isRead && isUncertain(reply) ? error.with({ advice: warning }) : error;
  if (!("status" in reply)) throw failure;
  return { ...reply, failure };
}
