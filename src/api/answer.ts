/** Reads the service's answers: a value, or an error of the right kind with the service's words. */

import { CatalogError, type ErrorFacts, type ErrorKind } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";
import { formatNumber } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import type { Course } from "../course/wire.ts";
import { isRetryable, type Outcome } from "./retry-policy.ts";
import type { BufferedResponse, Request, TransportError } from "./transport.ts";
import { isCertificateCode, PROXY_REFUSED } from "./transport-error.ts";

/** The words of an error body; each as given, none where the body has none. */
export interface ErrorBody {
  readonly hint?: string | undefined;
  readonly details?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** The error body's words (api.md, "Errors"). Never fails: a body of another form has none. */
export function parseErrorBody(answer: BufferedResponse): ErrorBody {
  if (answer.status < 400 || !answer.text.trimStart().startsWith("{")) return {};
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    return {};
  }
  if (!isObject(body)) return {};
  return {
    hint: textOrNothing(body.hint),
    details: textOrNothing(body.details),
    code: textOrNothing(body.code),
    message: textOrNothing(body.message),
  };
}

function textOrNothing(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The JSON value of a successful answer. @throws CatalogError `unreachable` when it is not JSON */
export function jsonOf(request: Request, answer: BufferedResponse): unknown {
  const value = parsed(request, answer);
  if (!isDeeper(value, DEEPEST)) return value;
  const how = `with more than ${formatNumber(DEEPEST)} lists and mappings inside one another`;
  throw notTheService(request, answer, how);
}

function parsed(request: Request, answer: BufferedResponse): unknown {
  try {
    return JSON.parse(answer.text);
  } catch (cause) {
    const what = answer.text.trim() === "" ? "nothing" : describeBody(answer);
    throw notTheService(request, answer, `with ${what} where JSON belongs`, cause);
  }
}

/** A course needs five; whatever compares or writes a value runs out of stack a little deeper. */
const DEEPEST = 1000;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (isList(value)) return value.some((inner) => isDeeper(inner, levels - 1));
  // What JSON holds has only keys of its own, and a list of them would be most of this work.
  for (const key in value) {
    if (isDeeper((value as PlainObject)[key], levels - 1)) return true;
  }
  return false;
}

/**
 * The course with that id among those that a look-up of it gave; undefined where it gave none.
 *
 * @throws CatalogError of kind `unreachable` where it gave others: who takes one for it may delete
 * what was never kept
 */
export function courseAmong(courses: readonly Course[], id: string): Course | undefined {
  const found = courses.find((course) => course.id.toLowerCase() === id.toLowerCase());
  if (found !== undefined || courses.length === 0) return found;
  const message = `the service was asked for course ${id}, and answered with another one`;
  throw new CatalogError("unreachable", message, {
    status: 200,
    advice: "Check that the base URL is that of the catalog service.",
  });
}

/** An answer of a form that the service does not give. */
export function notTheService(
  request: Request,
  answer: BufferedResponse,
  how: string,
  cause?: unknown,
): CatalogError {
  return new CatalogError("unreachable", `${addressOf(request)} answered ${how}`, {
    status: answer.status,
    cause,
    advice: THE_SERVICE,
  });
}

/** Turns an outcome that is no success into an error. `doing` names the work: `list courses`. */
export function failure(request: Request, outcome: Outcome, doing: string): CatalogError {
  if ("noAnswer" in outcome) return unanswered(request, outcome.noAnswer, doing);
  const { answer } = outcome;
  const words = parseErrorBody(answer);
  const facts: ErrorFacts = {
    status: answer.status,
    hint: words.hint,
    details: words.details,
    code: words.code,
  };
  const kind = kindOf(request, outcome);
  const said = Object.values(words).some((word) => word !== undefined) ? "" : bodyRemark(answer);
  const given = words.message === undefined ? "" : `: ${words.message}`;
  const isSilent = words.hint === undefined && words.message === undefined;
  const message = `could not ${doing}: ${reason(answer, kind, isSilent)}${said}${given}`;
  const next = nextStep(kind, answer.status, isSilent);
  return new CatalogError(kind, message, { ...facts, advice: next });
}

