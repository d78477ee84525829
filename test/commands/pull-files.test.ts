/** What `courses pull` does with existing files, folders and links, and with unusual slugs. */
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";
import { listedCourse, pullListed, readFolder, rigListing } from "./pull-rig.ts";

/** Changes a name in a file of the folder. */
async function rename(r: Rig, file: string, from: string, to: string): Promise<void> {
  const path = join(r.folder, "out", file);
  await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
}

describe("existing files", () => {
  const three = async (): Promise<{ r: Rig; names: string[] }> => {
    const r = await rigWith(numberedCourse(1), numberedCourse(2), numberedCourse(3));
    await r.run(["courses", "pull", "out"]);
    return { r, names: Object.keys(await readFolder(r)) };
  };

  test("pull keeps and lists files that differ, and writes the other files", async () => {
    const { r, names } = await three();
    const [first = "", second = "", third = ""] = names;
    await rename(r, first, "Course 1", "mine");
    await r.run(["courses", "update", id(2), "--name", "Course 2, again"]);
    await r.run(["courses", "rm", "--yes", id(3)]);
    await r.run([
      "courses",
      "create",
      await r.write("four.yaml", JSON.stringify(numberedCourse(4))),
    ]);
    const ran = await r.run(["courses", "pull", "out"]);
    expect(ran.code).toBe(1);
    expect(lines(ran.stderr)).toEqual([
      `error: out/${first} differs from the course in the catalog: name`,
      `error: out/${second} differs from the course in the catalog: name`,
      "Wrote 1 file. 2 courses were left alone. To update files that differ, pass --force.",
    ]);
    const files = await readFolder(r);
    expect(files[first]).toMatch(/^name: mine$/m);
    expect(files[second]).toMatch(/^name: Course 2$/m);
    expect(files[third]).toMatch(/^name: Course 3$/m);
    expect(Object.keys(files)).toHaveLength(4);
  });

  test("pull --force edits files that differ and keeps their mode", async () => {
    const { r, names } = await three();
    const [first = ""] = names;
    const before = await readFolder(r);
    const path = join(r.folder, "out", first);
    await rename(r, first, "Course 1", "mine");
    await chmod(path, 0o640);
    const ran = await r.run(["courses", "pull", "out", "--force"]);
    expect(ran).toMatchObject({
      code: 0,
      stdout: "",
      stderr: "Wrote 1 file. 2 courses were up to date.\n",
    });
    expect(await readFolder(r)).toEqual(before);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  test("pull changes no file with an unrelated name", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("notes.txt", "mine");
    await r.write("package.json", "{}");
    const ran = await r.run(["courses", "pull"]);
    expect(ran).toMatchObject({ code: 0, stderr: "Wrote 1 file.\n" });
    const files = await readFolder(r, ".");
    expect(Object.keys(files)).toHaveLength(3);
    expect(files["notes.txt"]).toBe("mine");
  });
});

describe("--dry-run", () => {
  test("pull --dry-run counts the files that pull would keep, overwrite and leave unchanged", async () => {
    const { r, pull } = await rigListing(
      listedCourse(1, "a"),
      listedCourse(2, "b"),
      listedCourse(3, "c"),
    );
    await pull();
    await rename(r, "b.yaml", "Course 2", "mine");
    const kept = await pull("--dry-run");
    expect(kept.code).toBe(1);
    expect(lines(kept.stderr).at(-1)).toMatch(
      /^Nothing would be written\. 2 courses are up to date\. 1 is left alone\./,
    );
    const forced = await pull("--dry-run", "--force");
    expect(forced).toMatchObject({
      code: 0,
      stderr: "Would write 1 file. 2 courses are up to date.\n",
    });
    expect((await readFolder(r))["b.yaml"]).toMatch(/^name: mine$/m);
  });
});

describe("hostile slugs", () => {
  test("pull writes files only inside the folder for any slug", async () => {
    const slugs = [
      "../../escaped",
      "/tmp/escaped",
      "..\\escaped",
      "..",
      "",
      null,
      ".catalogrc",
      ".git/config",
      "con",
      "a\u0000b",
      "\u001b[31mred",
      "same",
      "SAME",
      "x".repeat(5000),
    ];
    const { r, pull } = await rigListing(
      ...slugs.map((slug, index) => listedCourse(index + 1, slug)),
    );
    const ran = await pull();
    expect(ran).toMatchObject({ code: 0, stderr: "Wrote 14 files.\n" });
    expect(await readdir(r.folder)).toEqual(["out"]);
    const files = await readFolder(r);
    expect(Object.keys(files)).toHaveLength(14);
    for (const name of Object.keys(files)) expect(name).toMatch(/^[^-.~\s].{0,194}\.yaml$/u);
    expect((await r.run(["courses", "check", "out"])).stdout).toContain("14 files, 14 courses");
  });

  test("pull chooses the same names in any order of the courses", async () => {
    const courses = ["a", "A", null, "b", "b"].map((slug, index) => listedCourse(index + 1, slug));
    const { r, pull } = await rigListing(...courses);
    await pull();
    const before = await readFolder(r);
    const ran = await pullListed(r, courses.reverse(), "out");
    expect(ran).toMatchObject({ code: 0, stderr: "Already up to date: 5 courses.\n" });
    expect(await readFolder(r)).toEqual(before);
  });
});

describe("links and folders", () => {
  test("pull reports a folder instead of a file and writes the other files", async () => {
    const { r, pull } = await rigListing(listedCourse(1, "a"), listedCourse(2, "b"));
    await mkdir(join(r.folder, "out/a.yaml"), { recursive: true });
    const ran = await pull("--force");
    expect(ran.code).toBe(1);
    expect(lines(ran.stderr)).toEqual([
      "error: cannot write out/a.yaml: it is a folder",
      "Wrote 1 file. 1 course failed.",
    ]);
    expect((await readFolder(r))["b.yaml"]).toMatch(/^name: Course 2$/m);
  });

  test.each([
    ["out of the folder", "../outside.yaml"],
    ["nowhere", "gone.yaml"],
    ["to another file", "b.yaml"],
    ["to itself", "a.yaml"],
    ["to the folder", "."],
  ])("pull does not write through a link %s, even with --force", async (_, target) => {
    const { r, pull } = await rigListing(listedCourse(1, "a"), listedCourse(2, "b"));
    await r.write("outside.yaml", "name: outside\n");
    await mkdir(join(r.folder, "out"));
    await symlink(target, join(r.folder, "out/a.yaml"));
    for (const words of [[], ["--force"]]) {
      const ran = await pull(...words);
      expect(ran.code).toBe(1);
      expect(ran.stderr).toMatch(
        /error: cannot write out\/a\.yaml: it is a (symbolic link|folder)/,
      );
      expect(await readlink(join(r.folder, "out/a.yaml"))).toBe(target);
    }
    const files = await readFolder(r);
    expect(Object.keys(files)).toEqual(["a.yaml", "b.yaml"]);
    expect(files["b.yaml"]).toMatch(/^name: Course 2$/m);
    expect(await readFile(join(r.folder, "outside.yaml"), "utf8")).toBe("name: outside\n");
  });

  test("pull does not compare a link out of the folder", async () => {
    const { r, pull } = await rigListing(listedCourse(1, "a"));
    await pull();
    const text = (await readFolder(r))["a.yaml"] ?? "";
    await mkdir(join(r.folder, "other"));
    await symlink("../outside.yaml", join(r.folder, "other/a.yaml"));
    await r.write("outside.yaml", text);
    expect(await pullListed(r, [listedCourse(1, "a")], "other")).toMatchObject({ code: 1 });
  });

  test("pull accepts a link inside the folder to the same content", async () => {
    const { r, pull } = await rigListing(listedCourse(1, "a"));
    await pull();
    const text = (await readFolder(r))["a.yaml"] ?? "";
    await r.write("out/archive/a.yaml", text);
    await symlink("archive/a.yaml", join(r.folder, "out/b.yaml"));
    const ran = await pullListed(r, [listedCourse(1, "b")], "out");
    // The two files, not the link to one of them.
    expect(ran).toMatchObject({ code: 0, stderr: "Already up to date: 2 courses.\n" });
  });

  test("pull accepts a link to a folder as its folder", async () => {
    const r = await rigWith(numberedCourse(1));
    await mkdir(join(r.folder, "real"));
    await symlink("real", join(r.folder, "out"));
    expect(await r.run(["courses", "pull", "out"])).toMatchObject({ code: 0 });
    expect(Object.keys(await readFolder(r, "real"))).toHaveLength(1);
  });
});
