/** Sends one request exactly as given, once. */
import type { CatalogError } from "../base/errors.ts";
import { toFailure } from "./failure.ts";
import { checkCall, pathOutsideBase } from "./raw-guard.ts";
import { type ServiceAddress, withHeaders } from "./requests.ts";
import { isHtml, isSuccess, parseErrorBody } from "./response.ts";
import { mayHaveTakenEffect, type Outcome } from "./retry-policy.ts";
import type { Sender } from "./sender.ts";
import { type BufferedResponse, type Method, type Request, TransportError } from "./transport.ts";
import { unexpectedHtml } from "./transport-error.ts";

/** A request as the user typed it. */
export interface RawCall {
  readonly method: Method;
  /** Path and query, relative to the base URL, with or without a leading slash. */
  readonly path: string;
  /** Sent as it is, as JSON. */
  readonly body?: Uint8Array;
}

/** A response of any status. */
export interface RawResponse {
  readonly status: number;
  /** The status text; it may be empty. */
  readonly reason: string;
  /** Names in lowercase, in the order of the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if there was none. */
  readonly body: Uint8Array;
  /** Why the request did not succeed, if it did not. */
  readonly failure?: CatalogError;
}

/** The request of a call. @throws CatalogError of kind `usage` for one that must never be sent */
export function buildRawRequest(
  { method, path, body }: RawCall,
  { base, vendor }: ServiceAddress,
): Request {
  checkCall(method, path);
  return withHeaders(method, urlBelow(base, path), vendor, body);
}

/** The second check of the path: the key must not be sent anywhere else. */
function urlBelow(base: URL, path: string): URL {
  // After "./" nothing can be read as a scheme or a host.
  const url = new URL(`./${path.replace(/^\//, "")}`, base);
  const isBelow = url.origin === base.origin && url.pathname.startsWith(base.pathname);
  if (!isBelow || url.username !== "" || url.password !== "" || url.hash !== "") {
    throw pathOutsideBase();
  }
  return url;
}

/** Sends it once. @throws CatalogError `unreachable` or `interrupted` if there was no response */
export async function sendRaw(request: Request, sender: Sender): Promise<RawResponse> {
  let response: BufferedResponse;
  try {
    response = await sender.exchange(request);
  } catch (error) {
    if (error instanceof TransportError) throw rawFailure(request, { error });
    throw error;
  }
  const { status, reason = "", headers, body } = response;
  const failure = failureOf(request, response);
  return { status, reason, headers, body, ...(failure === undefined ? {} : { failure }) };
}

function failureOf(request: Request, response: BufferedResponse): CatalogError | undefined {
  const { status, bodyError } = response;
  if (bodyError !== undefined) {
    const action = `read the response to ${nameOf(request)}, which is HTTP ${status}`;
    const error = toFailure(request, { error: bodyError }, action);
    return isWrite(request) && isSuccess(response)
      ? error.with({ advice: "The status shows that the request succeeded: do not send it again." })
      : error;
  }
  if (!isSuccess(response)) {
    return rawFailure(request, { response, hasHint: parseErrorBody(response).hint !== undefined });
  }
  return isWrite(request) && isHtml(response)
    ? rawFailure(request, { error: unexpectedHtml() })
    : undefined;
}

/** The error of an outcome, with advice that fits a request that is sent only once. */
function rawFailure(request: Request, outcome: Outcome): CatalogError {
  const error = toFailure(request, outcome, nameOf(request));
  const { kind, facts } = error;
  if (isWrite(request) && mayHaveTakenEffect(outcome)) {
    return error.with({
      advice: "The request may have taken effect; check before you send it again.",
    });
  }
  if ("response" in outcome && kind === "unreachable") {
    return error.with({ advice: "Try again later: raw requests are not retried." });
  }
  const isUnknownPath = kind === "refused" && facts.status === 404 && facts.advice !== undefined;
  return isUnknownPath ? error.with({ advice: "Check the path and the base URL." }) : error;
}

function isWrite({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** Method, path and query. */
function nameOf({ method, url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search}`;
}
