/** Defines one HTTP exchange, independent of the library that carries it out. */

/** The supported request methods. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** A request method. */
export type Method = (typeof METHODS)[number];

/** Bytes that a response may have, decoded; a page of 100 courses is far smaller. */
export const MAX_RESPONSE_SIZE = 64 * 1024 * 1024;

/** One HTTP request. `url` is absolute; header names are lowercase. */
export interface Request {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** How many bytes its response may have, decoded; `MAX_RESPONSE_SIZE` by default. */
  readonly maxBytes?: number;
}

/** A response of any status, with its body in memory. */
export interface BufferedResponse {
  readonly status: number;
  /** The status text, such as `Not Found`; it may be empty. */
  readonly reason?: string;
  /** Names are lowercase; the values of a repeated header are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded bytes; empty if there were none. */
  readonly body: Buffer;
  /** The proxy that forwarded a request that failed: its variable and address. */
  readonly proxy?: string;
  /** Why the body is missing although the status arrived. */
  readonly bodyError?: TransportError;
}

/** How one exchange is carried out. */
export interface SendOptions {
  /** Milliseconds from the moment the request is sent. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Carries out one exchange, once. Resolves with a response of any status.
 *
 * @throws TransportError if there was no response
 */
export type Send = (request: Request, options: SendOptions) => Promise<BufferedResponse>;

/** A `Send` with connections that must be closed. */
export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}

/** Why there was no response. */
export class TransportError extends Error {
  /** The code of the system or of undici (`ECONNREFUSED`, `ENOTFOUND`), or one of `CODES`. */
  readonly code: string;
  /** Whether another attempt could succeed; an untrusted certificate stays untrusted. */
  readonly retryable: boolean;
  /** What to do, if that is known. */
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

/** Codes of our own. */
export const TRANSPORT_ERROR_CODES = {
  /** The caller aborted the request. */
  aborted: "ABORTED",
  timeout: "TIMEOUT",
  tooLarge: "TOO_LARGE",
  encoding: "ENCODING",
  /** Something else responded instead of the service. */
  notTheService: "NOT_THE_SERVICE",
  /** A proxy did not let the request through. */
  proxyRefused: "PROXY_REFUSED",
  /** Never sent: the time for the request was over before it got a permit. */
  noTimeLeft: "NO_TIME_LEFT",
  /** Never sent: the service had rejected every request for five minutes. */
  throttled: "THROTTLED",
} as const;
