/** Says in plain words why a connection gave no answer. */
import { systemCode } from "../base/errors.ts";
import { NoAnswer } from "./transport.ts";

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
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "the answer is larger than any of the service's can be",
};

/** Repeating the same request meets the same end. */
const LASTING = new Set([
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
  "UND_ERR_INVALID_ARG",
  "UND_ERR_DESTROYED",
  "UND_ERR_CLOSED",
]);

/** Turns what undici or the system threw into a `NoAnswer`. */
export function noAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const cause = rootCause(error);
  const code = systemCode(cause) ?? systemCode(error) ?? "UNKNOWN";
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isCertificateCode(code)) {
    return new NoAnswer(`its certificate is not trusted: ${message}`, {
      code,
      passing: false,
      cause: error,
    });
  }
  if (code.startsWith("HPE_")) {
    return new NoAnswer("what answered does not speak HTTP", { code, cause: error });
  }
  return new NoAnswer(REASONS[code] ?? message, {
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

function isCertificateCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_CERT|HOSTNAME_MISMATCH/.test(code);
}
