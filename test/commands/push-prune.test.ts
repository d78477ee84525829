/** What `push --prune` deletes, and how it is restored. */
import { expect, test } from "vitest";
import { expectRefused, id, numberedCourse, recordFiles, rigWith } from "./helpers.ts";
import {
  courseWithoutId,
  deleteRequest,
  json,
  push,
  READS,
  readRequest,
  rigForPrune,
  rigWithTwoProviders,
  SCHOOL,
  storedIds,
  writeRequests,
} from "./push-files.ts";

test("push --prune deletes courses that are in no file, and push without --prune deletes nothing", async () => {
  const r = await rigForPrune();
  expect(writeRequests(await push(r, ["courses", "--yes"]))).toEqual([]);
  const ran = await push(r, ["courses", "--prune", "--yes", "--concurrency", "1"]);
  expect([ran.code, ran.stdout]).toEqual([0, ""]);
  const reads = [2, 3].map(readRequest);
  expect(ran.requests).toEqual([...READS, ...reads, deleteRequest(2), deleteRequest(3)]);
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
  await r.write("courses/b.json", [courseWithoutId(7), courseWithoutId(8), courseWithoutId(9)]);
  const ran = await push(r, ["courses", "--prune", "--yes"]);
  expect(writeRequests(ran).map((line) => line.split(" ")[0])).toEqual([
    "POST",
    "POST",
    "POST",
    "DELETE",
    "DELETE",
  ]);
});

test("push --prune never deletes a course of a provider that is in no file", async () => {
  const theirs = numberedCourse(9, { provider_id: SCHOOL.id, url: "https://school.example/9" });
  const r = await rigWithTwoProviders(numberedCourse(1), numberedCourse(2), theirs);
  await r.write("a.json", numberedCourse(1));
  const ran = await push(r, ["a.json", "--prune", "--yes"]);
  expect(ran.requests).toEqual([...READS, readRequest(2), deleteRequest(2)]);
  expect(ran.stderr).toContain(
    "Skipped 1 course of Example School, because no file names this provider. To include them, pass --provider example-school.",
  );
  expect(await storedIds(r)).toEqual([id(1), id(9)]);
  await r.write("b.json", { ...theirs, id: id(8), name: "New", url: "https://school.example/8" });
  const both = await push(r, ["a.json", "b.json", "--prune", "--yes"]);
  expect(writeRequests(both)).toEqual(["POST /developer/v1/courses", deleteRequest(9)]);
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
