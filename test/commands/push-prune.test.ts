/** What `push --prune` deletes, and how it is restored. */
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { backups, held, holding, id, lines, numbered, rows, said, spoilt } from "./helpers.ts";
import { json, push, READS, unnamed, writesOf } from "./push-files.ts";

const remove = (number: number): string => `DELETE /developer/v1/courses?id=${id(number)}`;
const left = async (r: Rig) => (await held(r)).map((course) => course.id);
const FREE = { certificate: { type: "free" } };

/** Three remote courses, of which only the first is in a file. */
async function three() {
  const r = await holding(numbered(1), numbered(2, FREE), numbered(3));
  await r.write("courses/a.json", json(numbered(1)));
  return r;
}

describe("push --prune", () => {
  test("deletes courses that are in no file; without the flag nothing is deleted", async () => {
    const r = await three();
    expect(writesOf(await push(r, ["courses", "--yes"]))).toEqual([]);
    const ran = await push(r, ["courses", "--prune", "--yes", "--concurrency", "1"]);
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    expect(ran.requests).toEqual([...READS, remove(2), remove(3)]);
    expect(await left(r)).toEqual([id(1)]);
  });

  test("deletes after everything else is done", async () => {
    const r = await three();
    await r.write("courses/b.json", json([unnamed(7), unnamed(8), unnamed(9)]));
    const ran = await push(r, ["courses", "--prune", "--yes"]);
    expect(writesOf(ran).map((line) => line.split(" ")[0])).toEqual([
      "POST",
      "POST",
      "POST",
      "DELETE",
      "DELETE",
    ]);
  });

  test("requests a single object, so that nothing else can be deleted", async () => {
    const r = await three();
    const { environment, server } = await spoilt(r, () => "pass");
    await push(r, ["courses", "--prune", "--yes"], { environment });
    const accepts = server.headers.filter((_, index) => server.seen[index]?.startsWith("DELETE"));
    expect(accepts.map(({ accept }) => accept)).toEqual(
      Array(2).fill("application/vnd.pgrst.object+json"),
    );
  });

  test("counts a course that was deleted by someone else meanwhile as deleted", async () => {
    const r = await three();
    const { environment } = await spoilt(r, ({ method }) =>
      method === "DELETE" ? { status: 406 } : "pass",
    );
    const ran = await push(r, ["courses", "--prune", "--yes"], { environment });
    expect([ran.code, lines(ran.stderr).at(-1)]).toEqual([
      0,
      "Courses: 1 unchanged and 2 deleted.",
    ]);
  });

  test("saves complete copies before the first deletion and prints the file's name", async () => {
    const r = await three();
    const place = join(r.folder, ".local/state/catalog/deleted");
    const atDelete: number[] = [];
    const { environment } = await spoilt(r, ({ method }) => {
      if (method === "DELETE") atDelete.push(existsSync(place) ? readdirSync(place).length : 0);
      return "pass";
    });
    const before = await held(r);
    const ran = await push(r, ["courses", "--prune", "--yes", "--quiet"], { environment });
    const [file = "", ...others] = await backups(r);
    expect([ran.code, atDelete, others]).toEqual([0, [1, 1], []]);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(before.slice(1));
    expect(lines(ran.stderr)).toEqual([expect.stringContaining(file)]);
  });

  test("can be undone: create with the backup restores the courses under their ids", async () => {
    const r = await three();
    const withoutSlugs = async () => (await held(r)).map(({ slug: _, ...rest }) => rest);
    const before = await withoutSlugs();
    const ran = await push(r, ["courses", "--prune", "--yes"]);
    expect(await left(r)).toEqual([id(1)]);
    const [, file = ""] =
      /Backed up 2 courses to (\S+)\. To restore them: catalog courses create/.exec(ran.stderr) ??
      [];
    const back = await r.run(["courses", "create", file]);
    expect([back.code, lines(back.stdout)]).toEqual([0, [id(2), id(3)]]);
    expect(await withoutSlugs()).toEqual(before);
  });

  test("with --json names the backup file in each deletion", async () => {
    const r = await three();
    const ran = await push(r, ["courses", "--prune", "--yes", "--json"]);
    const [backup] = await backups(r);
    expect(rows(ran)).toEqual([
      { id: id(1), file: "courses/a.json", action: "unchanged", status: "done" },
      { id: id(2), action: "delete", status: "done", backup },
      { id: id(3), action: "delete", status: "done", backup },
    ]);
    expect(json(said(ran))).toContain(String(backup));
  });

  test("with nothing to delete asks nothing and saves nothing", async () => {
    const r = await three();
    await r.write("courses/b.json", json([unnamed(2), unnamed(3), unnamed(4)]));
    const ran = await push(r, ["courses", "--prune"]);
    expect([ran.code, await backups(r)]).toEqual([0, []]);
    expect(writesOf(ran)).toEqual(["POST /developer/v1/courses"]);
  });
});
