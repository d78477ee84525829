/** `create` of courses that exist, and commands that are stopped while they write. */
import { describe, expect, test } from "vitest";
import { uuid5 } from "../core/plans.ts";
import { lines, requestsOf, rigWith, storedCourses } from "./helpers.ts";
import { courseWithoutId, json } from "./push-files.ts";

describe("courses that exist", () => {
  test("create fails for each course that exists and creates the others", async () => {
    const r = await rigWith();
    await r.write("a.json", json([courseWithoutId(1), courseWithoutId(2, { key: "SKU-2" })]));
    const first = await r.run(["courses", "create", "a.json"]);
    const ids = [uuid5("https://academy.example/1"), uuid5("key:SKU-2")];
    expect([first.code, lines(first.stdout)]).toEqual([0, ids]);
    const again = await r.run(["courses", "create", "a.json"]);
    expect([again.code, again.stdout, requestsOf(again, "POST")]).toEqual([1, "", []]);
    expect(again.stderr).toContain(
      `a course with this url exists: ${ids[0]}; to update it, use push`,
    );
    expect(again.stderr).toContain(
      `a course with this key exists: ${ids[1]}; to update it, use push`,
    );
    await r.write("a.json", json([courseWithoutId(1), courseWithoutId(3)]));
    const ran = await r.run(["courses", "create", "a.json"]);
    expect([ran.code, lines(ran.stdout)]).toEqual([1, [uuid5("https://academy.example/3")]]);
    expect(ran.stderr).toContain("Created 1 course. 1 failed.\n");
    expect(await storedCourses(r)).toHaveLength(3);
  });
});
