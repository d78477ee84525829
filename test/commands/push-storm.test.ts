/** Pushes through random sequences of faults; a push without faults then completes the work. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { scaleRuns } from "../long.ts";
import { course, type Rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import {
  id,
  numberedCourse,
  recordFiles,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

const CHANGED = [numberedCourse(1, { name: "Changed" }), numberedCourse(2)];
const NEW = [1, 2].map((number) =>
  course({ name: `New ${number}`, url: `https://academy.example/new/${number}` }),
);
/** The last one is not in the file, so `--prune` deletes it. */
const BEFORE = [numberedCourse(1), numberedCourse(2), numberedCourse(3)];
const WANTED = [...CHANGED, ...NEW].map(({ url, name }) => `${url} ${name}`).sort();
const PUSH = ["courses", "push", "--prune", "--yes", "a.json"];

const PAGE = {
  body: "<!DOCTYPE html><html>Log in</html>",
  headers: { "content-type": "text/html" },
};

const FAULTS: readonly ServerBehavior[] = [
  "drop before",
  "drop after",
  { status: 200, ...PAGE },
  { status: 201, ...PAGE, takesEffect: true },
  { status: 200, body: '[{"id":' },
  { status: 200, body: '{"courses":[]}' },
  { status: 200, body: "[1, 2, 3]", cutAfter: 4 },
  { status: 307, headers: { location: "http://127.0.0.1:9/" } },
  { status: 400, body: '{"hint":"name is blank"}' },
  { status: 401, body: '{"hint":"Invalid API Key"}' },
  { status: 403, body: "<html>Forbidden</html>" },
  { status: 429, headers: { "retry-after": "7" } },
  { status: 500, body: '{"hint":"Limit Too High"}' },
  { status: 500, body: '{"hint":null}' },
  { status: 502, body: "<html>Bad Gateway</html>" },
  { status: 503, headers: { "retry-after": "7" } },
  { status: 504 },
  { status: 522 },
];

const storms = fc.array(fc.option(fc.constantFrom(...FAULTS), { freq: 2 }), {
  minLength: 1,
  maxLength: 25,
});

/** A rig with the courses and the file, after a push whose requests met these faults in turn. */
async function pushThrough(storm: readonly (ServerBehavior | null)[]) {
  const r = await rigWith(...BEFORE);
  await r.write("a.json", JSON.stringify([...CHANGED, ...NEW]));
  let isCalm = false;
  const { environment } = await unreliableService(r, ({ number }) =>
    isCalm ? "pass" : (storm[number - 1] ?? "pass"),
  );
  const stormy = await r.run(PUSH, { environment });
  isCalm = true;
  expect(stormy.stderr).not.toContain("this is a bug in catalog");
  return { r, environment, stormy };
}

async function summaryOf(r: Rig): Promise<string[]> {
  return (await storedCourses(r)).map(({ url, name }) => `${url} ${name}`).sort();
}

test("push through random faults duplicates nothing, exits with 0 only if done, and can be completed", async () => {
  await fc.assert(
    fc.asyncProperty(storms, async (storm) => {
      const { r, stormy } = await pushThrough(storm);
      const urls = (await storedCourses(r)).map(({ url }) => url);
      expect(new Set(urls).size).toBe(urls.length);
      expect([0, 1, 4, 6]).toContain(stormy.code);
      if (stormy.code === 0) expect(await summaryOf(r)).toEqual(WANTED);
      expect((await r.run(PUSH)).code).toBe(0);
      expect(await summaryOf(r)).toEqual(WANTED);
      const again = await r.run(PUSH);
      expect(again.requests).toEqual(requestsOf(again, "GET"));
    }),
    { numRuns: scaleRuns(10) },
  );
}, 60_000);

/** The courses by their ids, without what the service chooses for a course that is created again. */
async function comparable(r: Rig): Promise<Map<unknown, unknown>> {
  const courses = await storedCourses(r);
  return new Map(
    courses.map(({ slug: _, approval_status: __, last_fetched_at: ___, ...kept }) => [
      kept.id,
      kept,
    ]),
  );
}

test("undo after a push through random faults restores every course with one request each", async () => {
  const before = await comparable(await rigWith(...BEFORE));
  await fc.assert(
    fc.asyncProperty(storms, async (storm) => {
      const { r, environment } = await pushThrough(storm);
      const after = await comparable(r);
      if ((await recordFiles(r)).length === 0) {
        expect(after).toEqual(before);
        return;
      }
      const ids = new Set([...before.keys(), ...after.keys()]);
      const changed = [...ids].filter(
        (id) => JSON.stringify(before.get(id)) !== JSON.stringify(after.get(id)),
      );
      const undone = await r.run(["undo", "--yes"], { environment });
      expect(undone.code).toBe(0);
      expect(await comparable(r)).toEqual(before);
      expect(undone.requests.filter((line) => !line.startsWith("GET "))).toHaveLength(
        changed.length,
      );
    }),
    { numRuns: scaleRuns(10) },
  );
}, 60_000);

test("the look-up of the provider for the target line is repeated like any other request", async () => {
  const r = await rigWith(...BEFORE);
  const faults: ServerBehavior[] = [{ status: 503 }, "drop before"];
  const { environment } = await unreliableService(r, ({ url }) =>
    url.endsWith("/providers") ? (faults.shift() ?? "pass") : "pass",
  );
  const ran = await r.run(["courses", "unpublish", id(1)], { environment });
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("as Example Academy")]);
  expect(ran.requests.filter((line) => line.endsWith("/providers"))).toHaveLength(3);
});
