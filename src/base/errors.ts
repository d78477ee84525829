/** Defines the kinds of errors. The kind of an error, never its text, determines its format and exit code. */
import { getSystemErrorMap } from "node:util";

/** What went wrong, as a closed list. */
export const ERROR_KINDS = [
  "interrupted", // a signal stopped the run
  "cancelled", // the user answered a question with no
  "usage", // the command line or a setting is wrong: an unknown word, an invalid value, a missing setting
  "auth", // the API key is missing, or the service rejects it
  "unreachable", // the service sent no response, or none that a working service sends
  "file", // a course file is invalid or cannot be read
  "drift", // the catalog was changed since the base of a comparison
  "missing", // the course does not exist, or belongs to another user
  "rejected", // the service rejected the request
  "stale", // the course was changed since the plan was made, or since the run that is undone
  "record", // the record of a run cannot be written
  "output", // the result could not be written
  "internal", // catalog has a bug
] as const;

export type ErrorKind = (typeof ERROR_KINDS)[number];

/** A range in a file, with the line in which it begins. Lines and columns count from 1; the end is exclusive. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The line in which the range begins, or a part of it; a workbook has none. */
  readonly source?: string;
  /** How many characters of the line come before `source`; 0 by default. */
  readonly sourceFrom?: number;
}

/** Why a course can be neither read nor changed. The service does not say which of the two reasons applies. */
export const COURSE_NOT_FOUND = "no such course, or it is not yours";

export const LIST_COURSES = 'Run "catalog courses ls" to list your courses.';

/** The message about a listing that may lack a course, because others were added or deleted between its pages. */
export const UNRELIABLE_LISTING =
  "the list of courses changed while it was read, so courses may be missing";

/** What is known about a failure besides its message. `output/` prints these facts; no code parses them. */
export interface ErrorFacts {
  readonly hint?: string | undefined;
  readonly details?: string | undefined;
  readonly status?: number | undefined;
  /** The service's `code`, or the system's code of a failed connection. */
  readonly code?: string | undefined;
  readonly file?: string | undefined;
  /** The line in the file; the first line is 1. */
  readonly line?: number | undefined;
  /** The column in the line, in UTF-16 units; the first column is 1. */
  readonly column?: number | undefined;
  /** The rule that a course file breaks; `service` if the service rejected the course. */
  readonly rule?: string | undefined;
  /** The place whose line is shown. */
  readonly place?: Place | undefined;
  /** What the user can do: a sentence or two. */
  readonly advice?: string | undefined;
  readonly cause?: unknown;
}

/** A failure with a kind. Its `message` says what failed and why, and names the file only if the facts have no line. */
export class CatalogError extends Error {
  readonly kind: ErrorKind;
  readonly facts: ErrorFacts;

  constructor(kind: ErrorKind, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "CatalogError";
    this.kind = kind;
    this.facts = facts;
  }

  /** A copy of the error with more facts, such as the file or advice, which a higher layer knows. */
  with(facts: ErrorFacts): CatalogError {
    return new CatalogError(this.kind, this.message, { ...this.facts, ...facts });
  }
}

/** An invalid argument, value or setting: exit code 2. */
export function usageError(message: string, advice?: string): CatalogError {
  return new CatalogError("usage", message, { advice });
}

/** The error of a course file that is not read, or has no course: exit code 3. */
export function unreadError(
  file: string,
  rule: string,
  message: string,
  advice?: string,
): CatalogError {
  return new CatalogError("file", message, { file, rule, advice });
}

/** The version of the package, which the build sets. */
declare const CATALOG_VERSION: string | undefined;

/** For example `1.2.3`; `0.0.0` if the sources run without a build. */
export const VERSION = typeof CATALOG_VERSION === "string" ? CATALOG_VERSION : "0.0.0";

/** Converts a thrown value to a `CatalogError`; an unexpected error gets the kind `internal`. */
export function asCatalogError(thrown: unknown): CatalogError {
  if (thrown instanceof CatalogError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CatalogError("internal", `this is a bug in catalog: ${message}`, {
    cause: thrown,
    advice: "Report it with the output of --verbose.",
  });
}

/** The result of a function; undefined if the function throws, for any reason. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The result of a function, or the error that it throws. */
export function attemptOrError<Result>(work: () => Result): Result | CatalogError {
  try {
    return work();
  } catch (thrown) {
    return asCatalogError(thrown);
  }
}

/** Why a system call failed, in the words of the system, which people search for. */
export function systemReason(thrown: unknown): string {
  const errno = thrown instanceof Error && "errno" in thrown ? thrown.errno : undefined;
  const known = typeof errno === "number" ? getSystemErrorMap().get(errno) : undefined;
  if (known !== undefined) return known[1];
  if (systemCode(thrown) === "ERR_STRING_TOO_LONG") return "the file is too large";
  return systemCode(thrown) ?? (thrown instanceof Error ? thrown.message : `${thrown}`);
}

/** The system's code of a failed call (`ENOENT`, `EPIPE`, `ECONNREFUSED`); undefined without one. */
export function systemCode(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}