function kindOf(
  request: Request,
  outcome: Extract<Outcome, { answer: BufferedResponse }>,
): ErrorKind {
  const { status } = outcome.answer;
  if (status === 401) return "auth";
  if (isRetryable(outcome)) return "unreachable";
  const namesCourse = request.method === "PATCH" || request.method === "DELETE";
  // A page is that of another site, which knows of no course.
  if (namesCourse && (status === 404 || status === 406) && !isHtml(outcome.answer))
    return "missing";
  if (status > 500) return "unreachable";
  return "refused";
}

/** @param isSilent whether the service gave no words of its own */
function reason(answer: BufferedResponse, kind: ErrorKind, isSilent: boolean): string {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    const target = answer.headers.location;
    const where = target === undefined ? "" : ` to ${originOf(target)}`;
    return `the service redirects${where} (HTTP ${status}), and the key is not sent after a redirect`;
  }
  if (kind === "auth") return `the API key was refused (HTTP ${status})`;
  if (kind === "missing") return `no such course, or it is not yours (HTTP ${status})`;
  if (status === 404 && isSilent) return "there is nothing at that address (HTTP 404)";
  if (status === 429) return "the service is asked too often (HTTP 429)";
  if (kind === "unreachable") return `the service keeps failing (HTTP ${status})`;
  return `the service refused it (HTTP ${status})`;
}

function originOf(location: string): string {
  return parseUrl(location)?.origin ?? "another address";
}

function nextStep(kind: ErrorKind, status: number, isSilent: boolean): string | undefined {
  if (kind === "auth") {
    return 'Check the API key ("catalog status" tells where it comes from), or generate a new one.';
  }
  if (kind === "missing") return '"catalog courses ls" lists your courses.';
  if (kind === "unreachable") return "Try again later, or with more --retries.";
  if (status >= 300 && status < 400) return "Set the base URL to the final address.";
  if (kind === "refused" && status === 404 && isSilent) return "Check the base URL.";
  if (status === 403) return 'Check that the key may do this; "catalog status" tells which it is.';
  return undefined;
}

function bodyRemark(answer: BufferedResponse): string {
  return answer.text.trim() === "" ? "" : `, with ${describeBody(answer)}`;
}

/** Whether the body is an HTML page: that of a proxy or of another site, never the service's. */
export function isHtml({ text }: BufferedResponse): boolean {
  return /^\s*<(!doctype|html)/i.test(text.slice(0, 200));
}

function describeBody(answer: BufferedResponse): string {
  if (isHtml(answer)) return "an HTML page";
  const start = answer.text.trimStart();
  if (start.startsWith("{") || start.startsWith("[")) return "broken or unknown JSON";
  return "a text that is not JSON";
}

function unanswered(request: Request, cause: TransportError, doing: string): CatalogError {
  if (cause.kind === "interrupted") return new CatalogError("interrupted", "interrupted");
  const message = `could not ${doing}: ${addressOf(request)}: ${cause.message}`;
  return new CatalogError("unreachable", message, {
    code: cause.code,
    cause,
    advice: afterNone(cause),
  });
}

function afterNone({ code, retryable: passing }: TransportError): string {
  if (isCertificateCode(code)) {
    return "Check the base URL, or trust its certificate with NODE_EXTRA_CA_CERTS.";
  }
  if (code === PROXY_REFUSED) {
    return "Check the variable that names the proxy: a user name and a password stand in its URL, before an @.";
  }
  return passing ? "Check the base URL and the network, then try again." : THE_SERVICE;
}

/** What to do about an answer that is none of the service's. */
const THE_SERVICE =
  "Check that the base URL is that of the catalog service, and that no proxy answers in its place.";

function addressOf(request: Request): string {
  return new URL(request.url).origin;
}
