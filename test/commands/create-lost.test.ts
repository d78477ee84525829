import { describe, expect, test } from "vitest";
import { course, rig } from "../rig.ts";
import {
  id,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

const json = (value: unknown): string => JSON.stringify(value);

describe("create: a lost response", () => {
  test.each([
    ["after it was processed", "drop after"],
    ["before it was processed", "drop before"],
  ] as const)("to the POST, %s: one course, exit 0 and its id printed", async (_, loss) => {
    const r = await rig();
    await r.write("a.json", json(course()));
    const { environment } = await unreliableService(r, ({ number }) =>
      number === 2 ? loss : "pass",
    );
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    const courses = await storedCourses(r);
    expect(ran.code).toBe(0);
    expect(courses).toHaveLength(1);
    expect(ran.stdout).toBe(`${courses[0]?.id}\n`);
    const [, first, lookup] = requestsOf(ran);
    expect(first).toBe("POST /developer/v1/courses");
    expect(lookup).toBe(`GET /developer/v1/courses?id=${courses[0]?.id}`);
  });

  test.each([502, 503, 504, 500])(
    "with status %i after the course was created is looked up, not sent again",
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

  test("with status 429 is repeated without a lookup, after the pause in Retry-After", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    const { environment } = await unreliableService(r, ({ number }) =>
      number === 2 ? { status: 429, headers: { "retry-after": "7" } } : "pass",
    );
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    expect(ran.code).toBe(0);
    expect(requestsOf(ran)).toEqual([
      "GET /developer/v1/providers",
      "POST /developer/v1/courses",
      "POST /developer/v1/courses",
    ]);
    expect(r.clock.waits.reduce((sum, wait) => sum + wait, 0)).toBe(7000);
  });

  test("for an id that another course has exits with 1 and keeps that course", async () => {
    const r = await rigWith(numberedCourse(1, { name: "Older" }));
    await r.write("a.json", json(numberedCourse(1)));
    const { environment } = await unreliableService(r, ({ number }) =>
      number === 2 ? "drop before" : "pass",
    );
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    expect([ran.code, ran.stdout, requestsOf(ran, "POST").length]).toEqual([1, "", 1]);
    expect(ran.stderr).toContain(`with the id ${id(1)} already exists`);
    expect(await storedCourses(r)).toMatchObject([{ name: "Older" }]);
  });

  test("each time exits with 6, with the file and the id in the message", async () => {
    const r = await rig();
    await r.write("a.json", json(numberedCourse(1)));
    const { environment } = await unreliableService(r, ({ number }) =>
      number > 1 ? "drop before" : "pass",
    );
    const ran = await r.run(["courses", "create", "a.json"], { environment });
    expect([ran.code, ran.stdout]).toEqual([6, ""]);
    expect(ran.stderr).toContain(id(1));
    expect(ran.stderr).toContain("a.json");
  });
});

test("create: many parallel requests cause no warning of Node.js", async () => {
  const r = await rig();
  await r.write("all.json", json(Array.from({ length: 40 }, (_, index) => numberedCourse(index))));
  const warnings: Error[] = [];
  const note = (warning: Error): void => void warnings.push(warning);
  process.on("warning", note);
  try {
    const ran = await r.run(["courses", "create", "all.json", "--concurrency", "32"]);
    expect(ran.code).toBe(0);
  } finally {
    process.off("warning", note);
  }
  expect(warnings.map(({ name }) => name)).toEqual([]);
});
