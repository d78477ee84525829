/** Routes a request to its endpoint, and implements the endpoints (docs/service.md, docs/sandbox.md). */
import type { IncomingHttpHeaders } from "node:http";
import { parseUrl } from "../base/credentials.ts";
import type { Clock } from "../base/io.ts";
import { isUuid } from "../base/values.ts";
import { findHint, parseBody, requireJson } from "./body.ts";
import type { ServiceResponse } from "./responses.ts";
import * as responses from "./responses.ts";
import { type Store, toStoredCourse, type User } from "./store.ts";

interface ServiceRequest {
  readonly method: string;
  /** The request target, not decoded: `/developer/v1/courses?limit=5`. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if it was larger than the sandbox accepts. */
  readonly body: Uint8Array | undefined;
}

export interface Service {
  readonly store: Store;
  readonly clock: Pick<Clock, "now" | "random" | "uuid">;
  /** After how many milliseconds a new course is approved, as a status such as `approved`; without it, it stays pending. */
  readonly approval?: { readonly after: number; readonly as: string } | undefined;
  /** The times at which new courses are approved, by id, in their order. */
  readonly due?: Map<string, number>;
}

interface Call extends Pick<ServiceRequest, "headers" | "body"> {
  readonly user: User;
  readonly query: URLSearchParams;
}

const ENDPOINTS = new Map<string, (call: Call, service: Service) => ServiceResponse>([
  ["GET /developer/v1/providers", ({ user }) => responses.listed(user.providers)],
  ["GET /developer/v1/courses", listCourses],
  ["POST /developer/v1/courses", createCourse],
  ["PATCH /developer/v1/courses", updateCourse],
  ["DELETE /developer/v1/courses", deleteCourse],
  ["PATCH /sandbox/v1/courses", setApproval],
]);

/** The path that only a sandbox has. Requests for it need no key. */
const IDENTITY = "/sandbox/v1";

/** Whether a request is for the sandbox itself, and not for the API of the service. */
export function isForSandbox(target: string): boolean {
  return target === IDENTITY || target.startsWith(`${IDENTITY}/`);
}

/** Responds to one request. Throws only if the sandbox itself fails. */
export function respond(request: ServiceRequest, service: Service): ServiceResponse {
  const { method, target, headers, body } = request;
  const url = parseUrl(`http://localhost${target}`);
  if (url === undefined) return responses.unknownPath;
  const { pathname, searchParams: query } = url;
  if (pathname === IDENTITY && method === "GET") return responses.identity;
  approveDue(service);
  const endpoint = ENDPOINTS.get(`${method} ${pathname}`);
  if (endpoint === undefined) return responses.unknownPath;
  const key = headers["x-api-key"];
  if (key === undefined || key === "") return responses.missingKey;
  const user = service.store.userOf(String(key));
  if (user === undefined) return responses.invalidKey;
  try {
    return endpoint({ user, query, headers, body }, service);
  } catch (thrown) {
    if (thrown instanceof responses.Rejection) return thrown.response;
    throw thrown;
  }
}

/** Lists courses. If a query parameter appears twice, its first value counts. */
function listCourses({ user, query }: Call, { store }: Service): ServiceResponse {
  // The service checks the page first; filters fail later, in its database.
  const limit = Number(query.get("limit") ?? 10);
  if (limit > 100) return responses.limitTooHigh;
  // What is not a number is not at least 1.
  if (!(limit >= 1)) return responses.limitTooLow;
  const offset = Number(query.get("offset") ?? 0);
  if (!(offset >= 0)) return responses.offsetTooLow;
  const id = uuidIn(query, "id");
  const providerId = uuidIn(query, "provider_id");
  const published = query.get("published") ?? undefined;
  if (published !== undefined && published !== "true" && published !== "false") {
    return responses.invalidSyntax("boolean", published);
  }
  const name = query.get("name") ?? undefined;
  const isPublished = published === undefined ? undefined : published === "true";
  const filter = { limit, offset, id, providerId, name, published: isPublished };
  return responses.listed(store.courses(user, filter));
}

/** A UUID of the query in lowercase; undefined if it is absent. @throws Rejection */
function uuidIn(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!isUuid(value)) throw new responses.Rejection(responses.invalidSyntax("uuid", value));
  return value.toLowerCase();
}

function createCourse({ user, headers, body: bytes }: Call, service: Service): ServiceResponse {
  const { store, clock, approval, due } = service;
  requireJson(headers);
  const body = parseBody(bytes);
  const hint = findHint(body, "create", user.providers);
  if (hint !== undefined) return responses.rejected(hint);
  const id = typeof body.id === "string" ? body.id.toLowerCase() : clock.uuid();
  if (store.find(id) !== undefined) return responses.idExists(id);
  store.put(toStoredCourse({ ...body, id, slug: undefined }, clock));
  if (approval !== undefined) due?.set(id, clock.now() + approval.after);
  return responses.created;
}

/** Merges the body into the course; null resets a field to its default. */
function updateCourse({ user, query, headers, body: bytes }: Call, { store, clock }: Service) {
  const id = uuidIn(query, "id");
  if (id === undefined) return responses.missingUpdateId;
  requireJson(headers);
  const course = store.course(user, id);
  if (course === undefined) return responses.courseNotFound;
  const body = parseBody(bytes);
  const hint = findHint(body, "patch", user.providers);
  if (hint !== undefined) return responses.rejected(hint);
  if (body.id === null) return responses.rejected("id is blank");
  if (body.id !== undefined && String(body.id).toLowerCase() !== id) {
    return responses.rejected("id cannot be changed");
  }
  store.put(toStoredCourse({ ...course, ...body, slug: course.slug }, clock));
  return responses.done;
}

/** Deletes a course. A missing course is an error only if the client requests the media type of a single object. */
function deleteCourse({ user, query, headers }: Call, { store }: Service): ServiceResponse {
  const id = uuidIn(query, "id");
  if (id === undefined) return responses.missingDeleteId;
  if (store.course(user, id) !== undefined) store.remove(id);
  else if (acceptsObject(headers.accept)) return responses.courseToDeleteNotFound;
  return responses.done;
}

/** The media type of a single object. The service's own vendor prefix is not documented. */
const OBJECT_TYPE = /^application\/vnd\.[\w.-]+\.object\+json$/i;

function acceptsObject(accept = ""): boolean {
  const types = accept.split(",").map((entry) => entry.split(";")[0] ?? "");
  return types.some((type) => OBJECT_TYPE.test(type.trim()));
}

/** Changes the status of the courses that are due and still pending. */
function approveDue({ store, clock, approval, due }: Service): void {
  if (approval === undefined) return;
  for (const [id, time] of due ?? []) {
    if (time > clock.now()) return;
    due?.delete(id);
    const course = store.find(id);
    if (course?.approval_status === "pending") {
      store.put({ ...course, approval_status: approval.as });
    }
  }
}

/** Sets the status of one of the user's courses: `{"approval_status": "approved"}`. */
function setApproval({ user, query, body }: Call, { store }: Service): ServiceResponse {
  const { approval_status: status } = parseBody(body);
  if (typeof status !== "string" || status.trim() === "") {
    return responses.rejected("approval_status is blank");
  }
  const course = store.course(user, uuidIn(query, "id") ?? "");
  if (course === undefined) return responses.courseNotFound;
  store.put({ ...course, approval_status: status });
  return responses.done;
}
