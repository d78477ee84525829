/** Routes a request to its endpoint, and implements the endpoints (docs/service.md, docs/sandbox.md). */
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../base/process.ts";
import { isUuid, type PlainObject } from "../base/values.ts";
import { checkContentType, findHint, parseBody } from "./body.ts";
import type { ServiceResponse } from "./responses.ts";
import * as responses from "./responses.ts";
import { newSlug, type Store, type StoredCourse, toStoredCourse, type User } from "./store.ts";

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
  /** Approves new courses; without it, courses stay pending. */
  readonly approvals?: ApprovalQueue | undefined;
}

interface Call extends Pick<ServiceRequest, "headers" | "body"> {
  readonly user: User;
  readonly query: URLSearchParams;
}

type Endpoint = (call: Call, service: Service) => ServiceResponse;

const ROUTES: ReadonlyMap<string, ReadonlyMap<string, Endpoint>> = new Map([
  ["/developer/v1/providers", new Map<string, Endpoint>([["GET", listProviders]])],
  [
    "/developer/v1/courses",
    new Map([
      ["GET", listCourses],
      ["POST", createCourse],
      ["PATCH", updateCourse],
      ["DELETE", deleteCourse],
    ]),
  ],
  ["/sandbox/v1/courses", new Map([["PATCH", setApproval]])],
]);

/** The path that only a sandbox has. Requests for it need no key. */
const IDENTITY = "/sandbox/v1";

/** Whether a request is for the sandbox itself, and not for the API of the service. */
export function isForSandbox(target: string): boolean {
  return target === IDENTITY || target.startsWith(`${IDENTITY}/`);
}

/** Responds to one request. Throws only if the sandbox itself fails. */
export function respond(
  { method, target, headers, body }: ServiceRequest,
  service: Service,
): ServiceResponse {
  const { pathname, searchParams: query } = new URL(target, "http://localhost");
  if (pathname === IDENTITY && method === "GET") return responses.identity;
  service.approvals?.approveDue(service.store, service.clock.now());
  const methods = ROUTES.get(pathname);
  if (methods === undefined) return responses.unknownPath;
  const endpoint = methods.get(method);
  if (endpoint === undefined) return responses.methodNotAllowed([...methods.keys()]);
  const key = headers["x-api-key"];
  if (key === undefined || key === "") return responses.missingKey;
  const user = service.store.userOf(String(key));
  return user === undefined
    ? responses.invalidKey
    : endpoint({ user, query, headers, body }, service);
}

function listProviders({ user }: Call): ServiceResponse {
  return responses.listed(user.providers);
}

const DEFAULT_LIMIT = 10;
const MAXIMUM_LIMIT = 100;

/** Lists courses. If a query parameter appears twice, its first value counts. */
function listCourses({ user, query }: Call, { store }: Service): ServiceResponse {
  // The service checks the page first; filters fail later, in its database.
  const rejection = checkPage(query) ?? checkFilters(query);
  if (rejection !== undefined) return rejection;
  const published = query.get("published");
  const courses = store.courses(user, {
    limit: Number(query.get("limit") ?? DEFAULT_LIMIT),
    offset: Number(query.get("offset") ?? 0),
    id: query.get("id")?.toLowerCase(),
    providerId: query.get("provider_id")?.toLowerCase(),
    name: query.get("name") ?? undefined,
    published: published === null ? undefined : published === "true",
  });
  return responses.listed(courses);
}

function checkPage(query: URLSearchParams): ServiceResponse | undefined {
  const limit = Number(query.get("limit") ?? DEFAULT_LIMIT);
  if (limit > MAXIMUM_LIMIT) return responses.limitTooHigh;
  // What is not a number is not at least 1.
  if (!(limit >= 1)) return responses.limitTooLow;
  return Number(query.get("offset") ?? 0) >= 0 ? undefined : responses.offsetTooLow;
}

function checkFilters(query: URLSearchParams): ServiceResponse | undefined {
  for (const name of ["id", "provider_id"]) {
    const value = query.get(name);
    if (value !== null && !isUuid(value)) return responses.invalidSyntax("uuid", value);
  }
  const published = query.get("published");
  if (published === null || published === "true" || published === "false") return undefined;
  return responses.invalidSyntax("boolean", published);
}

