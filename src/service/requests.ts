/** Builds requests to the service (docs/service.md). */
import type { PlainObject } from "../base/values.ts";
import type { CourseQuery } from "./paginate.ts";
import { MAX_RESPONSE_SIZE, type Method, type Request } from "./transport.ts";

export const COURSES = "developer/v1/courses";
export const PROVIDERS = "developer/v1/providers";

/** Bytes of a response with one course, or with the user's providers. */
const SMALL_RESPONSE = 8 * 1024 * 1024;

/** What the requests to one service have in common. */
export interface ServiceAddress {
  /** Ends with a slash; all paths are relative to it. */
  readonly base: URL;
  /** The vendor word of the single-object media type. */
  readonly vendor: string;
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request to an endpoint. */
export function buildRequest(
  { base, vendor }: ServiceAddress,
  method: Method,
  path: string,
  query: Query = {},
  content?: PlainObject,
): Request {
  const url = new URL(path, base);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const body = content && JSON.stringify(content);
  return { ...withHeaders(method, url, vendor, body), maxBytes: SMALL_RESPONSE };
}

/** A request with the headers that its method and its body need. */
export function withHeaders(
  method: Method,
  { href: url }: URL,
  vendor: string,
  body: Request["body"],
): Request {
  const accept = method === "DELETE" ? `application/vnd.${vendor}.object+json` : "application/json";
  if (body === undefined) return { method, url, headers: { accept } };
  return { method, url, headers: { accept, "content-type": "application/json" }, body };
}

/** The request of one course, or of a page of them. */
export function buildListing(
  service: ServiceAddress,
  { providerId: provider_id, limit, offset, id, name, published }: CourseQuery,
): Request {
  const query = { limit, offset, id, provider_id, name, published };
  const request = buildRequest(service, "GET", COURSES, query);
  if (limit === undefined) return request;
  // Pages are large and compress well; a single course is not worth it.
  const headers = { ...request.headers, "accept-encoding": "gzip, br" };
  return { ...request, headers, maxBytes: MAX_RESPONSE_SIZE };
}
