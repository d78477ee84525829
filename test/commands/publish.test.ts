import { describe, expect, test } from "vitest";
import { courseRequests, id, numberedCourse, ownLines, rigWith, storedCourses } from "./helpers.ts";
import { patchRequest, readRequest } from "./push-files.ts";

/** A rig with course 1, which is not published, and course 2, which is. */
async function two() {
  return await rigWith(numberedCourse(1, { published: false }), numberedCourse(2));
}

/** A rig with two courses that have another state than the one wanted. */
async function others(state: boolean) {
  return await rigWith(...[1, 2].map((number) => numberedCourse(number, { published: !state })));
}

/** One GET and one PATCH for each of the two courses. */
const EACH = [readRequest(1), readRequest(2), patchRequest(1), patchRequest(2)];

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
    expect(courseRequests(ran)).toEqual(EACH);
    expect(await published(r)).toEqual([state, state]);
  });

  test(`${verb} prints the number of courses on stderr, and nothing with --quiet`, async () => {
    const r = await two();
    const ran = await r.run(["courses", verb, id(1), id(2)]);
    expect(ownLines(ran.stderr)).toEqual(["Updated 1 course. 1 was up to date."]);
    const quiet = await (await others(state)).run(["courses", verb, id(1), "--quiet"]);
    expect([quiet.stderr, courseRequests(quiet)]).toEqual(["", [readRequest(1), patchRequest(1)]]);
  });

  test(`${verb} sends one request for an id that is given twice, in lowercase and uppercase`, async () => {
    const ran = await (await others(state)).run(["courses", verb, id(1), id(1).toUpperCase()]);
    expect(courseRequests(ran)).toEqual([readRequest(1), patchRequest(1)]);
  });
});

test("publish - reads one id per line, ignores empty lines and counts a repeated id once", async () => {
  const r = await others(true);
  const input = `\ufeff${id(1)}\r\n\n   \n\t${id(2)} \n${id(1)}\n`;
  const ran = await r.run("courses publish - --concurrency 1", { input });
  expect([ran.code, courseRequests(ran)]).toEqual([0, EACH]);
});

test.each(["", "\n\n", "  \r\n"])("publish - does nothing without ids: %j", async (input) => {
  const ran = await (await two()).run("courses publish -", { input });
  const stderr = "Already up to date.\n";
  expect(ran).toEqual({ code: 0, stdout: "", stderr, requests: [] });
});
