/** Runs that fail: what the service answers, its exit code, and what is said; keys and base URLs that are wrong. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import {
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

const REFUSED: ServerBehavior = { status: 400, body: '{"hint":"name is unusual","details":null}' };
const NO_KEY: ServerBehavior = {
  status: 401,
  body: '{"hint":"Invalid API Key","details":"Check"}',
};

test.each<[string, number, ServerBehavior[]]>([
  ["refused and done", 1, [REFUSED, "pass"]],
  ["missing and refused", 5, [{ status: 404 }, REFUSED]],
  ["refused and missing", 5, [REFUSED, { status: 404 }]],
  ["missing and unreachable", 6, [{ status: 404 }, { status: 503 }]],
  ["unreachable, missing and refused", 6, ["drop before", { status: 404 }, REFUSED]],
  ["unreachable and rejected with the key", 4, [{ status: 503 }, NO_KEY]],
  [
    "refused, missing, unreachable and rejected with the key",
    4,
    [REFUSED, { status: 404 }, { status: 502 }, NO_KEY],
  ],
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

test("diff --exit-code exits with 7 only if nothing failed", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("a.json", numberedCourse(1, { name: "New" }));
  await r.write("bad.json", numberedCourse(2, { pace: "slow" }));
  const diff = ["courses", "diff", "--exit-code", "a.json"];
  expect((await r.run(diff)).code).toBe(7);
  expect((await r.run([...diff, "bad.json"])).code).toBe(3);
});

test("ls exits with 2 for a missing base URL even if the key is also missing", async () => {
  const environment = { CATALOG_BASE_URL: undefined, CATALOG_API_KEY: undefined };
  expect((await (await rig()).run("courses ls", { environment })).code).toBe(2);
});

const NOWHERE = { environment: { CATALOG_BASE_URL: "http://127.0.0.1:9" } };

test("ls exits with 6 after all retries if the connection is refused, and prints the base URL and advice", async () => {
  const ran = await (await rig()).run("courses ls", NOWHERE);
  expect([ran.code, ran.stdout, ran.requests.length]).toEqual([6, "", 7]);
  expect(ran.stderr).toContain("http://127.0.0.1:9");
  expect(ran.stderr).toContain("\n  Check the base URL, and that the service is running.\n");
});

test("ls --retries 0 exits with 6 after --timeout and one attempt if the service hangs", async () => {
  const r = await rig();
  const { environment, server } = await unreliableService(r, () => "hang");
  const words = ["courses", "ls", "--timeout", "0.2", "--retries", "0"];
  const ran = await r.run(words, { environment });
  expect([ran.code, ran.stdout, server.requests.length]).toEqual([6, "", 1]);
  expect(ran.stderr).toContain("0.2 s");
});

test("ls exits with 4 after one request with a wrong key, and prints the message of the service", async () => {
  const environment = { CATALOG_API_KEY: "wrong.key" };
  const ran = await (await rig()).run("courses ls", { environment });
  expect([ran.code, ran.stdout, ran.requests.length]).toEqual([4, "", 1]);
  expect(ran.stderr).toContain(
    "  service: Invalid API Key. Check if your API Key is correct or generate a new one\n",
  );
});

const WRONG = "wrong.0123456789abcdef";

test.each([`Bearer ${WRONG}`, `"${WRONG}"`, `'${WRONG}'`])(
  "ls and login refuse the key %s and advise how to fix it",
  async (key) => {
    const r = await rig();
    const variable = await r.run("courses ls", { environment: { CATALOG_API_KEY: key } });
    const typed = await r.run("login --with-key", { input: key });
    for (const ran of [variable, typed]) {
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
  const count = 15;
  const r = await rigWith();
  await r.write(
    "a.json",
    Array.from({ length: count }, (_, n) => numberedCourse(n)),
  );
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "POST" ? { status: 500 } : "pass",
  );
  const line = "courses push a.json --retries 0 --json --concurrency 1";
  const ran = await r.run(line, { environment });
  const statuses = jsonRows(ran).map(({ status }) => status);
  // The next request is in flight when the look-up after the tenth one fails too.
  const sent = 11;
  expect([ran.code, writeRequests(ran).length]).toEqual([6, sent]);
  const skipped = count - sent;
  expect(statuses).toEqual([...Array(sent).fill("unknown"), ...Array(skipped).fill("skipped")]);
  const message = "the service failed 10 times in a row; nothing more was sent";
  expect(jsonErrors(ran).filter((error) => error.message === message)).toHaveLength(1);
  expect(jsonErrors(ran).at(-1)).toMatchObject({ kind: "unreachable", message });
  expect(jsonMessages(ran).at(-1)).toMatchObject({ counts: { unknown: sent, skipped } });
  expect((await r.run("courses push a.json")).code).toBe(0);
  expect(await storedCourses(r)).toHaveLength(count);
});

test.each<[string, ServerBehavior, number, string]>([
  ["a creation is rejected", { status: 400, body: '{"hint":"no"}' }, 1, "failed"],
  ["the effect of a creation is unknown", { status: 504 }, 6, "unknown"],
])("push --prune deletes nothing if %s", async (_, answer, code, status) => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", [numberedCourse(1, { name: "New" }), numberedCourse(3)]);
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "POST" ? answer : "pass",
  );
  const words = ["courses", "push", "a.json", "--prune", "--yes", "--retries", "0", "--json"];
  const ran = await r.run(words, { environment });
  expect([ran.code, requestsOf(ran, "DELETE")]).toEqual([code, []]);
  expect(jsonRows(ran).map((row) => `${row.action} ${row.status}`)).toEqual([
    "update done",
    `create ${status}`,
    "delete skipped",
  ]);
  // A later run deletes what is left to delete.
  const again = await r.run("courses push a.json --prune --yes");
  expect([again.code, requestsOf(again, "DELETE").length]).toEqual([0, 1]);
});

test("a deletion that fails stops no other deletion", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  const { environment } = await unreliableService(r, ({ method, url }) =>
    method === "DELETE" && url.includes(id(1)) ? { status: 403 } : "pass",
  );
  const words = ["courses", "rm", "--yes", id(1), id(2), "--json"];
  const ran = await r.run(words, { environment });
  expect(jsonRows(ran).map((row) => row.status)).toEqual(["failed", "done"]);
  expect(await storedCourses(r)).toMatchObject([{ id: id(1) }]);
});

const COURSE = JSON.stringify(numberedCourse(1));
const DONE: readonly ServerBehavior[] = [
  { status: 200, body: COURSE },
  { status: 200, body: "OK", headers: { "content-type": "text/plain" } },
  { status: 201, body: `[${COURSE}]`, headers: { location: `/courses?id=${id(1)}` } },
  { status: 204 },
];

test.each(DONE)("create, publish, update and rm succeed if the response is %j", async (fate) => {
  const empty = await rig();
  await empty.write("a.json", COURSE);
  const { environment } = await unreliableService(empty, ({ method }) =>
    method === "POST" ? fate : "pass",
  );
  const created = await empty.run("courses create a.json", { environment });
  expect([created.code, created.stdout]).toEqual([0, `${id(1)}\n`]);
  expect(requestsOf(created, "POST")).toHaveLength(1);
  const r = await rigWith(numberedCourse(1));
  const changed = await unreliableService(r, ({ method }) => (method === "GET" ? "pass" : fate));
  for (const words of [["publish"], ["update", "--name", "X"], ["rm", "--yes"]]) {
    const ran = await r.run(["courses", ...words, id(1)], { environment: changed.environment });
    expect([words, ran.code]).toEqual([words, 0]);
    if (words[0] === "rm") expect(requestsOf(ran, "DELETE")).toHaveLength(1);
  }
});

test("ls and get show rows with missing fields and with values of other types", async () => {
  const r = await rig();
  const body = JSON.stringify([{ id: id(1) }, { id: id(2), name: 7, published: "maybe" }]);
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  const ran = await r.run("courses ls", { environment });
  expect([ran.code, ran.stdout]).toEqual([0, `${id(1)}\t\t\t\n${id(2)}\t7\tmaybe\t\n`]);
  const shown = await r.run("courses ls", { environment, terminal: true });
  expect([shown.code, shown.stdout.includes("maybe")]).toEqual([0, true]);
  const block = await r.run(`courses get ${id(1)}`, { environment, terminal: true });
  expect([block.code, block.stdout.includes(id(1))]).toEqual([0, true]);
});

test("ls --json prints big numbers and unusual keys of a row unchanged", async () => {
  const r = await rig();
  const body = `[{"id":"${id(1)}","duration_in_hours":1.50,"__proto__":{"a":1},"constructor":"b"}]`;
  const { environment } = await unreliableService(r, () => ({ status: 200, body }));
  const ran = await r.run("courses ls --json", { environment });
  expect(ran.stdout.replace(/\s/g, "")).toBe(
    `[{"id":"${id(1)}","duration_in_hours":1.5,"__proto__":{"a":1},"constructor":"b"}]`,
  );
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
