import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import {
  backupFiles,
  id,
  jsonMessages,
  lines,
  numberedCourse,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";

async function three() {
  return await rigWith(
    numberedCourse(1, { certificate: { type: "free" } }),
    numberedCourse(2),
    numberedCourse(3),
  );
}

const left = async (r: Rig) => (await storedCourses(r)).map((course) => course.id);

describe("rm: the backup", () => {
  test("contains the course as get --json prints it, and the message names the file", async () => {
    const r = await three();
    const { stdout } = await r.run(["courses", "get", id(1), "--json"]);
    const ran = await r.run(["courses", "rm", "--yes", id(1)]);
    const [file = ""] = await backupFiles(r);
    expect(await readFile(file, "utf8")).toBe(stdout);
    expect(ran.stderr).toContain(file);
  });

  test("of several courses is one file, written before anything is deleted", async () => {
    const r = await three();
    const place = join(r.folder, ".local/state/catalog/deleted");
    const atDelete: number[] = [];
    const { environment } = await unreliableService(r, ({ method }) => {
      if (method !== "DELETE") return "pass";
      atDelete.push(existsSync(place) ? readdirSync(place).length : 0);
      return { status: 400 };
    });
    const ran = await r.run(["courses", "rm", "--yes", id(1), id(2)], { environment });
    expect([ran.code, atDelete]).toEqual([1, [1, 1]]);
    const [file = "", ...others] = await backupFiles(r);
    expect(others).toEqual([]);
    const kept = JSON.parse(await readFile(file, "utf8")) as { id: string }[];
    expect(kept.map((course) => course.id)).toEqual([id(1), id(2)]);
  });

  test("has mode 0600 in a folder with mode 0700", async () => {
    const r = await three();
    await r.run(["courses", "rm", "--yes", id(1)]);
    const [file = ""] = await backupFiles(r);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
  });

  test("is below $XDG_STATE_HOME, otherwise below ~/.local/state", async () => {
    const r = await three();
    const environment = { XDG_STATE_HOME: join(r.folder, "state") };
    await r.run(["courses", "rm", "--yes", id(1)], { environment });
    expect(await backupFiles(r, "state")).toHaveLength(1);
    expect(await backupFiles(r)).toEqual([]);
    await r.run(["courses", "rm", "--yes", id(2)], { environment: { XDG_STATE_HOME: "" } });
    expect(await backupFiles(r)).toHaveLength(1);
  });

  test("is the only thing that --quiet still prints", async () => {
    const r = await three();
    const ran = await r.run(["courses", "rm", "--yes", "--quiet", id(1)]);
    const [file = ""] = await backupFiles(r);
    expect(lines(ran.stderr)).toHaveLength(1);
    expect(ran.stderr).toContain(file);
  });

  test("is printed as one JSON object with --json", async () => {
    const r = await three();
    const ran = await r.run(["courses", "rm", "--yes", "--json", id(1)]);
    const [file = ""] = await backupFiles(r);
    expect(jsonMessages(ran).some((message) => JSON.stringify(message).includes(file))).toBe(true);
  });

  test("restores the courses under their ids with create", async () => {
    const r = await three();
    const before = await storedCourses(r);
    await r.run(["courses", "rm", "--yes", id(1), id(2), id(3)]);
    expect(await left(r)).toEqual([]);
    const [file = ""] = await backupFiles(r);
    const ran = await r.run(["courses", "create", file]);
    expect([ran.code, lines(ran.stdout)]).toEqual([0, [id(1), id(2), id(3)]]);
    const withoutSlugs = (list: Record<string, unknown>[]) =>
      list.map(({ slug: _, ...rest }) => rest);
    expect(withoutSlugs(await storedCourses(r))).toEqual(withoutSlugs(before));
  });

  test("that cannot be written prevents the deletion", async () => {
    const r = await three();
    await mkdir(join(r.folder, ".local"), { recursive: true });
    await writeFile(join(r.folder, ".local/state"), "in the way");
    const ran = await r.run(["courses", "rm", "--yes", id(1)]);
    expect([ran.code, requestsOf(ran, "DELETE")]).toEqual([1, []]);
    expect(ran.stderr).toMatch(/^error: cannot write/);
  });
});
