/** `courses init` writes a template for a course file. */
import { mkdir, readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rig } from "../rig.ts";

const INIT = ["courses", "init"];
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

test("init writes a template that passes check --strict --online once edited", async () => {
  const r = await rig();
  for (const file of ["intro.yaml", "second.yml"]) {
    expect((await r.run([...INIT, file])).code).toBe(0);
    expect(await r.read(file)).toContain(
      "\n# Allowed values: beginner, intermediate and advanced.\n",
    );
    const text = await r.read(file);
    const edits = Object.entries(WRITTEN);
    await r.write(
      file,
      edits.reduce((edited, [from, to]) => edited.replace(from, to), text),
    );
    const ran = await r.run(["courses", "check", "--strict", "--online", file]);
    expect([ran.code, ran.stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
  }
});

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
    const ran = await r.run([...INIT, file], NO_KEY);
    expect([ran.code, ran.stdout]).toEqual([code, ""]);
    expect(ran.stderr).toContain(problem);
  }
  expect(await r.read("a.yaml")).toBe("mine");
  expect((await readdir(r.folder)).sort()).toEqual(["a.yaml", "b.yaml", "c.yaml"]);
});

test("check --online reports every placeholder of the template, each once", async () => {
  const r = await rig();
  await r.write("a.yaml", (await r.run(INIT, NO_KEY)).stdout);
  const ran = await r.run("courses check a.yaml --online");
  const lines = ran.stdout.split("\n").filter((line) => line.includes("error: "));
  expect(lines.map((line) => /error: (\S+)/.exec(line)?.[1])).toEqual([
    "name",
    "url",
    "short_description",
    "long_description",
    "audio[0]",
    "provider",
  ]);
});
