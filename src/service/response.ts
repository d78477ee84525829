/** Reads the bodies of responses. */
import { attempt, CatalogError } from "../base/errors.ts";
import { scanJson } from "../base/scan-json.ts";
import { formatNumber } from "../base/text.ts";
import { hasId, isList, isObject } from "../base/values.ts";
import type { Course } from "../course/request-body.ts";
import type { BufferedResponse, Request } from "./transport.ts";

/** The advice for a response that is not the service's. */
export const CHECK_BASE_URL =
  "Check that the base URL is that of the catalog service, and that no proxy responds instead of it.";

/** Whether the status is 2xx. */
export function isSuccess({ status }: BufferedResponse): boolean {
  return status >= 200 && status < 300;
}

/** The fields of an error body, as the service sent them (docs/service.md, "Errors"). */
export interface ErrorBody {
  readonly hint?: string | undefined;
  readonly details?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** The fields of the error body; none if the body has another form, or the status is not an error. */
export function parseErrorBody(response: BufferedResponse): ErrorBody {
  return response.status < 400 ? {} : parseErrorFields(response);
}

/** The same for any status: some services report an error with a success status. */
export function parseErrorFields(response: BufferedResponse): ErrorBody {
  const value = parseSmallBody(response);
  if (!isObject(value)) return {};
  // Proxies and frameworks send problem details (RFC 9457), with a title and a detail.
  return {
    hint: toText(value.hint),
    details: toText(value.details ?? value.detail),
    code: toText(value.code),
    message: toText(value.message ?? value.title),
  };
}

/**
 * Whether a write with a success status must be looked up: after 202 the service may still reject it,
 * and a hint is how it reports errors. 201 and 204 always confirm a write.
 */
export function isUnconfirmed(response: BufferedResponse): boolean {
  const { status } = response;
  if (!isSuccess(response) || status === 201 || status === 204) return false;
  return status === 202 || parseErrorFields(response).hint !== undefined;
}

/** Bytes of a body that consists of one course or one error. */
const MAX_SMALL_BODY = 256 * 1024;

/** The value of a body that is small enough to be one course or one error; undefined if it is not JSON. */
export function parseSmallBody({ body }: BufferedResponse): unknown {
  if (body.length === 0 || body.length > MAX_SMALL_BODY) return undefined;
  return attempt(() => JSON.parse(body.toString()));
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * A page of 100 courses has far less. Parsing much more blocks the process and takes its memory, and code
 * that compares or prints a value that is nested more deeply would overflow the stack.
 */
const RESPONSE_LIMITS = { depth: 1000, values: 250_000, keys: 10_000 } as const;

/**
 * The rows of a list response. All that the client requires of one is an id.
 *
 * @throws CatalogError of kind `unreachable` if the body is anything but a list of such rows
 */
export function parseRows(request: Request, response: BufferedResponse): Course[] {
  const fail = (what: string, cause?: unknown): CatalogError => {
    const message = `${new URL(request.url).origin} responded with ${what}`;
    const facts = { status: response.status, cause, advice: CHECK_BASE_URL };
    return new CatalogError("unreachable", message, facts);
  };
  const text = response.body.toString();
  const { deep, many, wide } = scanJson(text, RESPONSE_LIMITS);
  if (deep !== undefined) throw fail(excess(RESPONSE_LIMITS.depth, "nested levels"));
  if (many !== undefined) throw fail(excess(RESPONSE_LIMITS.values, "values"));
  if (wide !== undefined) throw fail(excess(RESPONSE_LIMITS.keys, "keys in one object"));
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (cause) {
    throw fail(`${describeBody(response)} instead of JSON`, cause);
  }
  if (!isList(rows) || !rows.every(hasId)) throw fail("JSON that is not a list of records");
  return [...rows];
}

function excess(most: number, what: string): string {
  return `JSON with more than ${formatNumber(most)} ${what}`;
}

/** Whether the body is an HTML page, as of a proxy or another site; the service sends none. */
export function isHtml({ body }: BufferedResponse): boolean {
  return /^\s*(<\?xml[^>]*>\s*)?<(!doctype|html)/i.test(body.toString("latin1", 0, 200));
}

/** What the body is, for a message: `an HTML page`. */
export function describeBody(response: BufferedResponse): string {
  const start = response.body.toString("latin1", 0, 200).trimStart();
  if (start === "") return "an empty body";
  if (isHtml(response)) return "an HTML page";
  return start.startsWith("{") || start.startsWith("[")
    ? "invalid or unexpected JSON"
    : "plain text";
}
