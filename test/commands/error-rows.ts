/** The documented errors (docs/service.md, "Errors") as data, with the bodies byte for byte. */
import { expect } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course } from "../rig.ts";
import { ABSENT, id } from "./helpers.ts";

/** The path of the courses. */
export const COURSES = "/developer/v1/courses";
/** The headers of a request with the key. */
export const KEYED = { "x-api-key": DEFAULT_KEY };
const JSON_TYPE = { ...KEYED, "content-type": "application/json" };
const NO_KEY =
  '{"hint":"No API Key provided","details":"Missing API Key value in the X-API-Key header"}';
const BAD_KEY =
  '{"hint":"Invalid API Key","details":"Check if your API Key is correct or generate a new one"}';
const TOO_HIGH = '{"hint":"Limit Too High","details":"Limit should equal at most 100"}';
const TOO_LOW = '{"hint":"Limit Too Low","details":"Limit should equal at least 1"}';
const OFFSET = '{"hint":"Offset Too Low","details":"Offset should equal at least 0"}';
const NOT_UUID =
  '{"hint":null,"details":null,"code":"22P02","message":"invalid input syntax for type uuid: \\"12\\""}';
const NOT_BOOLEAN =
  '{"hint":null,"details":null,"code":"22P02","message":"invalid input syntax for type boolean: \\"yes\\""}';
const BLANK = '{"hint":"url is blank","details":null}';
const UNKNOWN_KEYS =
  '{"hint":"syllabus should not contain the folowing keys: color, shape","details":null}';
const MISSING_ID =
  '{"hint":"Missing ID","details":"You should provide an id as a query parameter"}';
const SYLLABUS = [{ title: "A", color: "red", shape: "round" }];

/** One error: the request that causes it, and a command line that receives it. */
export interface Row {
  readonly title: string;
  readonly path: string;
  readonly init: RequestInit;
  readonly status: number;
  /** Byte for byte; undefined if the service does not document it. */
  readonly body?: string;
  /** The command line that receives it, and the error that it prints with `--json`. */
  readonly words: readonly string[];
  readonly method: string;
  readonly code: number;
  readonly error: Readonly<Record<string, unknown>>;
}

/** A POST with this body. */
export const post = (body: unknown): RequestInit => ({
  method: "POST",
  headers: JSON_TYPE,
  body: JSON.stringify(body),
});
const LS = { words: ["courses", "ls"], method: "GET" };
const GET = { words: ["courses", "get", id(1)], method: "GET" };
const CREATE = { words: ["courses", "create", "a.json"], method: "POST" };
const UPDATE = { words: ["courses", "update", id(1), "--name", "X"], method: "PATCH" };
const RM = { words: ["courses", "rm", "--yes", id(1)], method: "DELETE" };
const UUID_ERROR = {
  kind: "refused",
  code: "22P02",
  message: expect.stringMatching(/: invalid input syntax for type uuid: "12"$/),
};

const listing = (
  title: string,
  query: string,
  status: number,
  body: string,
  error: object,
): Row => ({
  title: `GET courses: ${title}`,
  path: `${COURSES}?${query}`,
  init: { headers: KEYED },
  status,
  body,
  ...LS,
  code: 1,
  error: { kind: "refused", ...error },
});
const limits = (name: string, said: string) => ({ hint: name, details: said });

/** Every row, in the order of the table. */
export const ROWS: readonly Row[] = [
  {
    title: "API key header missing",
    path: COURSES,
    init: {},
    status: 401,
    body: NO_KEY,
    ...LS,
    code: 4,
    error: { kind: "auth", hint: "No API Key provided" },
  },
  {
    title: "API key invalid",
    path: "/developer/v1/providers",
    init: { headers: { "x-api-key": "no.key" } },
    status: 401,
    body: BAD_KEY,
    words: ["providers", "ls"],
    method: "GET",
    code: 4,
    error: {
      kind: "auth",
      hint: "Invalid API Key",
      details: "Check if your API Key is correct or generate a new one",
    },
  },
  listing(
    "limit above 100",
    "limit=101",
    500,
    TOO_HIGH,
    limits("Limit Too High", "Limit should equal at most 100"),
  ),
  listing(
    "limit below 1",
    "limit=0",
    500,
    TOO_LOW,
    limits("Limit Too Low", "Limit should equal at least 1"),
  ),
  listing(
    "offset below 0",
    "offset=-1",
    500,
    OFFSET,
    limits("Offset Too Low", "Offset should equal at least 0"),
  ),
  { ...listing("id not a UUID", "id=12", 400, NOT_UUID, UUID_ERROR), ...GET },
  listing("provider_id not a UUID", "provider_id=12", 400, NOT_UUID, UUID_ERROR),
  listing("published not a boolean", "published=yes", 400, NOT_BOOLEAN, {
    code: "22P02",
    message: expect.stringMatching(/: invalid input syntax for type boolean: "yes"$/),
  }),
  {
    title: "POST: required attribute blank",
    path: COURSES,
    init: post(course({ url: "" })),
    status: 400,
    body: BLANK,
    ...CREATE,
    code: 1,
    error: { kind: "refused", hint: "url is blank", file: "a.json", line: 1 },
  },
  {
    title: "POST: Content-Type application/json absent",
    path: COURSES,
    init: { method: "POST", headers: KEYED, body: new Blob([JSON.stringify(course())]) },
    status: 400,
    ...CREATE,
    code: 1,
    error: { kind: "refused" },
  },
  {
    title: "PATCH: Content-Type application/json absent",
    path: `${COURSES}?id=${id(1)}`,
    init: { method: "PATCH", headers: KEYED, body: new Blob(["{}"]) },
    status: 400,
    ...UPDATE,
    code: 1,
    error: { kind: "refused" },
  },
  {
    title: "POST: attribute invalid, an unknown key in syllabus",
    path: COURSES,
    init: post(course({ syllabus: SYLLABUS })),
    status: 400,
    body: UNKNOWN_KEYS,
    ...CREATE,
    code: 1,
    error: {
      kind: "refused",
      hint: "syllabus should not contain the folowing keys: color, shape",
      file: "a.json",
    },
  },
  {
    title: "PATCH: attribute invalid, an unknown key in syllabus",
    path: `${COURSES}?id=${id(1)}`,
    init: { method: "PATCH", headers: JSON_TYPE, body: JSON.stringify({ syllabus: SYLLABUS }) },
    status: 400,
    body: UNKNOWN_KEYS,
    ...UPDATE,
    code: 1,
    error: {
      kind: "refused",
      hint: "syllabus should not contain the folowing keys: color, shape",
    },
  },
  {
    title: "PATCH: id query parameter absent",
    path: COURSES,
    init: { method: "PATCH", headers: JSON_TYPE, body: "{}" },
    status: 500,
    body: MISSING_ID,
    ...UPDATE,
    code: 1,
    error: {
      kind: "refused",
      hint: "Missing ID",
      details: "You should provide an id as a query parameter",
    },
  },
  {
    title: "PATCH: id matches no course of the user",
    path: `${COURSES}?id=${ABSENT}`,
    init: { method: "PATCH", headers: JSON_TYPE, body: '{"name":"X"}' },
    status: 404,
    body: "",
    ...UPDATE,
    code: 5,
    error: { kind: "missing" },
  },
  {
    title: "DELETE with the single-object Accept header: course absent or not owned",
    path: `${COURSES}?id=${ABSENT}`,
    init: {
      method: "DELETE",
      headers: { ...KEYED, accept: "application/vnd.pgrst.object+json" },
    },
    status: 406,
    ...RM,
    code: 5,
    error: { kind: "missing" },
  },
];
