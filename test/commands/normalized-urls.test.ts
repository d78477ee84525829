/** No command changes, deletes or recreates a course because the service normalizes urls. */
import { describe, expect, test } from "vitest";
import { courseSeed } from "../../src/sandbox/seed.ts";
import { memoryStore, type StoredCourse } from "../../src/sandbox/store.ts";
import { rig, testClock } from "../rig.ts";
import { id } from "./helpers.ts";
import { courseWithoutId, json, push, writeRequests } from "./push-files.ts";

const WAYS: readonly (readonly [string, (url: string) => string, string])[] = [
  ["adds a trailing slash", (url) => `${url.replace(/\/$/, "")}/`, ""],
  ["removes a trailing slash", (url) => url.replace(/\/$/, ""), "/"],
];

describe.each(WAYS)("a service that %s", (change, normalize, ending) => {
  const courses = [1, 2, 3].map((number) =>
    courseWithoutId(number, { url: `https://academy.example/${number}${ending}` }),
  );

  /** A rig with a file of the courses, whose service has these. */
  async function normalizing(stored: readonly Record<string, unknown>[] = []) {
    const store = memoryStore(courseSeed(stored, testClock()));
    const put = (course: StoredCourse): void =>
      store.put({ ...course, url: normalize(String(course.url)) });
    const r = await rig({ store: { ...store, put } });
    await r.write("a.json", json(courses));
    return r;
  }

  test(`push and diff find no change after a push to a service that ${change}`, async () => {
    const r = await normalizing();
    const first = await push(r, ["a.json"]);
    expect([first.code, writeRequests(first).length]).toEqual([0, 3]);
    for (const flags of [[], ["--prune", "--yes"], ["--complete"]]) {
      const again = await push(r, ["a.json", ...flags]);
      expect([again.code, writeRequests(again)]).toEqual([0, []]);
    }
    const shown = await r.run(["courses", "diff", "a.json", "--exit-code"]);
    expect([shown.code, shown.stdout]).toEqual([0, "Already up to date: 3 courses.\n"]);
  });

  test(`push --prune finds courses with other ids by their urls on a service that ${change}`, async () => {
    const remote = courses.map((course, index) => ({
      ...course,
      url: normalize(String(course.url)),
      id: id(index + 1),
    }));
    const r = await normalizing(remote);
    const ran = await push(r, ["a.json", "--prune", "--yes"]);
    expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  });
});