function createCourse(call: Call, { store, clock, approvals }: Service): ServiceResponse {
  const wrongType = checkContentType(call.headers);
  if (wrongType !== undefined) return wrongType;
  const { body, rejection } = parseBody(call.body);
  if (rejection !== undefined) return rejection;
  const hint = findHint(body, "create", call.user.providers);
  if (hint !== undefined) return responses.rejected(hint);

  const id = typeof body.id === "string" ? body.id.toLowerCase() : clock.uuid();
  if (store.hasCourse(id)) return responses.idExists(id);
  const slug = newSlug(String(body.name), clock, (candidate) => store.hasSlug(candidate));
  store.put(toStoredCourse(body, { id, slug, now: clock.now() }));
  approvals?.add(call.user, id, clock.now());
  return responses.created;
}

/** Merges the body into the course; null resets a field to its default. */
function updateCourse(call: Call, { store, clock }: Service): ServiceResponse {
  const id = call.query.get("id");
  if (id === null) return responses.missingUpdateId;
  if (!isUuid(id)) return responses.invalidSyntax("uuid", id);
  const wrongType = checkContentType(call.headers);
  if (wrongType !== undefined) return wrongType;
  const course = store.course(call.user, id.toLowerCase());
  if (course === undefined) return responses.courseNotFound;
  const { body, rejection } = parseBody(call.body);
  if (rejection !== undefined) return rejection;
  const hint = findHint(body, "patch", call.user.providers) ?? findIdHint(body, course);
  if (hint !== undefined) return responses.rejected(hint);

  const values = { id: course.id, slug: course.slug, now: clock.now() };
  store.put(toStoredCourse({ ...course, ...body }, values));
  return responses.done;
}

function findIdHint(body: PlainObject, course: StoredCourse): string | undefined {
  if (!Object.hasOwn(body, "id")) return undefined;
  if (body.id === null) return "id is blank";
  return String(body.id).toLowerCase() === course.id ? undefined : "id cannot be changed";
}

/** Deletes a course. A missing course is an error only if the client requests the media type of a single object. */
function deleteCourse({ user, query, headers }: Call, { store }: Service): ServiceResponse {
  const id = query.get("id");
  if (id === null) return responses.missingDeleteId;
  if (!isUuid(id)) return responses.invalidSyntax("uuid", id);
  const course = store.course(user, id.toLowerCase());
  if (course === undefined)
    return acceptsObject(headers.accept) ? responses.courseToDeleteNotFound : responses.done;
  store.remove(course.id);
  return responses.done;
}

/** The media type of a single object. The service's own vendor prefix is not documented. */
const OBJECT_TYPE = /^application\/vnd\.[\w.-]+\.object\+json$/i;

function acceptsObject(accept = ""): boolean {
  const types = accept.split(",").map((entry) => entry.split(";")[0] ?? "");
  return types.some((type) => OBJECT_TYPE.test(type.trim()));
}

const PENDING = "pending";

export interface ApprovalPolicy {
  /** The time from creation to approval, in milliseconds. */
  readonly after: number;
  /** The new status: `approved`. */
  readonly as: string;
}

/** Approves new courses after a time, at the next request. */
export class ApprovalQueue {
  readonly #policy: ApprovalPolicy;
  /** In the order of their due times, because all courses wait equally long. */
  readonly #waiting: { readonly user: User; readonly id: string; readonly due: number }[] = [];

  constructor(policy: ApprovalPolicy) {
    this.#policy = policy;
  }

  add(user: User, id: string, now: number): void {
    this.#waiting.push({ user, id, due: now + this.#policy.after });
  }

  /** Changes the status of the courses that are due and still pending. */
  approveDue(store: Store, now: number): void {
    for (let [next] = this.#waiting; next && next.due <= now; [next] = this.#waiting) {
      const course = store.course(next.user, next.id);
      if (course?.approval_status === PENDING) {
        store.put({ ...course, approval_status: this.#policy.as });
      }
      this.#waiting.shift();
    }
  }
}

/** Sets the status of one of the user's courses: `{"approval_status": "approved"}`. */
function setApproval(call: Call, { store }: Service): ServiceResponse {
  const id = call.query.get("id") ?? "";
  if (!isUuid(id)) return responses.invalidSyntax("uuid", id);
  const { body, rejection } = parseBody(call.body);
  if (rejection !== undefined) return rejection;
  const status = body.approval_status;
  if (typeof status !== "string" || status.trim() === "") {
    return responses.rejected("approval_status is blank");
  }
  const course = store.course(call.user, id.toLowerCase());
  if (course === undefined) return responses.courseNotFound;
  store.put({ ...course, approval_status: status });
  return responses.done;
}
