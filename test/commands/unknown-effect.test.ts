/** Changes whose response was lost and whose course cannot be looked up. */
import { describe, expect, test } from "vitest";
import {
  id,
  jsonMessages,
  jsonRows,
  numberedCourse,
  recordFiles,
  recordLines,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

describe("changes with an unknown effect", () => {
  /** Updates courses 1 and 2; the response for course 1 is lost, and so is every later one about it. */
  async function losing(behavior: "drop before" | "drop after") {
    const r = await rigWith(numberedCourse(1), numberedCourse(2));
    await r.write("a.csv", `id,name\n${id(1)},One\n${id(2)},Two\n`);
    let isLost = false;
    let isOver = false;
    const { environment } = await unreliableService(r, ({ method, url }) => {
      if (isOver || !url.includes(id(1))) return "pass";
      if (isLost) return "drop before";
      isLost = method === "PATCH";
      return isLost ? behavior : "pass";
    });
    const words = ["courses", "update", "a.csv", "--concurrency", "1", "--retries", "0", "--json"];
    const ran = await r.run(words, { environment });
    isOver = true;
    const names = async () => (await storedCourses(r)).map(({ name }) => name);
    return { r, ran, names, environment };
  }

  test("update reports a lost response as unknown in results, counts and the undo record, and exits with 6", async () => {
    const { r, ran } = await losing("drop after");
    expect(ran.code).toBe(6);
    expect(jsonRows(ran).map((row) => [row.id, row.status])).toEqual([
      [id(1), "unknown"],
      [id(2), "done"],
    ]);
    const counts = { updated: 1, failed: 0, unknown: 1 };
    expect(jsonMessages(ran).at(-1)).toMatchObject({ counts });
    expect(ran.stderr).toContain("Updated 1 course. 1 may have been changed.");
    const written = await recordLines((await recordFiles(r))[0] ?? "");
    expect(written).toContainEqual({ step: 1, status: "unknown" });
  });

  test.each(["drop before", "drop after"] as const)(
    "undo reverses a change with an unknown effect only if the change took effect: %s",
    async (behavior) => {
      const { r, names, environment } = await losing(behavior);
      expect(await names()).toEqual([behavior === "drop after" ? "One" : "Course 1", "Two"]);
      const ran = await r.run(["undo", "--yes"], { environment });
      expect([ran.code, writeRequests(ran).length]).toEqual([0, behavior === "drop after" ? 2 : 1]);
      expect(await names()).toEqual(["Course 1", "Course 2"]);
    },
  );

  const page = { body: "<!doctype html><html>ok</html>", headers: { "content-type": "text/html" } };

  test.each([
    ["POST", 201],
    ["PATCH", 200],
    ["DELETE", 200],
    ["DELETE", 302],
  ])(
    "a %s that is answered with a page of HTML (HTTP %i) is looked up, and is never called failed",
    async (method, status) => {
      for (const takesEffect of [true, false]) {
        const r = await rigWith(numberedCourse(2), numberedCourse(3));
        await r.write(
          "a.json",
          JSON.stringify([numberedCourse(1), numberedCourse(2, { name: "N" })]),
        );
        const { environment } = await unreliableService(r, ({ method: sent }) =>
          sent === method ? { status, ...page, takesEffect } : "pass",
        );
        const words = ["courses", "push", "a.json", "--prune", "--yes", "--json"];
        const ran = await r.run(words, { environment });
        const counts = jsonMessages(ran).at(-1);
        if (takesEffect) {
          expect([ran.code, counts]).toEqual([
            0,
            expect.objectContaining({
              counts: expect.objectContaining({ created: 1, updated: 1, deleted: 1 }),
            }),
          ]);
        } else {
          expect([ran.code, counts]).toMatchObject([6, { counts: { failed: 0, unknown: 1 } }]);
        }
      }
    },
  );
});
