/** Changes whose response was lost and whose course cannot be looked up, and look-ups that are repeated. */
import { expect, test } from "vitest";
import type { ServerBehavior } from "../unreliable-server.ts";
import {
  id,
  jsonMessages,
  jsonRows,
  numberedCourse,
  recordFiles,
  recordLines,
  rigWith,
  unreliableService,
} from "./helpers.ts";

/** Updates courses 1 and 2; the response for course 1 is lost, and so is every later one about it. */
async function losing() {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.csv", `id,name\n${id(1)},One\n${id(2)},Two\n`);
  let isLost = false;
  const { environment } = await unreliableService(r, ({ method, url }) => {
    if (!url.includes(id(1))) return "pass";
    if (isLost) return "drop before";
    isLost = method === "PATCH";
    return isLost ? "drop after" : "pass";
  });
  const words = ["courses", "update", "a.csv", "--concurrency", "1", "--retries", "0", "--json"];
  const ran = await r.run(words, { environment });
  return { r, ran };
}

test("update reports a lost response as unknown in results, counts and the undo record, and exits with 6", async () => {
  const { r, ran } = await losing();
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

test("the look-up of the provider for the target line is repeated like any other request", async () => {
  const r = await rigWith(numberedCourse(1));
  const faults: ServerBehavior[] = [{ status: 503 }, "drop before"];
  const { environment } = await unreliableService(r, ({ url }) =>
    url.endsWith("/providers") ? (faults.shift() ?? "pass") : "pass",
  );
  const ran = await r.run(`courses unpublish ${id(1)}`, { environment });
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("as Example Academy")]);
  expect(ran.requests.filter((line) => line.endsWith("/providers"))).toHaveLength(3);
});
