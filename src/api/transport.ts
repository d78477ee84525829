/** What one HTTP exchange is, whoever carries it out. */
import type { Kind } from "../base/errors.ts";

/** One request. `url` is absolute; header names are in lower case. */
export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  /** Header names in lower case; of a header sent twice, the values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Why the body ended before its end, if it did; the status stands all the same. */
  readonly brokenBy?: NoAnswer;
}

/** Why there was no answer. */
export class NoAnswer extends Error {
  /** The system's or undici's code: `ECONNREFUSED`, `ENOTFOUND`, `TIMEOUT`. */
  readonly code: string;
  /** Whether trying again could help; a refused certificate stays refused. */
  readonly passing: boolean;
  /** `unreachable`, or `interrupted` when the caller stopped it. */
  readonly kind: Extract<Kind, "unreachable" | "interrupted">;

  constructor(
    message: string,
    facts: { code: string; passing?: boolean; kind?: NoAnswer["kind"]; cause?: unknown },
  ) {
    super(message, { cause: facts.cause });
    this.name = "NoAnswer";
    this.code = facts.code;
    this.passing = facts.passing ?? true;
    this.kind = facts.kind ?? "unreachable";
  }
}

/** How one exchange may run. */
export interface SendOptions {
  /** Milliseconds until it is given up. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Which try this is, from 1; for the log. */
  readonly attempt: number;
}

/**
 * Carries out one exchange, once. Resolves with whatever answer came, of any status.
 *
 * @throws NoAnswer when none came
 */
export type Send = (request: Request, options: SendOptions) => Promise<Answer>;

/** A `Send` with connections that must be closed. */
export interface Transport {
  readonly send: Send;
  close(): Promise<void>;
}
