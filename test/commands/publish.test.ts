import { describe, expect, test } from "vitest";
import {
  courseRequests,
  expectRefused,
  id,
  jsonRows,
  numberedCourse,
  ownLines,
  recordFiles,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

const read = (number: number): string => `GET /developer/v1/courses?id=${id(number)}`;
const patch = (number: number): string => `PATCH /developer/v1/courses?id=${id(number)}`;

/** A rig with course 1, which is not published, and course 2, which is. */
async function two() {
  return await rigWith(numberedCourse(1, { published: false }), numberedCourse(2));
}

/** A rig with two courses that have another state than the one wanted. */
async function others(state: boolean) {
  return await rigWith(...[1, 2].map((number) => numberedCourse(number, { published: !state })));
}

const published = async (r: Awaited<ReturnType<typeof two>>) =>
  (await storedCourses(r)).map((course) => course.published);

describe.each([
  ["publish", true],
  ["unpublish", false],
])("%s", (verb, state) => {
  test(`${verb} sets published to ${state} with one GET and one PATCH per course`, async () => {
    const r = await others(state);
    const ran = await r.run(["courses", verb, id(1), id(2), "--concurrency", "1"]);
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(courseRequests(ran)).toEqual([read(1), read(2), patch(1), patch(2)]);
    expect(await published(r)).toEqual([state, state]);
  });

  test(`${verb} reads a course that already has this state, and sends and records nothing`, async () => {
    const r = await two();
    const same = state ? 2 : 1;
    const ran = await r.run(["courses", verb, id(same), "--json"]);
    expect([ran.code, ran.requests]).toEqual([0, [read(same)]]);
    expect(jsonRows(ran)).toMatchObject([
      { id: id(same), action: "unchanged", status: "unchanged" },
    ]);
    expect(await recordFiles(r)).toEqual([]);
  });

  test(`${verb} stops after the service rejects the key and reports the other courses as skipped`, async () => {
    const r = await others(state);
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "PATCH" ? { status: 401 } : "pass",
    );
    const words = ["courses", verb, id(1), id(2), "--concurrency", "1"];
    const ran = await r.run(words, { environment });
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([4, [patch(1)]]);
    expect(ran.stderr).toMatch(/\nNothing was changed\. 1 course failed\. 1 was not sent\.\n$/);
  });

  test(`${verb} prints the number of courses on stderr, and nothing with --quiet`, async () => {
    const r = await two();
    const ran = await r.run(["courses", verb, id(1), id(2)]);
    expect(ownLines(ran.stderr)).toEqual(["Updated 1 course. 1 was up to date."]);
    const quiet = await (await others(state)).run(["courses", verb, id(1), "--quiet"]);
    expect([quiet.stderr, courseRequests(quiet)]).toEqual(["", [read(1), patch(1)]]);
  });

  test(`${verb} sends one request for an id that is given twice, in lowercase and uppercase`, async () => {
    const ran = await (await others(state)).run(["courses", verb, id(1), id(1).toUpperCase()]);
    expect(courseRequests(ran)).toEqual([read(1), patch(1)]);
  });

  test(`${verb} exits with 2 without an id, and changes nothing if one of several ids is malformed`, async () => {
    const r = await two();
    expectRefused(await r.run(["courses", verb]), 2);
    const ran = await r.run(["courses", verb, id(1), "nope"]);
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([5, []]);
    expect(await published(r)).toEqual([false, true]);
  });
});

describe("ids from standard input", () => {
  test("publish - reads one id per line, ignores empty lines and counts a repeated id once", async () => {
    const r = await others(true);
    const input = `\ufeff${id(1)}\r\n\n   \n\t${id(2)} \n${id(1)}\n`;
    const ran = await r.run(["courses", "publish", "-", "--concurrency", "1"], { input });
    expect([ran.code, courseRequests(ran)]).toEqual([0, [read(1), read(2), patch(1), patch(2)]]);
  });

  test.each(["", "\n\n", "  \r\n"])("publish - does nothing without ids: %j", async (input) => {
    const ran = await (await two()).run(["courses", "publish", "-"], { input });
    const stderr = "Nothing to do.\n";
    expect(ran).toEqual({ code: 0, stdout: "", stderr, requests: [] });
  });

  test.each(["nope", `${id(1)} ${id(2)}`, `${id(1)},`, `"${id(1)}"`])(
    "publish - exits with 5 and changes nothing for a malformed line: %j",
    async (line) => {
      const r = await two();
      const ran = await r.run(["courses", "publish", "-"], { input: `${id(1)}\n${line}\n` });
      expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([5, []]);
      expect(ran.stderr).toContain(JSON.stringify(line));
      expect(await published(r)).toEqual([false, true]);
    },
  );
});
