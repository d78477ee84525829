import { expect, test } from "vitest";
import { rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import { id, numberedCourse, rigWith, unreliableService } from "./helpers.ts";

const REFUSED: ServerBehavior = { status: 400, body: '{"hint":"name is unusual","details":null}' };
const NO_KEY: ServerBehavior = {
  status: 401,
  body: '{"hint":"Invalid API Key","details":"Check"}',
};

test("unpublish exits with 1 if the service rejects the request", async () => {
  const r = await rigWith(numberedCourse(1));
  const { environment } = await unreliableService(r, () => REFUSED);
  expect((await r.run(`courses unpublish ${id(1)}`, { environment })).code).toBe(1);
});

test("unpublish exits with 1 and does not retry after a 500 with a hint", async () => {
  const r = await rigWith(numberedCourse(1));
  const body = '{"hint":"Missing ID","details":"You should provide an id as a query parameter"}';
  const { environment } = await unreliableService(r, () => ({ status: 500, body }));
  const ran = await r.run(`courses unpublish ${id(1)}`, { environment });
  expect([ran.code, ran.requests.length]).toEqual([1, 1]);
});

/** The exit code of a run with one course per server behavior. */
async function codeOf(...fates: readonly ServerBehavior[]): Promise<number> {
  const r = await rigWith(...fates.map((_, index) => numberedCourse(index)));
  const { environment } = await unreliableService(r, ({ method, url }) => {
    if (method === "GET") return "pass";
    const index = fates.findIndex((_, number) => url.includes(id(number)));
    return fates[index] ?? "pass";
  });
  const ids = fates.map((_, index) => id(index));
  // The courses are published: a lookup after a lost response shows that nothing has changed.
  const words = ["courses", "unpublish", ...ids, "--concurrency", "1", "--retries", "0"];
  return (await r.run(words, { environment })).code;
}

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
  expect(await codeOf(...fates)).toBe(code);
});

test("diff --exit-code exits with 7 only if nothing failed", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("a.json", JSON.stringify(numberedCourse(1, { name: "New" })));
  await r.write("bad.json", JSON.stringify(numberedCourse(2, { pace: "slow" })));
  const diff = ["courses", "diff", "--exit-code", "a.json"];
  expect((await r.run(diff)).code).toBe(7);
  expect((await r.run([...diff, "bad.json"])).code).toBe(3);
});

test("commands exit with 2 for a missing base URL even if the key is also missing", async () => {
  const environment = { CATALOG_BASE_URL: undefined, CATALOG_API_KEY: undefined };
  for (const words of [
    ["courses", "ls"],
    ["courses", "get", id(1)],
    ["providers", "ls"],
  ]) {
    expect((await (await rig()).run(words, { environment })).code).toBe(2);
  }
});
