/** What `push --prune` deletes, and how it is restored. */
import { describe, expect, test } from "vitest";
import { id, numberedCourse, rigWith } from "./helpers.ts";
import {
  courseWithoutId,
  deleteRequest,
  json,
  push,
  READS,
  readRequest,
  rigForPrune,
  storedIds,
  writeRequests,
} from "./push-files.ts";

describe("--prune", () => {
  test("push --prune deletes courses that are in no file, and push without --prune deletes nothing", async () => {
    const r = await rigForPrune();
    expect(writeRequests(await push(r, ["courses", "--yes"]))).toEqual([]);
    const ran = await push(r, ["courses", "--prune", "--yes", "--concurrency", "1"]);
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    const reads = [2, 3].map(readRequest);
    expect(ran.requests).toEqual([...READS, ...reads, deleteRequest(2), deleteRequest(3)]);
    expect(await storedIds(r)).toEqual([id(1)]);
  });

  test("push --prune without a path deletes all courses of --provider within --max-deletes", async () => {
    const r = await rigWith(...[1, 2, 3, 4, 5, 6].map((number) => numberedCourse(number)));
    const words = ["--prune", "--provider", "example-academy"];
    const refused = await push(r, [...words, "--yes"]);
    expect([refused.code, writeRequests(refused)]).toEqual([2, []]);
    expect(refused.stderr).toContain("the limit is 5");
    const shown = await r.run(["courses", "diff", ...words, "--max-deletes", "6"]);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("6 courses to delete")]);
    expect((await push(r, [...words, "--yes", "--max-deletes", "6"])).code).toBe(0);
    expect(await storedIds(r)).toEqual([]);
  });

  test("push --prune deletes courses after all other changes", async () => {
    const r = await rigForPrune();
    await r.write(
      "courses/b.json",
      json([courseWithoutId(7), courseWithoutId(8), courseWithoutId(9)]),
    );
    const ran = await push(r, ["courses", "--prune", "--yes"]);
    expect(writeRequests(ran).map((line) => line.split(" ")[0])).toEqual([
      "POST",
      "POST",
      "POST",
      "DELETE",
      "DELETE",
    ]);
  });
});
