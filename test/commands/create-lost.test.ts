import { describe, expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import type { ServerBehavior } from "../unreliable-server.ts";
import {
  id,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { startRecordingProxy } from "./recording-proxy.ts";

const json = (value: unknown): string => JSON.stringify(value);

/** The requests before the first POST: the providers, a short page of courses, and what follows it. */
const READS = 2;

/** A server that treats the first POST differently. */
function firstPost(behavior: ServerBehavior): (request: { method: string }) => ServerBehavior {
  let posts = 0;
  return ({ method }) => (method === "POST" && ++posts === 1 ? behavior : "pass");
}

describe("lost responses", () => {
  test.each([
    ["after it was processed", "drop after"],
    ["before it was processed", "drop before"],
  ] as const)("create makes one course although the response is lost %s", async (_, loss) => {
    const r = await rig();
    await r.write("a.json", json(course()));
    const { environment } = await unreliableService(r, firstPost(loss));
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    const courses = await storedCourses(r);
    expect(ran.code).toBe(0);
    expect(courses).toHaveLength(1);
    expect(ran.stdout).toBe(`${courses[0]?.id}\n`);
    const written = requestsOf(ran).slice(READS);
    expect(written[0]).toBe("POST /developer/v1/courses");
    expect(written[1]).toBe(`GET /developer/v1/courses?id=${courses[0]?.id}`);
  });

  test.each([502, 503, 504, 500])(
    "create looks a course up instead of sending it again after status %i",
    async (status) => {
      const r = await rig();
      await r.write("a.json", json(numberedCourse(1)));
      let posts = 0;
      const { environment } = await unreliableService(r, ({ method }) => {
        if (method !== "POST") return "pass";
        return ++posts === 1 ? { status } : "pass";
      });
      const ran = await r.run(["courses", "create", "a.json"], { environment });
      expect([ran.code, ran.stdout]).toEqual([0, `${id(1)}\n`]);
      expect(requestsOf(ran, "GET")).toContain(`GET /developer/v1/courses?id=${id(1)}`);
      expect(await storedCourses(r)).toHaveLength(1);
    },
  );

  test("create sends a course again without a look-up after status 429 and the pause in Retry-After", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    const throttled = firstPost({ status: 429, headers: { "retry-after": "7" } });
    const { environment } = await unreliableService(r, throttled);
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    expect(ran.code).toBe(0);
    expect(requestsOf(ran).slice(READS)).toEqual([
      "POST /developer/v1/courses",
      "POST /developer/v1/courses",
    ]);
    expect(r.clock.waits.reduce((sum, wait) => sum + wait, 0)).toBe(7000);
  });

  test("create exits with 1 and keeps the other course if its id is already used", async () => {
    const r = await rigWith(numberedCourse(1, { name: "Older" }));
    await r.write("a.json", json(numberedCourse(1)));
    let posted = false;
    // The other course appears after it was looked for.
    const { environment } = await startRecordingProxy(r, {
      request: ({ method, body }) => {
        posted ||= method === "POST";
        return body;
      },
      rows: (all, { url }) => (posted || url.includes("providers") ? all : []),
    });
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    expect([ran.code, ran.stdout, requestsOf(ran, "POST").length]).toEqual([1, "", 1]);
    expect(ran.stderr).toContain(`with the id ${id(1)} already exists`);
    expect(await storedCourses(r)).toMatchObject([{ name: "Older" }]);
  });

  test("create exits with 6 and names the file and the id if every response is lost", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "POST" ? "drop before" : "pass",
    );
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    expect([ran.code, ran.stdout]).toEqual([6, ""]);
    expect(ran.stderr).toContain(id(1));
    expect(ran.stderr).toContain("a.json");
  });
});
