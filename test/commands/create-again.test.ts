/** `create` of courses that exist, and commands that are stopped while they write. */
import { expect, test } from "vitest";
import { uuid5 } from "../core/plans.ts";
import {
  id,
  jsonRows,
  lines,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
} from "./helpers.ts";
import { courseWithoutId, json } from "./push-files.ts";

test("create fails for each course that exists and creates the others", async () => {
  const r = await rigWith();
  await r.write("a.json", json([courseWithoutId(1), courseWithoutId(2, { key: "SKU-2" })]));
  const first = await r.run("courses create a.json");
  const ids = [uuid5("https://academy.example/1"), uuid5("key:SKU-2")];
  expect([first.code, lines(first.stdout)]).toEqual([0, ids]);
  const again = await r.run("courses create a.json");
  expect([again.code, again.stdout, requestsOf(again, "POST")]).toEqual([1, "", []]);
  expect(again.stderr).toContain(
    `a course with this url exists: ${ids[0]}; to update it, use push`,
  );
  expect(again.stderr).toContain(
    `a course with this key exists: ${ids[1]}; to update it, use push`,
  );
  await r.write("a.json", json([courseWithoutId(1), courseWithoutId(3)]));
  const ran = await r.run("courses create a.json");
  expect([ran.code, lines(ran.stdout)]).toEqual([1, [uuid5("https://academy.example/3")]]);
  expect(ran.stderr).toContain("Created 1 course. 1 failed.\n");
  expect(await storedCourses(r)).toHaveLength(3);
});

test.each([1, 30])(
  "create finds existing courses of %i files by id or url in a catalog of 120 courses",
  async (count) => {
    const all = Array.from({ length: 120 }, (_, number) => numberedCourse(number + 1));
    const r = await rigWith(...all);
    const courses = Array.from({ length: count }, (_, number) => {
      return { ...courseWithoutId(number + 91), name: "New name" };
    });
    await r.write("a.json", json(courses));
    for (const command of ["create", "push"]) {
      const ran = await r.run(["courses", command, "a.json", "--json"]);
      expect(requestsOf(ran, "POST")).toEqual([]);
      expect(jsonRows(ran)[0]).toMatchObject({ id: id(91) });
    }
  },
);
