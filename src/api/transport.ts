/** What one HTTP exchange is, whoever carries it out. */
import type { ErrorKind } from "../base/errors.ts";

/** The methods that a request can have. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

/** The method of a request. */
export type Method = (typeof METHODS)[number];

/** One request. `url` is absolute; header names are in lower case. */
export interface Request {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The body as it is sent, where it is ready, or comes from elsewhere and may be no text. */
  readonly bytes?: Uint8Array;
}

/** What came back. */
export interface BufferedResponse {
  readonly status: number;
  /** What the service says beside the number, such as `Not Found`; it may say nothing. */
  readonly reason?: string;
  /** Header names in lower case; of a header sent twice, the values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** What `text` was read from, where that was to be kept; left out where it was text already. */
  readonly bytes?: Uint8Array;
  /** Why the body ended before its end, if it did; the status stands all the same. */
  readonly bodyError?: TransportError;
  /**
   * Of a 429: whether other requests were served since this one first went off, so that it is the
   * pace that was refused and not this request.
   */
  readonly outpaced?: boolean;
}

/** What comes before the body of an answer. */
export type Head = Required<Pick<BufferedResponse, "status" | "reason" | "headers">>;

/** Why there was no answer. */
export class TransportError extends Error {
  /** The system's or undici's code: `ECONNREFUSED`, `ENOTFOUND`, `TIMEOUT`. */
  readonly code: string;
  /** Whether trying again could help; a refused certificate stays refused. */
  readonly retryable: boolean;
  /** `unreachable`, or `interrupted` when the caller stopped it. */
  readonly kind: Extract<ErrorKind, "unreachable" | "interrupted">;

  constructor(
    message: string,
    facts: { code: string; passing?: boolean; kind?: TransportError["kind"]; cause?: unknown },
  ) {
    super(message, { cause: facts.cause });
    this.name = "NoAnswer";
    this.code = facts.code;
    this.retryable = facts.passing ?? true;
    this.kind = facts.kind ?? "unreachable";
  }
}

/** The codes of a request that was not sent because others had to wait, too. */
export const NEVER_SENT = {
  /** Its own time was over. */
  late: "NO_TIME_LEFT",
  /** The service took no request at all for as long as one may take. */
  quiet: "NOTHING_TAKEN",
} as const;

/** What a request comes to that its caller stopped. */
export function interruption(): TransportError {
  return new TransportError("interrupted", {
    code: "ABORTED",
    kind: "interrupted",
    passing: false,
  });
}

/** How one exchange may run. */
export interface SendOptions {
  /** Milliseconds until it is given up, from when it goes off. */
  readonly timeout: number;
  /** When it must have ended, on the clock, however long it has to wait for its turn. */
  readonly deadline?: number | undefined;
  /** Told when it goes off, if it may have to wait for that. */
  readonly onLeave?: () => void;
  readonly signal?: AbortSignal | undefined;
  /** Whether the answer is to hold the bytes of its body, too. */
  readonly keepsBytes?: boolean;
  /** Which try this is, from 1; for the log. */
  readonly attempt: number;
}

/**
 * Carries out one exchange, once. Resolves with whatever answer came, of any status.
 *
 * @throws NoAnswer when none came
 */
export type Send = (request: Request, options: SendOptions) => Promise<BufferedResponse>;

/** A `Send` with connections that must be closed. */
export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}
