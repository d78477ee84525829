/** `catalog api`: what it sends, and what it never sends. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { course, type Rig, rig } from "../rig.ts";
import {
  id,
  jsonErrors,
  numberedCourse,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

const COURSES = "developer/v1/courses";

/** A service that accepts everything and records requests. */
async function taking(r: Rig) {
  const received: { method: string; type: string | undefined; body: Buffer; accept: unknown }[] =
    [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", headers } = request;
    const body = Buffer.concat(chunks);
    received.push({ method, type: headers["content-type"], body, accept: headers.accept });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const environment = { CATALOG_BASE_URL: `http://127.0.0.1:${port}` };
  const send = (words: readonly string[], input?: string) =>
    r.run(["api", ...words], { environment, ...(input === undefined ? {} : { input }) });
  return { received, send };
}

test("api creates, reads, changes and deletes a course", async () => {
  const r = await rig();
  await r.write("a.json", course({ id: id(1) }));
  const path = `developer/v1/courses?id=${id(1)}`;

  const created = await r.run("api post /developer/v1/courses -d @a.json");
  expect([created.code, created.stdout, created.stderr]).toEqual([0, "", "HTTP 201 Created\n"]);

  const read = await r.run(["api", "get", path]);
  expect([read.code, read.stderr]).toEqual([0, "HTTP 200 OK\n"]);
  expect(JSON.parse(read.stdout)).toMatchObject([{ id: id(1), published: true }]);

  const changed = await r.run(["api", "Patch", path, "-d", '{"published":false}']);
  expect([changed.code, changed.stderr]).toEqual([0, "HTTP 204 No Content\n"]);
  expect(await storedCourses(r)).toMatchObject([{ published: false }]);

  expect((await r.run(["api", "DELETE", path])).code).toBe(0);
  expect(await storedCourses(r)).toEqual([]);
});

test.each<[string, string[], RegExp]>([
  ["an unknown method", ["GTE", "x"], /not "GTE"\n {2}Did you mean "GET"\?/],
  ["a complete URL", ["GET", "https://elsewhere.example/x"], /relative to the base URL/],
  ["a path outside the base URL", ["GET", "a/%2e%2e/../x"], /relative to the base URL/],
  ["a PATCH without id", ["PATCH", COURSES, "-d", "{}"], /exactly one id=<uuid>/],
  ["a body without a file name", ["POST", "x", "-d", "@"], /missing the name of a file/],
])("api exits with 2 before any request if given %s", async (_, words, why) => {
  const r = await rigWith(numberedCourse(1));
  const ran = await r.run(["api", ...words]);
  expect({ ...ran, stderr: "" }).toMatchObject({ code: 2, stdout: "", requests: [] });
  expect(ran.stderr).toMatch(why);
  expect(await storedCourses(r)).toHaveLength(1);
});

test("api sends the body unchanged as JSON from an argument, a file or standard input", async () => {
  const r = await rig();
  const { received, send } = await taking(r);
  await r.write("a b.json", Buffer.from('{"é": 1 }\r\n'));
  await send(["POST", "x", "-d", '{"a": 1.50}']);
  await send(["PUT", `x?id=${id(1)}`, "-d", "@a b.json"]);
  await send(["PATCH", `x?id=${id(1)}`, "--data", "-"], '{"b":2}\n');
  await send(["POST", "x", "-d@a b.json"]);
  expect(received.map(({ method, body }) => [method, body.toString()])).toEqual([
    ["POST", '{"a": 1.50}'],
    ["PUT", '{"é": 1 }\r\n'],
    ["PATCH", '{"b":2}\n'],
    ["POST", '{"é": 1 }\r\n'],
  ]);
  for (const { type, accept } of received) {
    expect([type, accept]).toEqual(["application/json", "application/json"]);
  }
});

test.each([
  ["429", { status: 429, headers: { "retry-after": "1" } }],
  ["500 without a hint", { status: 500, body: '{"hint":null}' }],
  ["a lost response", "drop after"],
] as const)("api --retries 5 still sends a request only once after %s", async (_, fate) => {
  const r = await rig();
  const { server, environment } = await unreliableService(r, () => fate);
  for (const method of ["GET", "POST"]) {
    const ran = await r.run(["api", method, COURSES, "--retries", "5"], { environment });
    expect(ran.code).toBe(6);
  }
  expect(server.requests).toEqual([`GET /${COURSES}`, `POST /${COURSES}`]);
  expect(r.clock.waits).toEqual([]);
});

test.each([
  [301, "api POST x -d {}"],
  [307, "courses ls"],
  [308, "api POST x -d {}"],
])(
  "a redirect with status %i is not followed by %s, and the key is sent nowhere else",
  async (status, line) => {
    const r = await rig();
    const elsewhere = await unreliableService(r, () => ({ status: 200, body: "[]" }));
    const location = `${elsewhere.server.baseUrl}/${COURSES}?id=${id(1)}`;
    const { environment, server } = await unreliableService(r, () => ({
      status,
      headers: { location },
    }));
    const ran = await r.run(line, { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(
      `the service redirects to ${elsewhere.server.baseUrl}, but catalog does not follow redirects, to keep your API key safe (HTTP ${status})`,
    );
    expect(server.headers.map((headers) => headers["x-api-key"])).toEqual([DEFAULT_KEY]);
    expect(elsewhere.server.requests).toEqual([]);
  },
);

test("api prints 20,000 nested brackets on a terminal", async () => {
  const r = await rig();
  const body = "[".repeat(20_000) + "]".repeat(20_000);
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  const ran = await r.run("api GET x", { terminal: true, environment });
  expect(ran.stdout.replace(/\s/g, "")).toBe(body);
});

test.each([
  ["ends a body without a line break with one", "[]", "[]\n"],
  ["adds no second line break to a body", "[]\n", "[]\n"],
  ["prints nothing for an empty body", "", ""],
])("api %s on a terminal, and prints the body as it is in a pipe", async (_, body, shown) => {
  const r = await rig();
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  const stdouts = [true, false].map(async (terminal) => {
    return (await r.run("api GET x", { terminal, environment })).stdout;
  });
  expect(await Promise.all(stdouts)).toEqual([shown, body]);
});

test("api -i prints the status and the headers before the body", async () => {
  const r = await rig();
  const headers = { "X-Later": "é\u009b1m\ttab", "content-type": "text/plain", date: "now" };
  const response = { status: 203, headers, body: "a\r\nb" };
  const { environment } = await unreliableService(r, () => response);
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
    const r = await rig();
    const body = JSON.stringify(error);
    const { environment } = await unreliableService(r, () => ({ status, body }));
    const words = ["api", "GET", `${COURSES}?id=${id(1)}`, "--json"];
    const ran = await r.run(words, { environment });
    expect([ran.code, ran.stdout]).toEqual([code, body]);
    expect(jsonErrors(ran)).toMatchObject([{ kind, status }]);
  },
);
