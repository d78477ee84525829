/** `courses init` writes a template for a course file. */
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rig } from "../rig.ts";

const NO_KEY = { environment: { CATALOG_API_KEY: undefined } };

/** What an author writes in the template, by its placeholders. */
const WRITTEN: Readonly<Record<string, string>> = {
  "Replace this with the name of the course": "Weaving",
  "replace-this-path": "weaving",
  "Replace this with a short description.": "Short.",
  "Replace this with the text of the course card.": "Long.",
  "Replace this with a language code": "en",
  "Replace this with the slug of your provider": "example-academy",
};

test.each(["intro.yaml", "second.yml"])(
  "init writes a template that passes check --strict --online once edited: %s",
  async (file) => {
    const r = await rig();
    expect((await r.run(["courses", "init", file])).code).toBe(0);
    let text = await r.read(file);
    expect(text).toContain("\n# Allowed values: beginner, intermediate and advanced.\n");
    for (const [from, to] of Object.entries(WRITTEN)) text = text.replace(from, to);
    await r.write(file, text);
    const ran = await r.run(["courses", "check", "--strict", "--online", file]);
    expect([ran.code, ran.stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
  },
);

test("init never overwrites an existing file, folder or link", async () => {
  const r = await rig();
  await r.write("a.yaml", "mine");
  await mkdir(join(r.folder, "b.yaml"));
  await symlink("nowhere", join(r.folder, "c.yaml"));
  for (const [file, code, problem] of [
    ["a.yaml", 2, "a.yaml already exists"],
    ["b.yaml", 1, "cannot write b.yaml: it is a folder"],
    ["c.yaml", 1, "cannot write c.yaml: it is a symbolic link"],
  ] as const) {
    const ran = await r.run(["courses", "init", file], NO_KEY);
    expect([ran.code, ran.stdout]).toEqual([code, ""]);
    expect(ran.stderr).toContain(problem);
  }
  expect(await r.read("a.yaml")).toBe("mine");
  expect((await readdir(r.folder)).sort()).toEqual(["a.yaml", "b.yaml", "c.yaml"]);
});

test("check --online reports every placeholder of the template, each once", async () => {
  const r = await rig();
  await r.write("a.yaml", (await r.run("courses init", NO_KEY)).stdout);
  const { stdout } = await r.run("courses check a.yaml --online");
  const fields = ["name", "url", "short_description", "long_description", "audio[0]", "provider"];
  expect(Array.from(stdout.matchAll(/error: (\S+)/g), ([, field]) => field)).toEqual(fields);
});
