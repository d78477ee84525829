/** The error table of api.md, row by row: the sandbox's bytes, and what the command makes of them. */
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course, rig } from "../rig.ts";
import { ABSENT, errors, holding, id, numbered, spoilt } from "./helpers.ts";

const COURSES = "/developer/v1/courses";
const KEYED = { "x-api-key": DEFAULT_KEY };
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
  '{"hint":"syllabus should not contain the folowing keys: colour, shape","details":null}';
const MISSING_ID =
  '{"hint":"Missing ID","details":"You should provide an id as a query parameter"}';
const SYLLABUS = [{ title: "A", colour: "red", shape: "round" }];

interface Row {
  readonly says: string;
  readonly path: string;
  readonly init: RequestInit;
  readonly status: number;
  /** Byte for byte; undefined where api.md does not show it. */
  readonly body?: string;
  /** The command line that meets the answer, as the error of its `--json`. */
  readonly words: readonly string[];
  readonly method: string;
  readonly code: number;
  readonly error: Readonly<Record<string, unknown>>;
}

const post = (body: unknown): RequestInit => ({
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
  details: 'invalid input syntax for type uuid: "12"',
};

const listing = (
  says: string,
  query: string,
  status: number,
  body: string,
  error: object,
): Row => ({
  says: `GET courses: ${says}`,
  path: `${COURSES}?${query}`,
  init: { headers: KEYED },
  status,
  body,
  ...LS,
  code: 1,
  error: { kind: "refused", ...error },
});
const limits = (name: string, said: string) => ({ hint: name, details: said });

const ROWS: readonly Row[] = [
  {
    says: "API key header missing",
    path: COURSES,
    init: {},
    status: 401,
    body: NO_KEY,
    ...LS,
    code: 4,
    error: { kind: "auth", hint: "No API Key provided" },
  },
  {
    says: "API key invalid",
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
    details: 'invalid input syntax for type boolean: "yes"',
  }),
  {
    says: "POST: required attribute blank",
    path: COURSES,
    init: post(course({ url: "" })),
    status: 400,
    body: BLANK,
    ...CREATE,
    code: 1,
    error: { kind: "refused", hint: "url is blank", file: "a.json", line: 1 },
  },
  {
    says: "POST: Content-Type application/json absent",
    path: COURSES,
    init: { method: "POST", headers: KEYED, body: new Blob([JSON.stringify(course())]) },
    status: 400,
    ...CREATE,
    code: 1,
    error: { kind: "refused" },
  },
  {
    says: "PATCH: Content-Type application/json absent",
    path: `${COURSES}?id=${id(1)}`,
    init: { method: "PATCH", headers: KEYED, body: new Blob(["{}"]) },
    status: 400,
    ...UPDATE,
    code: 1,
    error: { kind: "refused" },
  },
  {
    says: "POST: attribute invalid, an unknown key in syllabus",
    path: COURSES,
    init: post(course({ syllabus: SYLLABUS })),
    status: 400,
    body: UNKNOWN_KEYS,
    ...CREATE,
    code: 1,
    error: {
      kind: "refused",
      hint: "syllabus should not contain the folowing keys: colour, shape",
      file: "a.json",
    },
  },
  {
    says: "PATCH: attribute invalid, an unknown key in syllabus",
    path: `${COURSES}?id=${id(1)}`,
    init: { method: "PATCH", headers: JSON_TYPE, body: JSON.stringify({ syllabus: SYLLABUS }) },
    status: 400,
    body: UNKNOWN_KEYS,
    ...UPDATE,
    code: 1,
    error: {
      kind: "refused",
      hint: "syllabus should not contain the folowing keys: colour, shape",
    },
  },
  {
    says: "PATCH: id query parameter absent",
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
    says: "PATCH: id matches no course of the user",
    path: `${COURSES}?id=${ABSENT}`,
    init: { method: "PATCH", headers: JSON_TYPE, body: '{"name":"X"}' },
    status: 404,
    body: "",
    ...UPDATE,
    code: 5,
    error: { kind: "missing" },
  },
  {
    says: "DELETE with the single-object Accept header: course absent or not owned",
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

describe("the sandbox answers", () => {
  test.each(ROWS)("$says with $status", async ({ path, init, status, body }) => {
    const { sandbox } = await holding(numbered(1));
    const answer = await fetch(`${sandbox.baseUrl}${path}`, init);
    const text = await answer.text();
    expect(answer.status).toBe(status);
    if (body !== undefined) expect(text).toBe(body);
    else if (text !== "") expect(JSON.parse(text)).toHaveProperty("hint");
  });

  test.each([
    "name",
    "url",
    "short_description",
    "long_description",
    "audio",
    "provider_id",
    "pace",
  ])("POST without %s with 400 and the hint that it is blank", async (field) => {
    const { sandbox } = await rig();
    const { [field]: _, ...rest } = course();
    const answer = await fetch(`${sandbox.baseUrl}${COURSES}`, post(rest));
    expect([answer.status, await answer.text()]).toEqual([
      400,
      `{"hint":"${field} is blank","details":null}`,
    ]);
  });

  test("DELETE without that header with 204 although there is no course", async () => {
    const { sandbox } = await rig();
    const url = `${sandbox.baseUrl}${COURSES}?id=${ABSENT}`;
    const answer = await fetch(url, { method: "DELETE", headers: KEYED });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });
});

describe("the command, met with that answer, tells it as given and sends it once", () => {
  test.each(ROWS)("$says: exit $code", async ({ words, method, status, body, code, error }) => {
    const r = await holding(numbered(1));
    await r.write("a.json", JSON.stringify(numbered(2)));
    const { environment, server } = await spoilt(r, (seen) =>
      seen.method === method ? { status, body: body ?? "" } : "pass",
    );
    const ran = await r.run([...words, "--json"], { environment });
    expect(ran.code).toBe(code);
    expect(errors(ran)).toHaveLength(1);
    expect(errors(ran)[0]).toMatchObject({ ...error, status });
    expect(server.seen.filter((line) => line.startsWith(method)).length).toBe(1);

    const text = await r.run(words, { environment });
    expect([text.code, text.stdout]).toEqual([code, ""]);
    expect(text.stderr).toContain(`${status}`);
    for (const key of ["hint", "details", "code"])
      if (typeof error[key] === "string") expect(text.stderr).toContain(error[key]);
  });

  test("an invalid key, 404 and an id that exists come from the sandbox itself, too", async () => {
    const r = await holding(numbered(1));
    await r.write("a.json", JSON.stringify(numbered(1)));
    const wrong = { environment: { CATALOG_API_KEY: "no.key" } };
    expect(errors(await r.run(["courses", "ls", "--json"], wrong))).toMatchObject([
      { kind: "auth", status: 401, hint: "Invalid API Key" },
    ]);
    const missing = await r.run(["courses", "publish", ABSENT, "--json"]);
    expect(errors(missing)).toMatchObject([{ kind: "missing", status: 404 }]);
    const taken = await r.run(["courses", "create", "a.json", "--json"]);
    expect(errors(taken)).toMatchObject([{ kind: "refused", status: 409 }]);
  });
});
