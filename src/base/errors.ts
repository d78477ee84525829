/** Defines the kinds of errors; the kind, never the text, determines format and exit code. */
import { getSystemErrorMap } from "node:util";

/**
 * What went wrong, as a closed list.
 *
 * - `interrupted`: stopped by a signal
 * - `cancelled`: the user answered a question with no
 * - `usage`: an unknown word, an invalid value, a missing or invalid setting
 * - `auth`: no API key, or one that the service rejected
 * - `unreachable`: no response, or none that a working service sends
 * - `file`: a course file that is invalid or unreadable
 * - `drift`: the catalog was changed since the base of a comparison
 * - `missing`: no such course, or not one of the user's
 * - `refused`: the service rejected the request
 * - `output`: the result could not be written
 * - `internal`: a bug of this program
 */
export const ERROR_KINDS = [
  "interrupted",
  "cancelled",
  "usage",
  "auth",
  "unreachable",
  "file",
  "drift",
  "missing",
  "refused",
  "output",
  "internal",
] as const;

export type ErrorKind = (typeof ERROR_KINDS)[number];

/** A line of a file, and the end of the range in it; lines and columns start at 1. */
export interface Excerpt {
  readonly source: string;
  /** How many characters of the line are left out before `source`. */
  readonly sourceFrom?: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Why a course can be neither read nor changed; the service does not say which of both it is. */
export const COURSE_NOT_FOUND = "course not found, or not owned by you";

export const LIST_COURSES = 'Run "catalog courses ls" to list your courses.';

/** Everything known about a failure besides its message; printed by `output/`, never parsed. */
export interface ErrorFacts {
  /** The service's `hint`, as given. */
  readonly hint?: string | undefined;
  /** The service's `details`, as given. */
  readonly details?: string | undefined;
  /** The HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /** The service's `code`, or the system's code of a failed connection. */
  readonly code?: string | undefined;
  readonly file?: string | undefined;
  /** One-based. */
  readonly line?: number | undefined;
  /** One-based, in UTF-16 units. */
  readonly column?: number | undefined;
  /** The violated rule of a course file; `service` if the service rejected it. */
  readonly rule?: string | undefined;
  /** The line of the file with the end of the range, for display. */
  readonly excerpt?: Excerpt | undefined;
  /** What the user can do, in one sentence. */
  readonly advice?: string | undefined;
  /** Whether the change that failed may have taken effect; never printed. Otherwise it did not. */
  readonly effect?: "unknown" | undefined;
  readonly cause?: unknown;
}

/** A failure with a kind. `message` says what failed and why, without the facts. */
export class CatalogError extends Error {
  readonly kind: ErrorKind;
  readonly facts: ErrorFacts;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "CatalogError";
    this.kind = kind;
    this.facts = facts;
  }

  /** The same error with more facts, which a higher layer adds (a file, advice). */
  with(facts: ErrorFacts): CatalogError {
    return new CatalogError(this.kind, this.message, { ...this.facts, ...facts });
  }
}

/** The code of a listing that repeats a complete page of courses. */
export const REPEATED_PAGE = "REPEATED_PAGE";

/** The code of a response by something else than the service. */
export const NOT_THE_SERVICE = "NOT_THE_SERVICE";

/** Whether the service rejected the key; a proxy that requires a login responds with 401, too. */
export function isRejectedKey({ kind, facts: { status, code } }: CatalogError): boolean {
  return kind === "auth" && status === 401 && code !== NOT_THE_SERVICE;
}

/** An invalid argument, value or setting: exit code 2. */
export function usageError(message: string, advice?: string): CatalogError {
  return new CatalogError("usage", message, { advice });
}

/** Error codes that affect one request only: a broken connection, or its own time limit. */
const BROKEN_ONCE =
  /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|NO_TIME_LEFT)$/;

/** Whether all other requests of a run would fail in the same way: no key, or an unreachable service. */
export function abortsRun({ kind, facts }: CatalogError): boolean {
  const isUnreachable =
    kind === "unreachable" && facts.status === undefined && !BROKEN_ONCE.test(facts.code ?? "");
  return kind === "auth" || kind === "interrupted" || isUnreachable;
}

/** Whether the service failed, as opposed to rejecting the request: a server error after all retries. */
export function isServerFailure({ kind, facts: { status = 0 } }: CatalogError): boolean {
  return kind === "unreachable" && status >= 500;
}

/** Converts a thrown value to a `CatalogError`; an unexpected error becomes `internal`. */
export function asCatalogError(thrown: unknown): CatalogError {
  if (thrown instanceof CatalogError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CatalogError("internal", `something went wrong inside catalog: ${message}`, {
    cause: thrown,
    advice: "Run the command again with --verbose and report what it prints.",
  });
}

/** The result of work that may fail for any reason; undefined if it throws. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Why a system call failed, in the system's words: "permission denied", "no space left on device". */
export function systemReason(thrown: unknown): string {
  const errno = thrown instanceof Error && "errno" in thrown ? thrown.errno : undefined;
  const known = typeof errno === "number" ? getSystemErrorMap().get(errno) : undefined;
  return (
    known?.[1] ?? systemCode(thrown) ?? (thrown instanceof Error ? thrown.message : `${thrown}`)
  );
}

/** The system's code of a failed call (`ENOENT`, `EPIPE`, `ECONNREFUSED`), if it carries one. */
export function systemCode(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}
