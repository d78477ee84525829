/** Reads responses: the rows of a list, or the error of a failed request with its kind and advice (docs/service.md). */
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

const CHECK_BASE_URL =
  "Is the base URL right? A proxy or a login page may have answered instead of the service.";

const PROXY_REJECTS =
  "A proxy in front of the service probably requires a login. Check the proxy and the base URL before you replace the API key.";

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

/** The fields of the error body of a response with an error status; none for another status or body. */
export function parseErrorBody(response: BufferedResponse): ErrorBody {
  return response.status < 400 ? {} : parseErrorFields(response);
}

/**
 * Reads the fields of an error body, with any status: some services report an error with a success status.
 * For example, `{"hint":"Invalid API Key","details":null}` gives `{hint: "Invalid API Key"}`, and a body that is
 * not a JSON object gives `{}`.
 */
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
 * Whether a change with a success status must be looked up: after 202 the service may still reject the change,
 * and a hint is how the service reports errors. 201 and 204 always confirm the change.
 */
export function isUnconfirmed(response: BufferedResponse): boolean {
  const { status } = response;
  if (!isSuccess(response) || status === 201 || status === 204) return false;
  return status === 202 || parseErrorFields(response).hint !== undefined;
}

/** The most bytes of a body with one course or one error. */
const MAX_SMALL_BODY = 256 * 1024;

/** Parses the JSON of one course or one error, such as `{"message":"…"}`; undefined if the body is larger, or not JSON. */
export function parseSmallBody({ body }: BufferedResponse): unknown {
  if (body.length === 0 || body.length > MAX_SMALL_BODY) return undefined;
  return attempt(() => JSON.parse(body.toString()));
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Far more than a page of 100 courses has. Larger values would block the process, deeper ones overflow the stack. */
const RESPONSE_LIMITS = { depth: 1000, values: 250_000, keys: 10_000 } as const;

/**
 * Parses the rows of a list response: `[{"id":"0b6e…","name":"Knitting"}]`. Each row must have an id, and may
 * have any other fields.
 *
 * @throws CatalogError of kind `unreachable` if the body is not a list of objects with ids
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
    fail(`JSON that has more than ${formatNumber(most)} ${what}`);
  if (deep !== undefined) throw excess(RESPONSE_LIMITS.depth, "nested levels");
  if (many !== undefined) throw excess(RESPONSE_LIMITS.values, "values");
  if (wide !== undefined) throw excess(RESPONSE_LIMITS.keys, "fields in one object");
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (cause) {
    throw fail(describeBody(response), cause);
  }
  if (!isList(rows) || !rows.every(hasId))
    throw fail("JSON that is not a list of objects with ids");
  return [...rows];
}

/** Whether the body is an HTML page, which a proxy or another website has sent: the service sends no pages. */
export function isHtml({ body }: BufferedResponse): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<(!doctype|html)/i.test(body.toString("latin1", 0, 200));
}

/** What a body is that is not JSON: `an HTML page instead of JSON`. */
function describeBody(response: BufferedResponse): string {
  if (isHtml(response)) return "an HTML page instead of JSON";
  const isEmpty = response.body.toString("latin1", 0, 200).trim() === "";
  return isEmpty ? "an empty body instead of JSON" : "something that is not valid JSON";
}

/** The error of an unsuccessful outcome. @param action what failed: `read the courses` */
export function toFailure(request: Request, outcome: Outcome, action: string): CatalogError {
  if ("error" in outcome) return transportFailure(request, outcome.error, action);
  const { response } = outcome;
  const { status, proxy } = response;
  const { hint, details, code, message: text } = parseErrorBody(response);
  const kind = kindOf(request, outcome);
  const isSilent = hint === undefined && text === undefined;
  const said = text === undefined ? "" : `: ${text}`;
  const hasReason = !isSilent || details !== undefined || code !== undefined;
  const message = `could not ${action}: ${reasonFor(request, response, kind, hasReason)}${said}`;
  // The service sends no pages, and the key may never have reached it.
  const isAnothers = kind === "auth" && isHtml(response);
  const general = isAnothers ? PROXY_REJECTS : adviceFor(request, response, kind, isSilent);
  const mayBeProxys = proxy !== undefined && isSilent && (status === 403 || status >= 500);
  const ofProxy = `The proxy from ${proxy} may have sent this response: check that the proxy can reach the service.`;
  const advice = mayBeProxys ? [general, ofProxy].filter(Boolean).join(" ") : general;
  const facts = { status, hint, details, code: isAnothers ? NOT_THE_SERVICE : code, advice };
  return new CatalogError(kind, message, facts);
}

/** The error of a change that has a success status, although a look-up shows that the change was not made. */
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
  // An HTML page comes from another website, which cannot know the course.
  return isMissing && !isHtml(response) ? "missing" : "refused";
}

/** @param hasReason whether the body of the response says why */
function reasonFor(
  request: Request,
  response: BufferedResponse,
  kind: ErrorKind,
  hasReason: boolean,
): string {
  const { status } = response;
  const http = `(HTTP ${status})`;
  if (isRedirect(status)) {
    const target = redirectTarget(request, response) ?? "another URL";
    return `the service redirects to ${target} ${http}; catalog does not follow redirects, to keep your key safe`;
  }
  if (kind === "missing") return `${COURSE_NOT_FOUND} ${http}`;
  const page = isHtml(response) ? " and sent an HTML page" : "";
  if (kind === "auth" && page === "") return `the service does not accept your API key ${http}`;
  if (status === 404 && !hasReason) return `the service has nothing at this URL ${http}`;
  if (status === 429) return `too many requests ${http}`;
  const verb = kind === "unreachable" ? "failed" : "rejected the request";
  return `the service ${verb} ${http}${page || (hasReason ? "" : " and gave no reason")}`;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** The other server to which a response redirects; undefined if it redirects elsewhere. */
function redirectTarget({ url }: Request, { headers }: BufferedResponse): string | undefined {
  const target = parseUrl(headers.location ?? "")?.origin;
  return target === new URL(url).origin ? undefined : target;
}

/** @param isSilent whether the service gave no reason that it writes for people */
function adviceFor(
  request: Request,
  response: BufferedResponse,
  kind: ErrorKind,
  isSilent: boolean,
): string | undefined {
  const { status } = response;
  if (kind === "auth") {
    return 'Run "catalog status" to see where the key comes from, or generate a new key in the developer dashboard.';
  }
  if (kind === "missing") return LIST_COURSES;
  if (status === 429) return "Wait a minute and try again, or lower --concurrency.";
  if (kind === "unreachable") return "Wait a minute and try again.";
  if (isRedirect(status)) {
    const target = redirectTarget(request, response);
    return target === undefined
      ? CHECK_BASE_URL
      : `If ${target} is the catalog service, use it as the base URL.`;
  }
  if (status === 403) {
    return 'Does your API key have this permission? Run "catalog status" to see which key catalog uses.';
  }
  return isSilent ? CHECK_BASE_URL : undefined;
}

function transportFailure(request: Request, cause: TransportError, action: string): CatalogError {
  const { code, message, retryable } = cause;
  if (code === TRANSPORT_ERROR_CODES.aborted) return new CatalogError("interrupted", "interrupted");
  const text = `could not ${action} at ${new URL(request.url).origin}: ${message}`;
  const general = retryable ? "Is the base URL right, and is the service running?" : CHECK_BASE_URL;
  return new CatalogError("unreachable", text, { code, cause, advice: cause.advice ?? general });
}
