/** `courses init` writes a template for a course file. */
import { expect, test } from "vitest";
import { rig } from "../rig.ts";

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
  expect((await r.run("courses init intro.yml")).code).toBe(0);
  let text = await r.read("intro.yml");
  expect(text).toContain("\n# Allowed values: beginner, intermediate and advanced.\n");
  for (const [from, to] of Object.entries(WRITTEN)) text = text.replace(from, to);
  await r.write("intro.yml", text);
  const ran = await r.run("courses check --strict --online intro.yml");
  expect([ran.code, ran.stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
});

test("check --online reports every placeholder of the template, each once", async () => {
  const r = await rig();
  await r.write("a.yaml", (await r.run("courses init")).stdout);
  const { stdout } = await r.run("courses check a.yaml --online");
  const fields = ["name", "url", "short_description", "long_description", "audio[0]", "provider"];
  expect(Array.from(stdout.matchAll(/error: (\S+)/g), ([, field]) => field)).toEqual(fields);
});
