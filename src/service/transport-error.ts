/** Explains why there was no response. */
import { systemCode } from "../base/errors.ts";
import { isObject } from "../base/values.ts";
import { TRANSPORT_ERROR_CODES, TransportError } from "./transport.ts";

const CONNECTION_CLOSED = "the connection was closed";
const TIMED_OUT = "the connection timed out";
const NO_TLS = "the server does not support HTTPS";

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused: nothing is listening at this address",
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
};

/** Errors that another attempt would meet again. */
const PERMANENT = new Set([
  "UND_ERR_HEADERS_OVERFLOW",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
]);

/** Converts an error of undici or of the system. */
export function toTransportError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const cause = rootCause(error);
  const code = systemCode(cause) ?? systemCode(error) ?? "UNKNOWN";
  const message = cause instanceof Error ? cause.message : String(cause);
  const certificate = certificateProblem(code);
  if (certificate !== undefined) {
    const { explain, advice } = certificate;
    return new TransportError(explain(cause), { code, retryable: false, cause: error, advice });
  }
  // Some parser errors have no code.
  if (code.startsWith("HPE_") || (cause instanceof Error && cause.name === "HTTPParserError")) {
    return new TransportError("the server did not send a valid HTTP response", {
      code,
      cause: error,
    });
  }
  const retryable = !PERMANENT.has(code);
  const explained = MESSAGES[code] ?? explainLookup(code, cause) ?? message;
  return new TransportError(explained, { code, retryable, cause: error });
}

/** Names the host that the name service does not find; it may be that of a proxy. */
function explainLookup(code: string, cause: unknown): string | undefined {
  const host = isObject(cause) && typeof cause.hostname === "string" ? ` ${cause.hostname}` : "";
  if (code === "ENOTFOUND") return `host${host} not found`;
  return code === "EAI_AGAIN" ? `the host name${host} could not be resolved` : undefined;
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
  return new TransportError("interrupted", {
    code: TRANSPORT_ERROR_CODES.aborted,
    retryable: false,
  });
}

/** The error of a response that is, or would be when decompressed, too large. */
export function tooLarge(maxBytes: number): TransportError {
  const most = `${maxBytes / 1024 / 1024} MiB`;
  const message = `the response is larger than ${most}, the limit`;
  return new TransportError(message, { code: TRANSPORT_ERROR_CODES.tooLarge, retryable: false });
}

/** The error of a write that was answered with an HTML page; the service sends none. */
export function unexpectedHtml(): TransportError {
  const message = "received an HTML page instead of the service's response";
  return new TransportError(message, {
    code: TRANSPORT_ERROR_CODES.notTheService,
    retryable: false,
  });
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

/** What is wrong with a certificate, and what the user can do about it. */
interface CertificateProblem {
  readonly explain: (cause: unknown) => string;
  readonly advice: string;
}

const CERTIFICATE_PROBLEMS: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: {
    explain: () => "the server's certificate has expired",
    advice:
      "Check the clock of this machine; if it is right, the service must renew its certificate.",
  },
  CERT_NOT_YET_VALID: {
    explain: () => "the server's certificate is not valid yet",
    advice: "Check the clock of this machine, which may be slow.",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    explain: explainOtherHost,
    advice: "Check the host in the base URL; it must be one that the certificate is for.",
  },
};

/** Problems of trust: an unknown authority, a self-signed certificate. */
const UNTRUSTED: CertificateProblem = {
  explain: (cause) => `certificate not trusted: ${cause instanceof Error ? cause.message : cause}`,
  advice: "Check the base URL, or set NODE_EXTRA_CA_CERTS to trust the certificate.",
};

/** The problem that an error's code describes; undefined if it is not about a certificate. */
function certificateProblem(code: string): CertificateProblem | undefined {
  return CERTIFICATE_PROBLEMS[code] ?? (isCertificateCode(code) ? UNTRUSTED : undefined);
}

/** Whether the code is that of a rejected certificate. */
function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH/.test(code);
}

/** Names the hosts of the certificate and the requested one, which Node.js adds to its error. */
function explainOtherHost(cause: unknown): string {
  const { host, cert } = isObject(cause) ? cause : {};
  const alternatives = isObject(cert) ? cert.subjectaltname : undefined;
  const hosts = String(alternatives ?? "another host").replaceAll("DNS:", "");
  return `the server's certificate is for ${hosts}${typeof host === "string" ? `, not for ${host}` : ""}`;
}
