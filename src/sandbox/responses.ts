/** The responses of the service, with the bodies in its documentation (docs/service.md, "Errors"). */

/** A response. Without `body`, the service sends neither a body nor a content type. */
export interface ServiceResponse {
  readonly status: number;
  /** JSON without whitespace. */
  readonly body?: string;
}

/** Thrown by an endpoint to end a request with a response. */
export class Rejection extends Error {
  readonly response: ServiceResponse;

  constructor(response: ServiceResponse) {
    super();
    this.response = response;
  }
}

function hinted(
  status: number,
  hint: string | null,
  details: string | null = null,
): ServiceResponse {
  return { status, body: JSON.stringify({ hint, details }) };
}

/** The response to a request that fails in the database or in PostgREST, with their code and message. */
function failed(
  status: number,
  code: string,
  message: string,
  details: string | null = null,
): ServiceResponse {
  return { status, body: JSON.stringify({ hint: null, details, code, message }) };
}

export const missingKey = hinted(
  401,
  "No API Key provided",
  "Missing API Key value in the X-API-Key header",
);
export const invalidKey = hinted(
  401,
  "Invalid API Key",
  "Check if your API Key is correct or generate a new one",
);

export const limitTooHigh = hinted(500, "Limit Too High", "Limit should equal at most 100");
export const limitTooLow = hinted(500, "Limit Too Low", "Limit should equal at least 1");
export const offsetTooLow = hinted(500, "Offset Too Low", "Offset should equal at least 0");

/** PATCH without an id. */
export const missingUpdateId = hinted(
  500,
  "Missing ID",
  "You should provide an id as a query parameter",
);
/** DELETE without an id; the documentation does not give this response. */
export const missingDeleteId = hinted(
  400,
  "Missing ID",
  "You should provide an id as a query parameter; nothing was deleted",
);

/** The response to a filter that the database cannot parse, in PostgreSQL's words. */
export function invalidSyntax(type: "uuid" | "boolean", value: string): ServiceResponse {
  return failed(400, "22P02", `invalid input syntax for type ${type}: "${value}"`);
}

/** The response to a POST or PATCH with an invalid body; the hint names the problem. */
export function rejected(hint: string): ServiceResponse {
  return hinted(400, hint);
}

/** The sandbox's own limit; the documentation gives none. */
export const bodyTooLarge = hinted(413, "Body Too Large", "The body should have at most 10 MB");

/** POST with the id of an existing course; the documentation does not give this response. */
export function idExists(id: string): ServiceResponse {
  return hinted(409, "ID Already Exists", `A course with the id ${id} exists already`);
}

export const created: ServiceResponse = { status: 201 };
/** Success of PATCH and DELETE. */
export const done: ServiceResponse = { status: 204 };
/** PATCH of a course that the user does not have. */
export const courseNotFound: ServiceResponse = { status: 404 };
/** DELETE of a single object that does not exist; the body is PostgREST's. */
export const courseToDeleteNotFound = failed(
  406,
  "PGRST116",
  "JSON object requested, multiple (or no) rows returned",
  "The result contains 0 rows",
);

export function listed(rows: readonly object[]): ServiceResponse {
  return { status: 200, body: JSON.stringify(rows) };
}

/** The response to a request that names another host, or comes from a page of another website. */
export const foreign = hinted(403, "Foreign Host or Origin");

/** The response by which the command recognizes a sandbox. */
export const identity: ServiceResponse = {
  status: 200,
  body: JSON.stringify({ sandbox: "course-catalog-cli" }),
};

export const unknownPath = hinted(404, "Not Found");

/** The response to a request that fails because of `--fail`. */
export const unavailable = hinted(503, null, "This request failed because of --fail");

/** The response if the sandbox itself fails; without a hint, as from a failing service. */
export const internalError = failed(500, "XX000", "internal error");
