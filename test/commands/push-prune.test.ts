/** What `push --prune` deletes, and how it is restored. */
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  backupFiles,
  id,
  jsonMessages,
  jsonRows,
  lines,
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

describe("push --prune", () => {
  test("deletes courses that are in no file; without the flag nothing is deleted", async () => {
    const r = await rigForPrune();
    expect(writeRequests(await push(r, ["courses", "--yes"]))).toEqual([]);
    const ran = await push(r, ["courses", "--prune", "--yes", "--concurrency", "1"]);
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    expect(ran.requests).toEqual([...READS, deleteRequest(2), deleteRequest(3)]);
    expect(await storedIds(r)).toEqual([id(1)]);
  });

  test("deletes after everything else is done", async () => {
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

  test("requests a single object, so that nothing else can be deleted", async () => {
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

  test("counts a course that was deleted by someone else meanwhile as deleted", async () => {
    const r = await rigForPrune();
    const { environment } = await unreliableService(r, ({ method }) =>
      method === "DELETE" ? { status: 406 } : "pass",
    );
    const ran = await push(r, ["courses", "--prune", "--yes"], { environment });
    expect([ran.code, lines(ran.stderr).at(-1)]).toEqual([
      0,
      "Courses: 1 unchanged and 2 deleted.",
    ]);
  });

  test("saves complete copies before the first deletion and prints the file's name", async () => {
    const r = await rigForPrune();
    const place = join(r.folder, ".local/state/catalog/deleted");
    const atDelete: number[] = [];
    const { environment } = await unreliableService(r, ({ method }) => {
      if (method === "DELETE") atDelete.push(existsSync(place) ? readdirSync(place).length : 0);
      return "pass";
    });
    const before = await storedCourses(r);
    const ran = await push(r, ["courses", "--prune", "--yes", "--quiet"], { environment });
    const [file = "", ...others] = await backupFiles(r);
    expect([ran.code, atDelete, others]).toEqual([0, [1, 1], []]);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(before.slice(1));
    expect(lines(ran.stderr)).toEqual([expect.stringContaining(file)]);
  });

  test("can be undone: create with the backup restores the courses under their ids", async () => {
    const r = await rigForPrune();
    const withoutSlugs = async () => (await storedCourses(r)).map(({ slug: _, ...rest }) => rest);
    const before = await withoutSlugs();
    const ran = await push(r, ["courses", "--prune", "--yes"]);
    expect(await storedIds(r)).toEqual([id(1)]);
    const [, file = ""] =
      /Backed up 2 courses to (\S+)\. To restore them: catalog courses create/.exec(ran.stderr) ??
      [];
    const back = await r.run(["courses", "create", file]);
    expect([back.code, lines(back.stdout)]).toEqual([0, [id(2), id(3)]]);
    expect(await withoutSlugs()).toEqual(before);
  });

  test("with --json names the backup file in each deletion", async () => {
    const r = await rigForPrune();
    const ran = await push(r, ["courses", "--prune", "--yes", "--json"]);
    const [backup] = await backupFiles(r);
    expect(jsonRows(ran)).toMatchObject([
      { id: id(1), file: "courses/a.json", action: "unchanged", status: "unchanged" },
      { id: id(2), action: "delete", status: "done", backup },
      { id: id(3), action: "delete", status: "done", backup },
    ]);
    expect(json(jsonMessages(ran))).toContain(String(backup));
  });

  test("with nothing to delete asks nothing and saves nothing", async () => {
    const r = await rigForPrune();
    await r.write(
      "courses/b.json",
      json([courseWithoutId(2), courseWithoutId(3), courseWithoutId(4)]),
    );
    const ran = await push(r, ["courses", "--prune"]);
    expect([ran.code, await backupFiles(r)]).toEqual([0, []]);
    expect(writeRequests(ran)).toEqual(["POST /developer/v1/courses"]);
  });
});
