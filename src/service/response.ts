/** What responses say: rows, or why there are none, as errors with the right kind and advice. */
import {
  attempt,
  CatalogError,
  COURSE_NOT_FOUND,
  type ErrorKind,
  LIST_COURSES,
  NOT_THE_SERVICE,
} from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import { scanJson } from "../base/scan-json.ts";
import { formatNumber } from "../base/text.ts";
import { hasId, isList, isObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import { isUncertain, type Outcome } from "./retry-policy.ts";
import {
  type BufferedResponse,
  type Request,
  TRANSPORT_ERROR_CODES,
  type TransportError,
} from "./transport.ts";

/** The advice for a response that is not the service's. */
const CHECK_BASE_URL =
  "Check that the base URL is that of the catalog service, and that no proxy responds instead of it.";

const PROXY_REJECTS =
  "A proxy in front of the service has probably responded, and requires a login: check it and the base URL before you replace the API key.";

/** Whether the status is 2xx. */
export function isSuccess({ status }: BufferedResponse): boolean {
  return status >= 200 && status < 300;
}

/** The fields of an error body, as the service sent them (docs/service.md, "Errors"). */
interface ErrorBody {
  readonly hint?: string | undefined;
  readonly details?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** The fields of the error body; none if the body has another form, or the status is not an error. */
export function parseErrorBody(response: BufferedResponse): ErrorBody {
  return response.status < 400 ? {} : parseErrorFields(response);
}

/** The same for any status: some services report an error with a success status. */
function parseErrorFields(response: BufferedResponse): ErrorBody {
  const value = parseSmallBody(response);
  if (!isObject(value)) return {};
  // Proxies and frameworks send problem details (RFC 9457), with a title and a detail.
  return {
    hint: toText(value.hint),
    details: toText(value.details ?? value.detail),
    code: toText(value.code),
    message: toText(value.message ?? value.title),
  };
}

/**
 * Whether a write with a success status must be looked up: after 202 the service may still reject it,
 * and a hint is how it reports errors. 201 and 204 always confirm a write.
 */
export function isUnconfirmed(response: BufferedResponse): boolean {
  const { status } = response;
  if (!isSuccess(response) || status === 201 || status === 204) return false;
  return status === 202 || parseErrorFields(response).hint !== undefined;
}

/** Bytes of a body that consists of one course or one error. */
const MAX_SMALL_BODY = 256 * 1024;

/** The value of a body that is small enough to be one course or one error; undefined if it is not JSON. */
export function parseSmallBody({ body }: BufferedResponse): unknown {
  if (body.length === 0 || body.length > MAX_SMALL_BODY) return undefined;
  return attempt(() => JSON.parse(body.toString()));
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * A page of 100 courses has far less. Parsing much more blocks the process and takes its memory, and code
 * that compares or prints a value that is nested more deeply would overflow the stack.
 */
const RESPONSE_LIMITS = { depth: 1000, values: 250_000, keys: 10_000 } as const;

/**
 * The rows of a list response. All that the client requires of one is an id.
 *
 * @throws CatalogError of kind `unreachable` if the body is anything but a list of such rows
 */
export function parseRows(request: Request, response: BufferedResponse): Course[] {
  const fail = (what: string, cause?: unknown): CatalogError => {
    const message = `${new URL(request.url).origin} responded with ${what}`;
    const facts = { status: response.status, cause, advice: CHECK_BASE_URL };
    return new CatalogError("unreachable", message, facts);
  };
  const text = response.body.toString();
  const { deep, many, wide } = scanJson(text, RESPONSE_LIMITS);
  const excess = (most: number, what: string): CatalogError =>
    fail(`JSON with more than ${formatNumber(most)} ${what}`);
  if (deep !== undefined) throw excess(RESPONSE_LIMITS.depth, "nested levels");
  if (many !== undefined) throw excess(RESPONSE_LIMITS.values, "values");
  if (wide !== undefined) throw excess(RESPONSE_LIMITS.keys, "keys in one object");
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (cause) {
    throw fail(`${describeBody(response)} instead of JSON`, cause);
  }
  if (!isList(rows) || !rows.every(hasId)) throw fail("JSON that is not a list of records");
  return [...rows];
}

/** Whether the body is an HTML page, as of a proxy or another site; the service sends none. */
export function isHtml({ body }: BufferedResponse): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<(!doctype|html)/i.test(body.toString("latin1", 0, 200));
}

/** What the body is, for a message: `an HTML page`. */
function describeBody(response: BufferedResponse): string {
  const start = response.body.toString("latin1", 0, 200).trimStart();
  if (start === "") return "an empty body";
  if (isHtml(response)) return "an HTML page";
  return start.startsWith("{") || start.startsWith("[")
    ? "invalid or unexpected JSON"
    : "plain text";
}

/** The error of an unsuccessful outcome. @param action such as `list courses` */
export function toFailure(request: Request, outcome: Outcome, action: string): CatalogError {
  if ("error" in outcome) return transportFailure(request, outcome.error, action);
  const { response } = outcome;
  const { status, proxy } = response;
  const { hint, details, code, message: text } = parseErrorBody(response);
  const kind = kindOf(request, outcome);
  const isSilent = hint === undefined && text === undefined;
  const hasFields = !isSilent || details !== undefined || code !== undefined;
  const body = hasFields || response.body.length === 0 ? "" : `, with ${describeBody(response)}`;
  const said = text === undefined ? "" : `: ${text}`;
  const message = `could not ${action}: ${reasonFor(response, kind, isSilent)}${body}${said}`;
  // The service sends no pages, and the key may never have reached it.
  const isAnothers = kind === "auth" && isHtml(response);
  const general = isAnothers ? PROXY_REJECTS : adviceFor(kind, status, isSilent);
  const mayBeProxys = proxy !== undefined && isSilent && (status === 403 || status >= 500);
  const ofProxy = `Check that the proxy from ${proxy} can reach the service: the response may be its own.`;
  const advice = mayBeProxys ? [general, ofProxy].filter(Boolean).join(" ") : general;
  const facts = { status, hint, details, code: isAnothers ? NOT_THE_SERVICE : code, advice };
  return new CatalogError(kind, message, facts);
}

/**
 * The error of a write that has a success status, although a look-up shows that it was not done.
 *
 * @param action such as `delete course x`
 * @param observed what the look-up shows, such as `the course still exists`
 */
export function contradicted(
  response: BufferedResponse,
  action: string,
  observed: string,
): CatalogError {
  const { status } = response;
  const { hint, details } = parseErrorFields(response);
  const message = `could not ${action}: the service responded with HTTP ${status}, but ${observed}`;
  return new CatalogError("refused", message, { status, hint, details });
}

function kindOf(
  { method }: Request,
  outcome: Extract<Outcome, { response: BufferedResponse }>,
): ErrorKind {
  const { response } = outcome;
  const { status } = response;
  if (status === 401) return "auth";
  if (isUncertain(outcome) || status === 429 || status > 500) return "unreachable";
  const namesCourse = method === "PATCH" || method === "DELETE";
  const isMissing = namesCourse && [404, 406, 410].includes(status);
  // An HTML page comes from another site, which cannot know the course.
  return isMissing && !isHtml(response) ? "missing" : "refused";
}

/** @param isSilent whether the service gave no reason */
function reasonFor(response: BufferedResponse, kind: ErrorKind, isSilent: boolean): string {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    const target = parseUrl(headers.location ?? "")?.origin ?? "another address";
    return `the service redirects to ${target} (HTTP ${status}); redirects are not followed`;
  }
  if (kind === "auth") {
    return `${isHtml(response) ? "access" : "API key"} rejected (HTTP ${status})`;
  }
  if (kind === "missing") return `${COURSE_NOT_FOUND} (HTTP ${status})`;
  if (status === 404 && isSilent) return "nothing found at this address (HTTP 404)";
  if (status === 429) return "rate limit exceeded (HTTP 429)";
  if (kind === "unreachable") return `the service failed (HTTP ${status})`;
  return `the service rejected the request (HTTP ${status})`;
}

function adviceFor(kind: ErrorKind, status: number, isSilent: boolean): string | undefined {
  if (kind === "auth") {
    return 'Check the API key ("catalog status" shows its source) or generate a new one.';
  }
  if (kind === "missing") return LIST_COURSES;
  if (kind === "unreachable") return "Try again later, or increase --retries.";
  if (status >= 300 && status < 400) return "Set the base URL to the final address.";
  if (status === 403) {
    return 'Check that the API key has this permission ("catalog status" shows its source).';
  }
  return isSilent ? CHECK_BASE_URL : undefined;
}

function transportFailure(request: Request, cause: TransportError, action: string): CatalogError {
  const { code, message, retryable } = cause;
  if (code === TRANSPORT_ERROR_CODES.aborted) return new CatalogError("interrupted", "interrupted");
  const text = `could not ${action}: ${new URL(request.url).origin}: ${message}`;
  const general = retryable
    ? "Check the base URL and the network, then try again."
    : CHECK_BASE_URL;
  return new CatalogError("unreachable", text, { code, cause, advice: cause.advice ?? general });
}
