/** What `push --prune` deletes, and how it is restored. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  deletedCourses,
  id,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  ownLines,
  recordFiles,
  rigWith,
  runOf,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import {
  courseWithoutId,
  deleteRequest,
  json,
  push,
  READS,
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
    expect(ran.requests).toEqual([...READS, deleteRequest(2), deleteRequest(3)]);
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

  test("push --prune requests a single object for each deletion", async () => {
    const r = await rigForPrune();
    const { environment, server } = await unreliableService(r, () => "pass");
    await push(r, ["courses", "--prune", "--yes"], { environment });
    const accepts = server.headers.filter((_, index) =>
      server.requests[index]?.startsWith("DELETE"),
    );
    expect(accepts.map(({ accept }) => accept)).toEqual(
      Array(2).fill("application/vnd.pgrst.object+json"),
    );
  });

  test("push --prune fails for a course that still exists although the service reports it missing", async () => {
    const r = await rigForPrune();
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "DELETE" ? { status: 406 } : "pass",
    );
    const ran = await push(r, ["courses", "--prune", "--yes"], { environment });
    expect([ran.code, ownLines(ran.stderr).at(-1)]).toEqual([
      5,
      "Nothing was changed. 1 course was up to date. 2 failed.",
    ]);
  });

  test("push --prune writes complete courses into the undo record before it deletes them, and names the run", async () => {
    const r = await rigForPrune();
    const place = join(r.folder, ".local/state/catalog/history");
    const atDelete: number[] = [];
    const { environment } = await unreliableService(r, ({ method }) => {
      if (method === "DELETE") atDelete.push(existsSync(place) ? readdirSync(place).length : 0);
      return "pass";
    });
    const before = await storedCourses(r);
    const ran = await push(r, ["courses", "--prune", "--yes"], { environment });
    const [file = "", ...others] = await recordFiles(r);
    expect([ran.code, atDelete, others]).toEqual([0, [1, 1], []]);
    expect(await deletedCourses(file)).toEqual(before.slice(1));
    expect(lines(ran.stderr).slice(-2)).toEqual([
      "Deleted 2 courses. 1 was up to date.",
      `To undo this run: catalog undo ${runOf(file)}`,
    ]);
  });

  test("undo recreates the courses that push --prune deleted, with the same ids", async () => {
    const r = await rigForPrune();
    const withoutSlugs = async () => (await storedCourses(r)).map(({ slug: _, ...rest }) => rest);
    const before = await withoutSlugs();
    const ran = await push(r, ["courses", "--prune", "--yes"]);
    expect(await storedIds(r)).toEqual([id(1)]);
    const [, run = ""] = /To undo this run: catalog undo (\S+)/.exec(ran.stderr) ?? [];
    expect((await r.run(["undo", run, "--yes"])).code).toBe(0);
    const byId = (list: Record<string, unknown>[]) =>
      list.sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
    expect(byId(await withoutSlugs())).toEqual(byId(before));
  });

  test("push --prune --json prints each deletion, and the last notice names the run", async () => {
    const r = await rigForPrune();
    const ran = await push(r, ["courses", "--prune", "--yes", "--json"]);
    const [file = ""] = await recordFiles(r);
    const run = runOf(file);
    expect(jsonRows(ran)).toMatchObject([
      { id: id(1), file: "courses/a.json", action: "unchanged", status: "unchanged" },
      { id: id(2), action: "delete", status: "done", risks: ["delete"] },
      { id: id(3), action: "delete", status: "done", risks: ["delete"] },
    ]);
    expect(json(jsonMessages(ran).at(-1))).toContain(run);
  });

  test("push --prune sends nothing, not even creations, if it cannot write the undo record", async () => {
    const r = await rigForPrune();
    await r.write("courses/b.json", json(courseWithoutId(4)));
    const environment = { XDG_STATE_HOME: "/dev/null" };
    const ran = await push(r, ["courses", "--prune", "--yes"], { environment });
    expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
    expect(ran.stderr).toMatch(/^error: .*\/dev\/null/m);
  });

  test("push --prune asks nothing if there is nothing to delete, and records its creations", async () => {
    const r = await rigForPrune();
    await r.write(
      "courses/b.json",
      json([courseWithoutId(2), courseWithoutId(3), courseWithoutId(4)]),
    );
    const ran = await push(r, ["courses", "--prune"]);
    expect([ran.code, (await recordFiles(r)).length]).toEqual([0, 1]);
    expect(writeRequests(ran)).toEqual(["POST /developer/v1/courses"]);
  });
});
