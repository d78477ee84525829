/** Every answer of the service as data, the bodies as api.md gives them (api.md, "Errors"). */

/** What the service answers; without `body` there is none, and no content type. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON without blanks, keys in this order. */
  readonly body?: unknown;
  /** In place of `body`: what is sent, where it is JSON already. */
  readonly bytes?: Buffer;
}

function hinted(status: number, hint: string, details: string | null = null): Answer {
  return { status, body: { hint, details } };
}

/** api.md, "Authentication" 3. */
export const noKey = hinted(
  401,
  "No API Key provided",
  "Missing API Key value in the X-API-Key header",
);
/** api.md, "Authentication" 4. */
export const invalidKey = hinted(
  401,
  "Invalid API Key",
  "Check if your API Key is correct or generate a new one",
);

/** api.md, "Errors": GET courses, limit above 100. */
export const limitTooHigh = hinted(500, "Limit Too High", "Limit should equal at most 100");
/** api.md, "Errors": GET courses, limit below 1. */
export const limitTooLow = hinted(500, "Limit Too Low", "Limit should equal at least 1");
/** api.md, "Errors": GET courses, offset below 0. */
export const offsetTooLow = hinted(500, "Offset Too Low", "Offset should equal at least 0");

/** api.md, "Errors": PATCH without the id query parameter. */
export const missingId = hinted(500, "Missing ID", "You should provide an id as a query parameter");
/** cli.md section 9: DELETE without the id query parameter. */
export const nothingToDelete = hinted(
  400,
  "Missing ID",
  "You should provide an id as a query parameter; nothing was deleted",
);

/** api.md, "Errors": a filter that the database cannot read, as PostgreSQL puts it. */
export function invalidSyntax(type: "uuid" | "boolean" | "integer", value: string): Answer {
  const message = `invalid input syntax for type ${type}: "${value}"`;
  return { status: 400, body: { hint: null, details: null, code: "22P02", message } };
}

/** api.md, "Errors": POST and PATCH refused because of the body; the hint names the problem. */
export function refused(hint: string): Answer {
  return hinted(400, hint);
}

/** api.md, "Errors": POST and PATCH without `Content-Type: application/json`. */
export const notJson = refused("Content-Type should be application/json");
/** A body that is no JSON; api.md does not show the answer. */
export const brokenJson = refused("The body should be valid JSON, encoded in UTF-8");
/** A body that is JSON but no object; api.md does not show the answer. */
export const noObject = refused("The body should be a JSON object of course attributes");
/** A body beyond the sandbox's own limit; api.md knows none. */
export const tooLarge = hinted(413, "Body Too Large", "The body should hold at most 10 MB");

/** cli.md section 9: POST with the id of a course that exists. */
export function idTaken(id: string): Answer {
  return hinted(409, "ID Already Exists", `A course with the id ${id} exists already`);
}

/** cli.md section 9: what POST answers on success. */
export const created: Answer = { status: 201 };
/** api.md, "PATCH" and "DELETE": success. */
export const done: Answer = { status: 204 };
/** api.md, "Errors": PATCH of a course that the user does not have. */
export const noSuchCourse: Answer = { status: 404 };
/** api.md, "DELETE": nothing was deleted although a single object was asked for. */
export const notDeleted: Answer = {
  status: 406,
  body: {
    hint: null,
    details: "The result contains 0 rows",
    code: "PGRST116",
    message: "JSON object requested, multiple (or no) rows returned",
  },
};

/** api.md, "Endpoints": success of GET. */
export function found(rows: readonly unknown[]): Answer {
  return { status: 200, body: rows };
}

/** The same, of rows that are JSON each. */
export function foundJson(rows: readonly Buffer[]): Answer {
  const length = rows.reduce((sum, row) => sum + row.length + 1, 1);
  const bytes = Buffer.allocUnsafe(Math.max(length, 2));
  bytes[0] = OPENING;
  let end = 1;
  for (const row of rows) {
    end += row.copy(bytes, end);
    bytes[end++] = COMMA;
  }
  // In the place of the last comma, where there was one.
  bytes[bytes.length - 1] = CLOSING;
  return { status: 200, bytes };
}

const OPENING = "[".charCodeAt(0);
const COMMA = ",".charCodeAt(0);
const CLOSING = "]".charCodeAt(0);

/** A path that is none of the endpoints. */
export const unknownPath = hinted(
  404,
  "Not Found",
  "The endpoints are /developer/v1/providers and /developer/v1/courses",
);

/** A known path with a method that it does not have. */
export function methodNotAllowed(allowed: readonly string[]): Answer {
  const allow = allowed.join(", ");
  return {
    ...hinted(405, "Method Not Allowed", `This endpoint takes ${allow}`),
    headers: { allow },
  };
}

/** cli.md section 9, `--fail`: the service is overloaded for a moment. */
export const unavailable: Answer = {
  status: 503,
  body: { hint: null, details: "The sandbox fails on purpose at the rate given by --fail" },
};

/** More large bodies at once than the sandbox has room for. */
export const crowded: Answer = {
  status: 503,
  body: { hint: null, details: "The sandbox holds too many large bodies at this moment" },
};

/** A fault of the sandbox itself; without a hint, as a failing service gives none. */
export const internalError: Answer = {
  status: 500,
  body: { hint: null, details: null, code: "XX000", message: "internal error" },
};
