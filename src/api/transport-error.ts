/** Says in plain words why a connection gave no answer. */
import { systemCode } from "../base/errors.ts";
import { NEVER_SENT, TransportError } from "./transport.ts";

const TOO_LARGE = "the answer is larger than any of the service's can be";
const NO_TLS = "what answered does not speak TLS, as an address with https needs";

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there (connection refused)",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  ENOTFOUND: "the host name is not known",
  EAI_AGAIN: "the host name could not be looked up",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ETIMEDOUT: "the connection could not be made in time",
  UND_ERR_CONNECT_TIMEOUT: "the connection could not be made in time",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the answer was cut short",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: TOO_LARGE,
  UND_ERR_HEADERS_OVERFLOW: "the headers of the answer are larger than any of the service's can be",
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
};

/** Repeating the same request meets the same end. */
const LASTING = new Set([
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
  "UND_ERR_HEADERS_OVERFLOW",
  "ERR_SSL_WRONG_VERSION_NUMBER",
  "ERR_SSL_PACKET_LENGTH_TOO_LONG",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
]);

/** Turns what undici or the system threw into a `NoAnswer`. */
export function noAnswer(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const cause = rootCause(error);
  const code = systemCode(cause) ?? systemCode(error) ?? "UNKNOWN";
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isCertificateCode(code)) {
    return new TransportError(`its certificate is not trusted: ${message}`, {
      code,
      passing: false,
      cause: error,
    });
  }
  // Some of them carry no code.
  if (code.startsWith("HPE_") || (cause instanceof Error && cause.name === "HTTPParserError")) {
    return new TransportError("what answered does not speak HTTP", { code, cause: error });
  }
  return new TransportError(REASONS[code] ?? message, {
    code,
    passing: !LASTING.has(code),
    cause: error,
  });
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

/** An answer that says itself that it is too large, or is when it is unpacked. */
export function tooLarge(): TransportError {
  return new TransportError(TOO_LARGE, { code: "TOO_LARGE", passing: false });
}

/** What a page that says 200 comes to where a write belongs: the service sends no pages. */
export function unexpectedHtml(): TransportError {
  const code = "NOT_THE_SERVICE";
  return new TransportError("an HTML page came in the place of its answer", {
    code,
    passing: false,
  });
}

/** The code of a proxy that did not let a request through. */
export const PROXY_REFUSED = "PROXY_REFUSED";

/** The codes of requests that never got as far as the service. */
const ON_THE_WAY =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_SSL_.*|PROXY_REFUSED|NOT_THE_SERVICE)$/;

/** Whether the service may have got the request that was not answered. */
export function mayHaveArrived({ code }: TransportError): boolean {
  const isHeldBack = Object.values<string>(NEVER_SENT).includes(code);
  return !isHeldBack && !ON_THE_WAY.test(code) && !isCertificateCode(code);
}

/** Whether the code is of a certificate that is not trusted. */
export function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_CERT|HOSTNAME_MISMATCH/.test(code);
}
