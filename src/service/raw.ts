/** Sends one request as the user typed it, once. Refuses requests that could reach another host or change every course. */
import { type CatalogError, usageError } from "../base/errors.ts";
import { isUuid } from "../base/values.ts";
import { isHtml, isSuccess, parseErrorBody, toFailure } from "./response.ts";
import { mayHaveTakenEffect, type Outcome } from "./retry-policy.ts";
import type { Sender } from "./sender.ts";
import {
  type BufferedResponse,
  type Method,
  type Request,
  TransportError,
  unexpectedHtml,
} from "./transport.ts";

export interface RawCall {
  readonly method: Method;
  /** Path and query, relative to the base URL, with or without a leading slash. */
  readonly path: string;
  /** The bytes of the body, which are sent unchanged, with the content type of JSON. */
  readonly body?: Uint8Array | undefined;
}

/** A response of any status. */
export interface RawResponse extends BufferedResponse {
  /** Why the request failed; absent if it succeeded. */
  readonly failure?: CatalogError | undefined;
}

const RELATIVE =
  'Pass a path relative to the base URL. For example: catalog api GET "developer/v1/courses?limit=5"';

/** Refuses a call that must never be sent to any base URL. @throws CatalogError of kind `usage` */
export function checkCall(method: Method, path: string): void {
  if (path === "") throw usageError("the path is empty", RELATIVE);
  if (/[\s\p{Cc}\\#]/u.test(path)) {
    throw usageError(
      "the path contains whitespace, a control character, a backslash or a #",
      "Encode such characters: a space is %20, a backslash is %5C, and a # is %23.",
    );
  }
  const [, pathname = "", query = ""] = /^([^?]*)\??(.*)$/.exec(path) ?? [];
  if (/^[a-z][a-z\d+.-]*:|^\/\/|@/i.test(pathname)) {
    const message =
      "the path names a host, but catalog sends your key only to the configured service";
    throw usageError(message, `For another service, pass --base-url. ${RELATIVE}`);
  }
  // Before they look for "..", servers may decode a path and ignore what follows a semicolon.
  if (/%(?:25|2e|2f|5c|3b)|%(?![\da-f]{2})|(?:^|\/)\.\.(?:[/;]|$)/i.test(pathname)) {
    throw outsideBase();
  }
  const changesCourses = method === "PATCH" || method === "PUT" || method === "DELETE";
  if (changesCourses && !hasExactlyOneId(pathname, query)) {
    throw usageError(
      `${method} needs exactly one id=<uuid> in the path; without it, the request could change every course`,
      `For example: catalog api ${method} "developer/v1/courses?id=0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10"`,
    );
  }
}

function outsideBase(): CatalogError {
  return usageError("the path could lead outside the base URL", RELATIVE);
}

/** Whether the query has exactly one `id`, a UUID, and no characters that could end the query or begin another. */
function hasExactlyOneId(path: string, query: string): boolean {
  const parts = query.split("&");
  if (/%(?:23|3f)/i.test(path) || !parts.every((part) => /^[\w.]+(?:=[\w.,:*-]*)?$/.test(part))) {
    return false;
  }
  const [only = "", ...others] = parts.filter((part) => /^id(\W|$)/i.test(part));
  return only.startsWith("id=") && isUuid(only.slice("id=".length)) && others.length === 0;
}

/** The URL of a call, below the base URL. @throws CatalogError of kind `usage` if the call must never be sent */
export function rawUrl({ method, path }: RawCall, base: URL): URL {
  checkCall(method, path);
  // After "./" nothing can be read as a scheme or a host.
  const url = new URL(`./${path.replace(/^\//, "")}`, base);
  if (!url.href.startsWith(base.href)) throw outsideBase();
  return url;
}

/** Sends a request once. @throws CatalogError of kind `unreachable` or `interrupted` if there was no response */
export async function sendRaw(request: Request, sender: Sender): Promise<RawResponse> {
  const response = await sender.sendOnce(request).catch((error: unknown) => {
    throw error instanceof TransportError ? rawFailure(request, { error }) : error;
  });
  return { ...response, failure: failureOf(request, response) };
}

function failureOf(request: Request, response: BufferedResponse): CatalogError | undefined {
  const { status, bodyError: error } = response;
  if (error !== undefined) {
    const action = `read the response (HTTP ${status}) to ${nameOf(request)}`;
    const failure = toFailure(request, { error }, action);
    if (!isWrite(request) || !isSuccess(response)) return failure;
    const advice = "The status shows that the request succeeded, so do not send it again.";
    return failure.with({ advice });
  }
  if (!isSuccess(response)) {
    return rawFailure(request, { response, hasHint: parseErrorBody(response).hint !== undefined });
  }
  if (!isWrite(request) || !isHtml(response)) return undefined;
  return rawFailure(request, { error: unexpectedHtml() });
}

function rawFailure(request: Request, outcome: Outcome): CatalogError {
  const error = toFailure(request, outcome, nameOf(request));
  if (isWrite(request) && mayHaveTakenEffect(outcome)) {
    const advice = "The request may have taken effect. Check before you send it again.";
    return error.with({ advice });
  }
  if ("error" in outcome || error.facts.advice === undefined) return error;
  if (error.kind === "unreachable") {
    const advice = "Wait a minute and try again: catalog does not retry raw requests.";
    return error.with({ advice });
  }
  const isUnknownPath = error.kind === "refused" && error.facts.status === 404;
  return isUnknownPath ? error.with({ advice: "Are the path and the base URL right?" }) : error;
}

function isWrite({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

function nameOf({ method, url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search}`;
}
