/** Defines one HTTP exchange, independent of the HTTP library, and the errors of an exchange without a response. */
import { NOT_THE_SERVICE, systemCode } from "../base/errors.ts";
import { isObject } from "../base/values.ts";

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export type Method = (typeof METHODS)[number];

/** The most bytes of a decoded response; a page of 100 courses is far smaller. */
export const MAX_RESPONSE_SIZE = 64 * 1024 * 1024;

/** One HTTP request. `url` is absolute; header names are lowercase. */
export interface Request {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The most bytes of the decoded response; `MAX_RESPONSE_SIZE` by default. */
  readonly maxBytes?: number;
}

/** A response of any status, with its body in memory. */
export interface BufferedResponse {
  readonly status: number;
  /** The status text, such as `Not Found`; it may be empty. */
  readonly reason?: string;
  /** Names are lowercase; the values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** If the request failed, the proxy that forwarded it: `HTTP_PROXY (http://proxy.example:3128)`. */
  readonly proxy?: string;
  /** Why the body is missing, although the status arrived. */
  readonly bodyError?: TransportError;
}

export interface SendOptions {
  /** Milliseconds from the moment the request is sent. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Carries out one exchange, once; the response may have any status. @throws TransportError without a response */
export type Send = (request: Request, options: SendOptions) => Promise<BufferedResponse>;

export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}

/** The error of an exchange without a response. */
export class TransportError extends Error {
  /** A code of the system or of undici (`ECONNREFUSED`, `ENOTFOUND`), or one of `TRANSPORT_ERROR_CODES`. */
  readonly code: string;
  /** Whether another attempt could succeed: not with an untrusted certificate, for example. */
  readonly retryable: boolean;
  readonly advice: string | undefined;

  constructor(
    message: string,
    facts: { code: string; retryable?: boolean; cause?: unknown; advice?: string | undefined },
  ) {
    super(message, { cause: facts.cause });
    this.name = "TransportError";
    this.code = facts.code;
    this.retryable = facts.retryable ?? true;
    this.advice = facts.advice;
  }
}

export const TRANSPORT_ERROR_CODES = {
  aborted: "ABORTED",
  timeout: "TIMEOUT",
  tooLarge: "TOO_LARGE",
  encoding: "ENCODING",
  notTheService: NOT_THE_SERVICE,
  /** A proxy did not let the request through. */
  proxyRefused: "PROXY_REFUSED",
  /** Never sent: the time for the request was over before it got a permit. */
  noTimeLeft: "NO_TIME_LEFT",
  /** Never sent: the service had rejected every request for five minutes. */
  throttled: "THROTTLED",
} as const;

const CONNECTION_CLOSED = "the connection was closed";
const TIMED_OUT = "the connection timed out";
const NO_TLS = "the server does not speak HTTPS on this port";

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: CONNECTION_CLOSED,
  EPIPE: CONNECTION_CLOSED,
  UND_ERR_SOCKET: CONNECTION_CLOSED,
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  ETIMEDOUT: TIMED_OUT,
  UND_ERR_CONNECT_TIMEOUT: TIMED_OUT,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the response was incomplete",
  UND_ERR_HEADERS_OVERFLOW: "the response headers are too large",
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  CERT_HAS_EXPIRED: "the server's certificate has expired",
  CERT_NOT_YET_VALID: "the server's certificate is not valid yet",
};

const CHECK_NETWORK = "Check your network connection, then try again.";
const USE_HTTP =
  "Is the port in the base URL right? A service on this machine may need http:// instead of https://.";

/** What the user can do about the errors with these codes. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOTFOUND: "Is the host in the base URL spelled correctly?",
  EAI_AGAIN: CHECK_NETWORK,
  EHOSTUNREACH: CHECK_NETWORK,
  ENETUNREACH: CHECK_NETWORK,
  ERR_SSL_WRONG_VERSION_NUMBER: USE_HTTP,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: USE_HTTP,
  CERT_HAS_EXPIRED:
    "Check the clock of this machine. If it is right, the service must renew its certificate.",
  CERT_NOT_YET_VALID: "Check the clock of this machine, which may be slow.",
  ERR_TLS_CERT_ALTNAME_INVALID: "Use a host in the base URL that the certificate is for.",
};
const UNTRUSTED_ADVICE =
  "Is the base URL right? If it is, set NODE_EXTRA_CA_CERTS to a file with the certificate authority.";

/** Codes of errors that another attempt would meet again. */
const PERMANENT = new Set([
  "UND_ERR_HEADERS_OVERFLOW",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
]);

/** Converts an error of undici or of the system to one with a message and advice for people. */
export function toTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const cause = rootCause(error);
  const code = systemCode(cause) ?? systemCode(error) ?? "UNKNOWN";
  const isCertificate = isCertificateCode(code);
  return new TransportError(explain(code, cause), {
    code,
    retryable: !isCertificate && !PERMANENT.has(code),
    cause: error,
    advice: ADVICE[code] ?? (isCertificate ? UNTRUSTED_ADVICE : undefined),
  });
}

function explain(code: string, cause: unknown): string {
  const known = MESSAGES[code];
  if (known !== undefined) return known;
  const { name = "", message = String(cause) } = cause instanceof Error ? cause : {};
  // Node.js adds the host that it looked for to these errors: the service's host, or the proxy's.
  const { hostname, host, cert } = isObject(cause) ? cause : {};
  const named = typeof hostname === "string" ? ` ${hostname}` : "";
  if (code === "ENOTFOUND") return `host${named} not found`;
  if (code === "EAI_AGAIN") return `the host name${named} could not be resolved`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const alternatives = isObject(cert) ? cert.subjectaltname : undefined;
    const others = String(alternatives ?? "another host").replaceAll("DNS:", "");
    const own = typeof host === "string" ? `, not for ${host}` : "";
    return `the server's certificate is for ${others}${own}`;
  }
  if (isCertificateCode(code)) return `certificate not trusted: ${message}`;
  // Some parser errors have no code.
  const isInvalid = code.startsWith("HPE_") || name === "HTTPParserError";
  return isInvalid ? "the server did not send a valid HTTP response" : message;
}

/** Whether the code says that the server's certificate was rejected. */
export function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/.test(code);
}

function rootCause(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 5; depth++) {
    if (cause instanceof AggregateError && cause.errors.length > 0) cause = cause.errors[0];
    else if (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
    else break;
  }
  return cause;
}

/** The error of a request that the caller aborted. */
export function abortError(): TransportError {
  const code = TRANSPORT_ERROR_CODES.aborted;
  return new TransportError("interrupted", { code, retryable: false });
}

/** The error of a change to which something responded with an HTML page; the service sends no pages. */
export function unexpectedHtml(): TransportError {
  const message = "received an HTML page instead of the service's response";
  const code = TRANSPORT_ERROR_CODES.notTheService;
  return new TransportError(message, { code, retryable: false });
}

/** Codes of requests that did not reach the service. */
const NOT_DELIVERED = new Set<string>([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  TRANSPORT_ERROR_CODES.proxyRefused,
  TRANSPORT_ERROR_CODES.noTimeLeft,
  TRANSPORT_ERROR_CODES.throttled,
]);

/** Whether the request may have reached the service. */
export function mayHaveArrived({ code }: TransportError): boolean {
  return !NOT_DELIVERED.has(code) && !code.startsWith("ERR_SSL_") && !isCertificateCode(code);
}
