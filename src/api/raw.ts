/** Sends one request as it is told, once (cli.md sections 1 and 11). */
import type { CatalogError } from "../base/errors.ts";
import { failure, isHtml, parseErrorBody } from "./answer.ts";
import { checkCall, leavesBase } from "./raw-guard.ts";
import {
  type BufferedResponse,
  type Method,
  type Request,
  type Send,
  type SendOptions,
  TransportError,
} from "./transport.ts";
import { unexpectedHtml } from "./transport-error.ts";
import { mayHaveTakenEffect } from "./uncertain-outcome.ts";

/** A request as somebody typed it. */
export interface RawCall {
  readonly method: Method;
  /** Path and query, relative to the base URL, with or without a slash before it. */
  readonly path: string;
  /** Sent as it is, as JSON. */
  readonly body?: Uint8Array;
}

/** What came back, of any status. */
export interface RawResponse {
  readonly status: number;
  /** What the service says beside the status; it may be empty. */
  readonly reason: string;
  /** Names in lower case, in the order in which they came. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty where there was none. */
  readonly body: Uint8Array;
  /** Why it is no success; left out where it is one. */
  readonly failure?: CatalogError;
}

/** Who sends it, and how deletions ask for the single object. */
interface Sender {
  /** Ends in a slash. */
  readonly base: URL;
  readonly apiKey: string;
  readonly vendor: string;
}

/** The request of a call. @throws CatalogError of kind `usage` for one that must never be sent */
export function rawRequest(call: RawCall, { base, apiKey, vendor }: Sender): Request {
  const { method, path, body } = call;
  checkCall(method, path);
  const accept = method === "DELETE" ? `application/vnd.${vendor}.object+json` : "application/json";
  const headers = { "x-api-key": apiKey, accept };
  const request = { method, url: addressOf(path, base).href };
  if (body === undefined) return { ...request, headers };
  return { ...request, headers: { ...headers, "content-type": "application/json" }, bytes: body };
}

/** Whatever the text, the address is one of the service's: the key goes nowhere else. */
function addressOf(path: string, base: URL): URL {
  // Behind ./ nothing can be read as a scheme or a host.
  const url = new URL(`./${path.replace(/^\//, "")}`, base);
  const isBelow = url.origin === base.origin && url.pathname.startsWith(base.pathname);
  if (!isBelow || url.username !== "" || url.password !== "" || url.hash !== "") throw leavesBase();
  return url;
}

/** Sends it, and never again. @throws CatalogError `unreachable` or `interrupted` without an answer */
export async function sendRaw(
  request: Request,
  send: Send,
  options: Omit<SendOptions, "attempt">,
): Promise<RawResponse> {
  let answer: BufferedResponse;
  try {
    answer = await send(request, { ...options, keepsBytes: true, attempt: 1 });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const outcome = { noAnswer: error };
    const lost = failure(request, outcome, nameOf(request));
    throw changes(request) && mayHaveTakenEffect(outcome)
      ? lost.with({ advice: LOOK_FIRST })
      : lost;
  }
  const { status, reason = "", headers, bytes = Buffer.from(answer.text) } = answer;
  const whole = { status, reason, headers, body: bytes };
  const refusal = failureOf(request, answer);
  return refusal === undefined ? whole : { ...whole, failure: refusal };
}

function failureOf(request: Request, answer: BufferedResponse): CatalogError | undefined {
  const { status, bodyError: brokenBy } = answer;
  if (brokenBy !== undefined) {
    const doing = `read the answer to ${nameOf(request)}, which is HTTP ${status}`;
    const error = failure(request, { noAnswer: brokenBy }, doing);
    const isDone = changes(request) && status >= 200 && status < 300;
    return isDone
      ? error.with({ advice: "The status says that it was done: do not send it again." })
      : error;
  }
  if (status >= 200 && status < 300) {
    const isStrange = changes(request) && isHtml(answer);
    return isStrange
      ? failure(request, { noAnswer: unexpectedHtml() }, nameOf(request))
      : undefined;
  }
  const hasHint = parseErrorBody(answer).hint !== undefined;
  const outcome = { answer, hasHint };
  const error = failure(request, outcome, nameOf(request));
  return error.with({ advice: nextStep(error, changes(request) && mayHaveTakenEffect(outcome)) });
}

/** What to do before a request is sent again that changes something. */
const LOOK_FIRST = "The service may have done it all the same: look before you send it again.";

function changes({ method }: Request): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}

/** What to do next, where that is something else for one request than for the work of a command. */
function nextStep({ kind, facts }: CatalogError, mayBeDone: boolean): string | undefined {
  if (mayBeDone) return LOOK_FIRST;
  if (kind === "unreachable") {
    return "Try again later: a raw request is sent once, and never repeated.";
  }
  const isNowhere = kind === "refused" && facts.status === 404 && facts.advice !== undefined;
  return isNowhere ? "Check the path and the base URL." : facts.advice;
}

/** Method, path and query. */
function nameOf({ method, url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search}`;
}
