/** `catalog api`: what it sends, and what it never sends. */
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import type { HttpRequest } from "../../src/service/errors.ts";
import { course, type Rig, rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { id, jsonErrors, storedCourses, unreliableService } from "./helpers.ts";

const COURSES = "developer/v1/courses";

/** A service that answers every request in this way, with the rig's sandbox behind it. */
async function answering(answer: ServerBehavior, r?: Rig) {
  const started = r ?? (await rig());
  return { r: started, ...(await unreliableService(started, () => answer)) };
}

test("api creates, reads, changes and deletes a course", async () => {
  const r = await rig();
  await r.write("a.json", course({ id: id(1) }));
  const path = `developer/v1/courses?id=${id(1)}`;
  const answered = (code: string, stdout = "") => ({ code: 0, stdout, stderr: `HTTP ${code}\n` });
  const created = await r.run("api post /developer/v1/courses -d @a.json");
  expect(created).toMatchObject(answered("201 Created"));
  const read = await r.run(`api get ${path}`);
  expect(read).toMatchObject(answered("200 OK", expect.stringContaining('"published":true')));
  const changed = await r.run(`api Patch ${path} -d {"published":false}`);
  expect(changed).toMatchObject(answered("204 No Content"));
  expect(await storedCourses(r)).toMatchObject([{ published: false }]);
  expect((await r.run(`api DELETE ${path}`)).code).toBe(0);
  expect(await storedCourses(r)).toEqual([]);
});

test.each([
  ["an unknown method", "GTE x", /not "GTE"\n {2}Did you mean "GET"\?/],
  ["a complete URL", "GET https://elsewhere.example/x", /relative to the base URL/],
  ["a path outside the base URL", "GET a/%2e%2e/../x", /relative to the base URL/],
  ["a PATCH without id", `PATCH ${COURSES} -d {}`, /exactly one id=<uuid>/],
  ["a body without a file name", "POST x -d @", /missing the name of a file/],
])("api exits with 2 before any request if given %s", async (_, words, why) => {
  const ran = await (await rig()).run(`api ${words}`);
  expect(ran).toMatchObject({ code: 2, stdout: "", requests: [] });
  expect(ran.stderr).toMatch(why);
});

test.each([
  ["an argument", ["POST", "x", "-d", '{"é": 1.50}\r\n']],
  ["a file", ["PUT", `x?id=${id(1)}`, "-d", "@a b.json"]],
  ["a file next to the flag", ["POST", "x", "-d@a b.json"]],
  ["standard input", ["PATCH", `x?id=${id(1)}`, "--data", "-"]],
])(
  "api sends the body unchanged as JSON from an argument, a file or standard input: %s",
  async (_, words) => {
    const input = '{"é": 1.50}\r\n';
    const r = await rig();
    await r.write("a b.json", input);
    const sent: HttpRequest[] = [];
    r.shortcuts.set(r.sandbox.baseUrl, () => async (request) => {
      sent.push(request);
      return { status: 204, reason: "", headers: {}, body: Buffer.of() };
    });
    expect((await r.run(["api", ...words], { input })).code).toBe(0);
    const [request] = sent;
    expect([request?.method, `${request?.body}`]).toEqual([words[0], input]);
    const json = "application/json";
    expect(request?.headers).toMatchObject({ "content-type": json, accept: json });
  },
);

test.each([
  ["429", { status: 429, headers: { "retry-after": "1" } }],
  ["500 without a hint", { status: 500, body: '{"hint":null}' }],
  ["a lost response", "drop after"],
] as const)("api --retries 5 still sends a request only once after %s", async (_, fate) => {
  const { r, server, environment } = await answering(fate);
  for (const method of ["GET", "POST"]) {
    const ran = await r.run(`api ${method} ${COURSES} --retries 5`, { environment });
    expect(ran.code).toBe(6);
  }
  expect(server.requests).toEqual([`GET /${COURSES}`, `POST /${COURSES}`]);
  expect(r.clock.waits).toEqual([]);
});

test.each([
  [301, "api POST x -d {}"],
  [307, "courses ls"],
])(
  "a redirect with status %i is not followed by %s, and the key is sent nowhere else",
  async (status, line) => {
    const { r, server: elsewhere } = await answering({ status: 200, body: "[]" });
    const headers = { location: `${elsewhere.baseUrl}/${COURSES}?id=${id(1)}` };
    const { environment, server } = await answering({ status, headers }, r);
    const ran = await r.run(line, { environment });
    const refused = `the service redirects to ${elsewhere.baseUrl}, but catalog does not follow`;
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(refused)]);
    expect(server.headers.map((headers) => headers["x-api-key"])).toEqual([DEFAULT_KEY]);
    expect(elsewhere.requests).toEqual([]);
  },
);

test("api refuses a body for a method without one, and sends nothing", async () => {
  const ran = await (await rig()).run(`api GET ${COURSES} -d {}`);
  const said = expect.stringContaining("--data cannot be combined with GET");
  expect([ran.code, ran.stderr, ran.requests]).toEqual([2, said, []]);
});

const NESTED = "[".repeat(20_000) + "]".repeat(20_000);

test.each([
  ["a body without a line break with one", "[]", "[]\n"],
  ["a body with a line break without another", "[]\n", "[]\n"],
  ["an empty body as nothing", "", ""],
  ["a body of 20,000 nested brackets", NESTED, `${NESTED}\n`],
])("api prints %s on a terminal, and the body as it is in a pipe", async (_, body, shown) => {
  const { r, environment } = await answering({ status: 200, body });
  expect((await r.run("api GET x", { terminal: true, environment })).stdout).toBe(shown);
  expect((await r.run("api GET x", { environment })).stdout).toBe(body);
});

test("api -i prints the status and the headers before the body", async () => {
  const headers = { "X-Later": "é\u009b1m\ttab", "content-type": "text/plain", date: "now" };
  const { r, environment } = await answering({ status: 203, headers, body: "a\r\nb" });
  const ran = await r.run("api GET x -i", { environment });
  expect([ran.code, ran.stderr]).toEqual([0, ""]);
  expect(ran.stdout).toMatch(
    /^HTTP 203 Non-Authoritative Information\nx-later: é\\x9b1m\\ttab\ncontent-type: text\/plain\ndate: now\n([a-z-]+: [^\n]*\n)*\na\r\nb$/,
  );
});

test.each([
  [401, { hint: "Invalid API Key", details: "Check" }, 4, "auth"],
  [400, { code: "22P02", message: "invalid input syntax" }, 1, "rejected"],
])(
  "api prints the body of a response with status %i, and what it means as an error",
  async (status, error, code, kind) => {
    const body = JSON.stringify(error);
    const { r, environment } = await answering({ status, body });
    const ran = await r.run(`api GET ${COURSES}?id=${id(1)} --json`, { environment });
    expect([ran.code, ran.stdout]).toEqual([code, body]);
    expect(jsonErrors(ran)).toMatchObject([{ kind, status }]);
  },
);
