/** Converts failed requests to errors with the right kind, the service's words and advice. */
import { CatalogError, COURSE_NOT_FOUND, type ErrorKind, LIST_COURSES } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import {
  CHECK_BASE_URL,
  describeBody,
  isHtml,
  parseErrorBody,
  parseErrorFields,
} from "./response.ts";
import { isUncertain, type Outcome } from "./retry-policy.ts";
import {
  type BufferedResponse,
  type Request,
  TRANSPORT_ERROR_CODES,
  type TransportError,
} from "./transport.ts";

/** The error of an unsuccessful outcome. @param action such as `list courses` */
export function toFailure(request: Request, outcome: Outcome, action: string): CatalogError {
  if ("error" in outcome) return transportFailure(request, outcome.error, action);
  const { response } = outcome;
  const { status } = response;
  const { hint, details, code, message: text } = parseErrorBody(response);
  const kind = kindOf(request, outcome);
  const isSilent = hint === undefined && text === undefined;
  const hasFields = !isSilent || details !== undefined || code !== undefined;
  const body = hasFields || response.body.length === 0 ? "" : `, with ${describeBody(response)}`;
  const said = text === undefined ? "" : `: ${text}`;
  const message = `could not ${action}: ${reasonFor(response, kind, isSilent)}${body}${said}`;
  const general = adviceFor(kind, status, isSilent);
  const isProxys = isSilent && (status === 403 || status >= 500);
  const advice = isProxys ? withProxyAdvice(general, response) : general;
  return new CatalogError(kind, message, { status, hint, details, code, advice });
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
  const isMissing = namesCourse && (status === 404 || status === 406);
  // An HTML page comes from another site, which cannot know the course.
  return isMissing && !isHtml(response) ? "missing" : "refused";
}

/** @param isSilent whether the service gave no reason */
function reasonFor(
  { status, headers }: BufferedResponse,
  kind: ErrorKind,
  isSilent: boolean,
): string {
  if (status >= 300 && status < 400) {
    const target = parseUrl(headers.location ?? "")?.origin ?? "another address";
    return `the service redirects to ${target} (HTTP ${status}); redirects are not followed`;
  }
  if (kind === "auth") return `API key rejected (HTTP ${status})`;
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

/** Adds that the proxy may have responded instead of the service. */
function withProxyAdvice(
  advice: string | undefined,
  { proxy }: BufferedResponse,
): string | undefined {
  if (proxy === undefined) return advice;
  const own = `Check that the proxy from ${proxy} can reach the service: the response may be its own.`;
  return advice === undefined ? own : `${advice} ${own}`;
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
