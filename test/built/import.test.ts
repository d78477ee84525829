/** A mapping that is stopped by its time limit; in process, it would disturb the tests that follow. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, runCatalog } from "./rig.ts";

test("built program: a mapping that loops in a regular expression ends after a second, and nothing is written", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "export.csv"), "id,title\n7,Knitting\n");
  const mapping = `{"name": $match("${"a".repeat(38)}!", /^(a+)+$/)}`;
  await writeFile(join(folder, "map.jsonata"), mapping);
  const words = ["courses", "import", "export.csv", "--map", "map.jsonata", "--out", "c"];
  const ended = await runCatalog(words, { folder });
  expect([ended.code, ended.stdout]).toEqual([3, ""]);
  expect(ended.stderr.replace(/\s+/g, " ")).toContain(
    "export.csv:2:1: error: row 1: the mapping fails at map.jsonata:1:68: a row takes longer than 1 second",
  );
  expect(await readdir(join(folder, "c")).catch(() => [])).toEqual([]);
});
