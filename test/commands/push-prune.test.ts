/** What `push --prune` deletes, and how it is restored. */
import { expect, test } from "vitest";
import { expectRefused, id, numberedCourse, recordFiles, rigWith } from "./helpers.ts";
import {
  courseWithoutId,
  json,
  push,
  rigForPrune,
  storedIds,
  writeRequests,
} from "./push-files.ts";

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

test.each([
  ["a folder without course files", "empty/notes.txt", ""],
  ["an empty file", "empty/a.yaml", ""],
  ["a file with only comments", "empty/a.yaml", "# later\n---\n"],
  ["an empty list", "empty/a.json", "[]"],
  ["a file with an error", "empty/a.json", json(numberedCourse(4, { pace: "fast" }))],
  ["a file with a syntax error", "empty/a.json", "{"],
])("push --prune --yes deletes nothing for %s", async (_, name, text) => {
  const r = await rigForPrune();
  await r.write(name, text);
  for (const words of [["courses", "empty"], ["empty"]]) {
    expectRefused(await push(r, [...words, "--prune", "--yes"]), 3);
  }
  expect(await storedIds(r)).toEqual([id(1), id(2), id(3)]);
});

test.each([
  ["without a terminal", {}],
  ["on the terminal of a CI service", { terminal: true, environment: { CI: "1", NO_COLOR: "1" } }],
  ["with an answer on standard input", { input: "y\n" }],
])("push --prune without --yes exits with 2 and changes nothing %s", async (_, options) => {
  const r = await rigForPrune();
  await r.write("courses/b.json", courseWithoutId(7));
  const ran = await push(r, ["courses", "--prune"], options);
  expect([ran.code, ran.stdout, writeRequests(ran), await recordFiles(r)]).toEqual([2, "", [], []]);
  expect(ran.stderr).toContain("--yes");
  expect(await storedIds(r)).toEqual([id(1), id(2), id(3)]);
});
