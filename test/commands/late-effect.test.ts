/** Changes that take effect after catalog has given up. */
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import {
  id,
  jsonRows,
  numberedCourse,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

test("a deletion that took effect late is unknown, and undo restores the course", async () => {
  const r = await rigWith(numberedCourse(1));
  const { environment } = await unreliableService(r, ({ method }) =>
    method === "DELETE" ? { status: 504 } : "pass",
  );
  const ran = await r.run(["courses", "rm", "--yes", id(1), "--json"], { environment });
  expect(ran.code).toBe(6);
  expect(jsonRows(ran)).toMatchObject([{ id: id(1), status: "unknown" }]);
  expect(await storedCourses(r)).toHaveLength(1);

  // A queue behind the gateway deletes the course a little later.
  const url = `${r.sandbox.baseUrl}/developer/v1/courses?id=${id(1)}`;
  await fetch(url, { method: "DELETE", headers: { "x-api-key": DEFAULT_KEY } });
  expect(await storedCourses(r)).toEqual([]);
  const undone = await r.run(["undo", "--yes"], { environment });
  expect(undone.code).toBe(0);
  expect(await storedCourses(r)).toMatchObject([{ id: id(1), name: "Course 1" }]);
});
