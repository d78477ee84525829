/** What a response of the service means, and the sentences about requests that have none (docs/service.md, "Errors"). */

import { parseUrl } from "../base/credentials.ts";
import {
  attempt,
  CatalogError,
  COURSE_NOT_FOUND,
  type ErrorKind,
  LIST_COURSES,
  systemCode,
} from "../base/errors.ts";
import { hasId, isList, isObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export type Method = (typeof METHODS)[number];

/** One request. `url` is absolute; header names are lowercase. */
export interface HttpRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

/** A complete response of any status. */
export interface HttpResponse {
  readonly status: number;
  /** The status text, such as `Not Found`; it may be empty. */
  readonly reason?: string;
  /** Names are lowercase; the values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Why a request has no complete response. */
export interface Failure {
  readonly type: "failure";
  /** A code of the system or of undici, such as `ECONNREFUSED`, or `TIMEOUT`, or `ABORTED`. */
  readonly code: string;
  readonly message: string;
  readonly advice: string;
  /** The variable that names the proxy through which it was sent. */
  readonly proxyVariable?: string | undefined;
  /** Whether the service may have received the request. */
  readonly mayHaveArrived: boolean;
  /** Whether another attempt could succeed: not with an untrusted certificate, for example. */
  readonly mayPass: boolean;
  readonly cause?: unknown;
}

/** A response, or why there is none. */
export type Reply = (HttpResponse & { readonly type: "response" }) | Failure;

/** Whether the request succeeded: the status is 2xx, and the response is not a page of another website. */
export function isSuccess(reply: Reply): reply is Exclude<Reply, Failure> {
  return reply.type === "response" && reply.status >= 200 && reply.status < 300 && !isHtml(reply);
}

/** Whether another attempt could succeed. A 500 with a hint is how the service rejects a request. */
export function mayPass(reply: Reply): boolean {
  if (reply.type === "failure") return reply.mayPass;
  return [429, 502, 503, 504].includes(reply.status) || isSilentFailure(reply);
}

/** Whether the service asks all requests to wait. */
export function isThrottled(reply: Reply): boolean {
  if (reply.type === "failure") return false;
  return reply.status === 429 || (reply.status === 503 && "retry-after" in reply.headers);
}

/** Whether the reply does not say what the service did with the request. */
export function isUncertain(reply: Reply): boolean {
  if (reply.type === "failure") return reply.mayHaveArrived;
  // A proxy may have replaced the answer of the service.
  if (reply.status < 400) return isHtml(reply);
  return mayPass(reply) && !isThrottled(reply);
}

function isSilentFailure(response: HttpResponse): boolean {
  return response.status === 500 && parseErrorBody(response).hint === undefined;
}

/** The texts of an error body, as the service sent them; none for another body. */
function parseErrorBody({ status, body }: HttpResponse) {
  const value = status < 400 ? undefined : attempt((): unknown => JSON.parse(body.toString()));
  const read = (name: string): string | undefined => {
    const text = isObject(value) ? value[name] : undefined;
    return typeof text === "string" && text !== "" ? text : undefined;
  };
  return {
    hint: read("hint"),
    details: read("details"),
    code: read("code"),
    said: read("message"),
  };
}

const CHECK_BASE_URL =
  "Check the base URL. A proxy, a firewall or a login page may have answered instead of the service.";

/** The rows of a list, each with an id and any other fields. @throws CatalogError of kind `unreachable` for others */
export function parseRows({ status, body }: HttpResponse, action: string): Course[] {
  const rows = attempt((): unknown => JSON.parse(body.toString()));
  if (isList(rows) && rows.every(hasId)) return [...rows];
  const expected = rows === undefined ? "valid JSON" : "a list of objects with ids";
  const text = `could not ${action}: the response is not ${expected} (HTTP ${status})`;
  throw new CatalogError("unreachable", text, { status, advice: CHECK_BASE_URL });
}

/** Whether the body is an HTML page, which a proxy or another website has sent: the service sends no pages. */
function isHtml({ body }: HttpResponse): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<(!doctype|html)/i.test(body.toString("latin1", 0, 200));
}

/** The error of an unsuccessful reply. @param action what failed: `read the courses` */
export function toError(request: HttpRequest, reply: Reply, action: string): CatalogError {
  if (reply.type === "failure") {
    const { message, advice, code, cause, proxyVariable } = reply;
    const proxy = proxyVariable === undefined ? "" : ` through the proxy of ${proxyVariable}`;
    const text = `could not ${action} at ${new URL(request.url).origin}${proxy}: ${message}`;
    if (code === INTERRUPTED.code) return new CatalogError("interrupted", text);
    return new CatalogError("unreachable", text, { code, cause, advice });
  }
  const { said, ...texts } = parseErrorBody(reply);
  const kind = kindOf(request, reply);
  const isSilent = texts.hint === undefined && said === undefined;
  const [reason, advice] = describe(reply, kind, isSilent);
  const answer = `HTTP ${reply.status}${requestId(reply)}`;
  const text = `could not ${action}: ${reason} (${answer})${said === undefined ? "" : `: ${said}`}`;
  return new CatalogError(kind, text, { status: reply.status, ...texts, advice });
}

/** The id under which the operator of the service finds the request, if the service sent one: `, request 7f3a` */
export function requestId({ headers }: HttpResponse): string {
  const { "x-request-id": id = "" } = headers;
  return /^[\w.+/=-]{1,100}$/.test(id) ? `, request ${id}` : "";
}

function kindOf({ method }: HttpRequest, response: Exclude<Reply, Failure>): ErrorKind {
  const { status } = response;
  if (status === 401) return "auth";
  if (mayPass(response) || status > 500 || status < 300) return "unreachable";
  const isAbsent = (status === 404 || status === 406) && ["PATCH", "DELETE"].includes(method);
  // An HTML page comes from another website, which cannot know the course.
  return isAbsent && !isHtml(response) ? "missing" : "rejected";
}

/** Why a request was not successful, and what the user can do. @param isSilent whether the service gave no reason */
function describe(response: HttpResponse, kind: ErrorKind, isSilent: boolean): [string, string?] {
  const { status, headers } = response;
  if (status < 300) return ["the service sent an HTML page instead of JSON", CHECK_BASE_URL];
  if (status < 400) {
    const other = parseUrl(headers.location ?? "")?.origin ?? "another URL";
    const why = "catalog does not follow redirects, to keep your API key safe";
    return [`the service redirects to ${other}, but ${why}`, CHECK_BASE_URL];
  }
  if (kind === "auth") return ["the service does not accept your API key", CHECK_KEY];
  if (kind === "missing") return [COURSE_NOT_FOUND, LIST_COURSES];
  if (status === 429) return ["too many requests", "Wait a minute, or lower --concurrency."];
  if (kind === "unreachable") return ["the service failed", "Wait a minute and try again."];
  if (status === 403 && !isHtml(response)) return [REJECTED, CHECK_PERMISSION];
  if (status === 404) return ["the service has nothing at this URL", CHECK_BASE_URL];
  return isSilent ? [REJECTED, CHECK_BASE_URL] : [REJECTED];
}

const REJECTED = "the service rejected the request";
const CHECK_KEY =
  'Run "catalog status" to see where the API key comes from, or ask the operator of the catalog for a new one.';
const CHECK_PERMISSION =
  'The API key may lack this permission. Run "catalog status" to see which one catalog uses.';

const RUNS = "Check the base URL, and that the service is running.";
const UNTRUSTED =
  "Check the base URL. If it is right, set NODE_EXTRA_CA_CERTS to a file with the certificate authority.";
const CLOSED = ["the connection was closed", RUNS] as const;
const CLOCK =
  "Check the clock of this machine. If it is right, the operator has to renew the certificate.";
const NO_TLS = [
  "the server does not speak HTTPS on this port",
  "Check the port of the base URL. A service on this machine may need http:// instead of https://.",
] as const;

/** What failures of the network mean, by their codes, and what the user can do. */
const SENTENCES: Readonly<Record<string, readonly [message: string, advice: string]>> = {
  ECONNREFUSED: ["connection refused", RUNS],
  ECONNRESET: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  ENOTFOUND: ["host not found", "Check the spelling of the base URL."],
  EAI_AGAIN: ["the host name could not be resolved", "Check your network connection."],
  CERT_HAS_EXPIRED: ["the server's certificate has expired", CLOCK],
  CERT_NOT_YET_VALID: ["the server's certificate is not valid yet", CLOCK],
  Z_DATA_ERROR: ["the compressed response is damaged", RUNS],
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/** Codes of requests that were not sent. With the last two, undici says that a proxy refused the request. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_(CONNECT_TIMEOUT|ABORTED|INVALID_ARG))$/;

/** The failure of a request that was not sent, because the client was stopped. */
export const INTERRUPTED: Failure = {
  type: "failure",
  code: "ABORTED",
  message: "interrupted",
  advice: "",
  mayHaveArrived: false,
  mayPass: false,
};

/**
 * What an error of undici or of the system means.
 *
 * @param timeout the time limit in milliseconds
 * @param proxyVariable the variable that names the proxy through which the request was sent
 */
export function toFailure(
  thrown: unknown,
  timeout: number,
  proxyVariable: string | undefined,
): Failure {
  const cause = rootCause(thrown);
  const isLate = cause instanceof Error && cause.name === "TimeoutError";
  const code = isLate ? "TIMEOUT" : (systemCode(cause) ?? systemCode(thrown) ?? "UNKNOWN");
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/.test(code);
  const isTls = isCertificate || code.startsWith("ERR_SSL_");
  const said = cause instanceof Error ? cause.message : String(cause);
  const [message, advice] = isLate
    ? [`no response within ${timeout / 1000} s`, `${RUNS} To wait longer, increase --timeout.`]
    : (SENTENCES[code] ??
      (isCertificate ? [`certificate not trusted: ${said}`, UNTRUSTED] : [said, RUNS]));
  const isProxys = proxyVariable !== undefined && !isTls && !isLate;
  return {
    type: "failure",
    code,
    message,
    advice: isProxys ? `Check the URL in ${proxyVariable}, and that the proxy is running.` : advice,
    proxyVariable,
    mayHaveArrived: !(NOT_SENT.test(code) || isTls),
    mayPass: !(isTls || code === "UND_ERR_HEADERS_OVERFLOW" || code === "UND_ERR_INVALID_ARG"),
    cause: thrown,
  };
}

/** The first cause of an error, of which the system describes the reason. */
function rootCause(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  return error instanceof Error && error.cause instanceof Error ? rootCause(error.cause) : error;
}
