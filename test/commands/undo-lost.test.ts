/** `undo` of changes whose responses were lost, and after runs that changed nothing. */
import { describe, expect, test } from "vitest";
import { course, type Rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import {
  id,
  numberedCourse,
  recordFiles,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { json, push, writeRequests } from "./push-files.ts";

const NEW = course({ name: "New", url: "https://academy.example/new" });

const CHANGES: readonly (readonly [string, readonly string[]])[] = [
  ["rm", ["courses", "rm", "--yes", id(1)]],
  ["update", ["courses", "update", id(1), "--name", "Changed"]],
  ["create", ["courses", "create", "new.json"]],
  ["push", ["courses", "push", "new.json"]],
];
/** What a repeated attempt and the look-ups after it get. */
const ANSWERS: readonly (readonly [string, ServerBehavior, ServerBehavior])[] = [
  ["the second attempt is rejected", { status: 403 }, "pass"],
  ["the second attempt finds nothing", { status: 404 }, "pass"],
  ["the second attempt is rejected, and all look-ups fail", { status: 403 }, { status: 502 }],
  ["the second attempt and all look-ups get no response", "drop before", "drop before"],
];

describe.each(CHANGES)("undo of %s", (_, words) => {
  test.each(ANSWERS)(`undo reverses a lost ${words[1]} if %s`, async (_, repeated, lookedUp) => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    await r.write("new.json", json(NEW));
    const before = await valuesOf(r);
    let isHealthy = false;
    let writes = 0;
    const { environment } = await unreliableService(r, ({ method }) => {
      if (isHealthy || (method === "GET" && writes === 0)) return "pass";
      if (method === "GET") return lookedUp;
      return ++writes === 1 ? "drop after" : repeated;
    });
    const ran = await r.run([...words, "--retries", "1"], { environment });
    expect(await valuesOf(r)).not.toEqual(before);
    expect(ran.code, ran.stderr).toBe(lookedUp === "pass" ? 0 : 6);
    isHealthy = true;
    const undone = await r.run(["undo", "--yes"], { environment });
    expect([undone.code, await valuesOf(r)], undone.stderr).toEqual([0, before]);
    const again = await r.run(["undo", "--yes"], { environment });
    expect([again.code, again.stderr]).toEqual([0, expect.stringMatching(/^Nothing to undo\./)]);
  });
});

test("undo says that a course may have been changed if neither the change nor the look-ups get a response", async () => {
  const r = await rigWith(numberedCourse(1));
  let isLost = false;
  const { environment } = await unreliableService(r, ({ method }) => {
    isLost ||= method === "PATCH" && isUndoing;
    return isLost ? "drop after" : "pass";
  });
  let isUndoing = false;
  await r.run(["courses", "update", id(1), "--name", "Changed"], { environment });
  isUndoing = true;
  const ran = await r.run(["undo", "--yes", "--retries", "0"], { environment });
  expect(ran.code).toBe(6);
  expect(ran.stderr).toContain("\n1 course may have been changed.\n");
  expect(ran.stderr).not.toContain("Nothing was changed.");
});

/** The courses without the fields that the service chooses. */
async function valuesOf(r: Rig): Promise<unknown[]> {
  const courses = await storedCourses(r);
  const values = courses.map(({ slug: _, last_fetched_at: __, ...values }) => values);
  return values.sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
}

test("undo reverses a push, not a later publish that changed nothing", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("new.json", json(NEW));
  expect((await push(r, ["new.json"])).code).toBe(0);
  const published = await r.run(["courses", "publish", id(1)]);
  expect([published.code, writeRequests(published)]).toEqual([0, []]);
  expect(await recordFiles(r)).toHaveLength(1);
  expect((await r.run(["undo", "--yes"])).code).toBe(0);
  expect((await storedCourses(r)).map((stored) => stored.id)).toEqual([id(1)]);
});
