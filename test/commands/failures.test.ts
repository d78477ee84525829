/** Runs that fail: what the service answers, its exit code, and what is said; keys and base URLs that are wrong. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { id, jsonMessages, numberedCourse, rigWith, unreliableService } from "./helpers.ts";
import { deleteRequest, writeRequests } from "./push-files.ts";

const REFUSED: ServerBehavior = { status: 400, body: '{"hint":"name is unusual","details":null}' };
const NO_KEY: ServerBehavior = { status: 401, body: '{"hint":"Invalid API Key"}' };

test.each<[string, number, ServerBehavior[]]>([
  ["refused and done", 1, [REFUSED, "pass"]],
  ["missing and refused", 5, [{ status: 404 }, REFUSED]],
  ["refused and missing", 5, [REFUSED, { status: 404 }]],
  ["unreachable, missing and refused", 6, ["drop before", { status: 404 }, REFUSED]],
  ["missing, unreachable and rejected with the key", 4, [{ status: 404 }, { status: 502 }, NO_KEY]],
])("unpublish of courses whose requests are %s exits with %i", async (_, code, fates) => {
  const r = await rigWith(...fates.map((_, index) => numberedCourse(index)));
  const { environment } = await unreliableService(r, ({ method, url }) => {
    const fate = fates.find((_, index) => url.includes(id(index)));
    return method === "GET" ? "pass" : (fate ?? "pass");
  });
  // The courses are published: a lookup after a lost response shows that nothing has changed.
  const ids = fates.map((_, index) => id(index)).join(" ");
  const line = `courses unpublish ${ids} --concurrency 1 --retries 0`;
  expect((await r.run(line, { environment })).code).toBe(code);
});

test.each([
  [
    "2 for a missing base URL even if the API key is also missing",
    { CATALOG_BASE_URL: undefined, CATALOG_API_KEY: undefined },
    [2, 0],
    "no base URL and no API key are set",
  ],
  [
    "6 after all retries if the connection is refused, and prints the base URL and advice",
    { CATALOG_BASE_URL: "http://127.0.0.1:9" },
    [6, 7],
    /http:\/\/127\.0\.0\.1:9[\s\S]*\n {2}Check the base URL, and that the service is running\.\n/,
  ],
  [
    "4 after one request with a wrong API key, and prints the message of the service",
    { CATALOG_API_KEY: "wrong.key" },
    [4, 1],
    "  service: Invalid API Key. Check if your API Key is correct or generate a new one\n",
  ],
])("ls exits with %s", async (_, environment, counts, said) => {
  const ran = await (await rig()).run("courses ls -o csv", { environment });
  expect([ran.code, ran.requests.length, ran.stdout]).toEqual([...counts, ""]);
  expect(ran.stderr).toMatch(said);
});

test("ls --retries 0 exits with 6 after --timeout and one attempt if the service hangs", async () => {
  const r = await rig();
  const { environment, server } = await unreliableService(r, () => "hang");
  const words = ["courses", "ls", "--timeout", "0.2", "--retries", "0"];
  const ran = await r.run(words, { environment });
  expect([ran.code, ran.stdout, server.requests.length]).toEqual([6, "", 1]);
  expect(ran.stderr).toContain("0.2 s");
});

test.each(["Bearer wrong.0123456789abcdef", '"wrong.0123456789abcdef"'])(
  "ls and login refuse the key %s and advise how to fix it",
  async (key) => {
    const r = await rig();
    const environment = { CATALOG_API_KEY: key };
    for (const line of ["courses ls", "login --with-key"]) {
      const ran = await r.run(line, { environment, input: key });
      expect([ran.code, ran.requests]).toEqual([2, []]);
      expect(ran.stderr).toContain('without quotes, spaces or "Bearer"');
    }
  },
);

test.each(["/developer/v1", "/developer/v1/", "/developer/v1/courses"])(
  "a base URL may end with %s, as the URLs in the documentation of the service do",
  async (path) => {
    const r = await rig();
    const { baseUrl } = r.sandbox;
    const ran = await r.run(`courses ls --base-url ${baseUrl}${path}`);
    expect([ran.code, ran.stderr]).toEqual([0, "No courses.\n"]);
  },
);

test("push stops after ten failures of the service in a row, exits with 6 and skips the other courses", async () => {
  const r = await rigWith();
  const courses = Array.from({ length: 15 }, (_, n) => numberedCourse(n));
  await r.write("a.json", courses);
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "POST" ? { status: 500 } : "pass",
  );
  const line = "courses push a.json --retries 0 --json --concurrency 1";
  const ran = await r.run(line, { environment });
  // The next request is in flight when the look-up after the tenth one fails too.
  expect([ran.code, writeRequests(ran).length]).toEqual([6, 11]);
  const message = "the service failed 10 times in a row; nothing more was sent";
  const ends = jsonMessages(ran).filter(({ error }) => error?.message === message);
  expect(ends).toMatchObject([{ error: { kind: "unreachable" } }]);
  expect(jsonMessages(ran).at(-1)).toMatchObject({ counts: { unknown: 11, skipped: 4 } });
});

test.each<[string, ServerBehavior, number, string]>([
  ["a creation is rejected", REFUSED, 1, "failed"],
  ["the effect of a creation is unknown", { status: 504 }, 6, "unknown"],
])("push --prune deletes nothing if %s", async (_, answer, code, status) => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", [numberedCourse(1), numberedCourse(3)]);
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "POST" ? answer : "pass",
  );
  const line = "courses push a.json --prune --yes";
  const ran = await r.run(`${line} --retries 0 --json`, { environment });
  const rows: Record<string, unknown>[] = JSON.parse(ran.stdout);
  const [, created, deleted] = rows.map((row) => `${row.action} ${row.status}`);
  expect([ran.code, created, deleted]).toEqual([code, `create ${status}`, "delete skipped"]);
  expect(writeRequests(await r.run(line)).at(-1)).toBe(deleteRequest(2));
});

test("a deletion that fails stops no other deletion", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  const { environment } = await unreliableService(r, ({ method, url }) =>
    method === "DELETE" && url.includes(id(1)) ? { status: 403 } : "pass",
  );
  const words = ["courses", "rm", "--yes", id(1), id(2), "--json"];
  const ran = await r.run(words, { environment });
  expect(JSON.parse(ran.stdout)).toMatchObject([{ status: "failed" }, { status: "done" }]);
});

const COURSE = JSON.stringify(numberedCourse(1));

test.each<ServerBehavior>([
  { status: 200, body: "OK", headers: { "content-type": "text/plain" } },
  { status: 201, body: `[${COURSE}]`, headers: { location: `/courses?id=${id(1)}` } },
  { status: 204 },
])("create, publish, update and rm succeed if the response is %j", async (fate) => {
  for (const line of ["create a.json", "publish", "update --name X", "rm --yes"]) {
    const r = line.startsWith("create")
      ? await rig()
      : await rigWith(numberedCourse(1, { published: false }));
    await r.write("a.json", COURSE);
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "GET" ? "pass" : fate,
    );
    const words = line.startsWith("create") ? line : `${line} ${id(1)}`;
    const ran = await r.run(`courses ${words}`, { environment });
    expect([line, ran.code, writeRequests(ran).length]).toEqual([line, 0, 1]);
  }
});

test("ls and get show rows with missing fields, values of other types and unusual keys", async () => {
  const r = await rig();
  const second = `{"id":"${id(2)}","name":7,"published":"maybe","__proto__":{"a":1},"constructor":"b"}`;
  const body = `[{"id":"${id(1)}"},${second}]`;
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  const ran = await r.run("courses ls", { environment });
  expect([ran.code, ran.stdout]).toEqual([0, `${id(1)}\t\t\t\n${id(2)}\t7\tmaybe\t\n`]);
  const json = await r.run("courses ls --json", { environment });
  expect(json.stdout.replace(/\s/g, "")).toBe(body);
  const block = await r.run(`courses get ${id(1)}`, { environment, terminal: true });
  expect([block.code, block.stdout.includes(id(1))]).toEqual([0, true]);
});

test.each([200, 403])(
  "an HTML page with status %i is reported as a page of a proxy, a firewall or a login",
  async (status) => {
    const r = await rig();
    const body = "<!DOCTYPE html><html><h1>Sorry, you have been blocked</h1></html>";
    const { environment } = await unreliableService(r, () => ({ status, body }));
    const { stderr } = await r.run("providers ls", { environment });
    expect(stderr).toContain("A proxy, a firewall or a login page may have answered");
    expect(stderr).not.toContain("API key");
  },
);
