/** The limit of deletions, for course files and for plans. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeScope } from "../../src/cli/confirm.ts";
import { expectRefused, id, numberedCourse, recordFiles, rigWith } from "./helpers.ts";
import { json, storedIds, writeRequests } from "./push-files.ts";

describe("limit of deletions", () => {
  /** Eight courses, of which seven are in no file, and a plan that deletes these. */
  async function rigWithPlan() {
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const r = await rigWith(...numbers.map((number) => numberedCourse(number)));
    await r.write("a.json", json(numberedCourse(1)));
    const words = ["courses", "diff", "a.json", "--prune", "--max-deletes", "7", "--out", "p.json"];
    expect((await r.run(words)).code).toBe(0);
    return r;
  }
  const EXECUTE = ["courses", "push", "--plan", "p.json", "--yes"];

  test.each([
    ["diff", ["diff", "a.json", "--prune", "--out", "new.json"]],
    ["push --dry-run", ["push", "a.json", "--prune", "--dry-run", "--out", "new.json"]],
  ])("%s exits with 2 and writes no plan above the limit of deletions", async (_, words) => {
    const r = await rigWithPlan();
    const ran = await r.run(["courses", ...words]);
    expect([ran.code, existsSync(join(r.folder, "new.json"))]).toEqual([2, false]);
    expect(ran.stderr).toContain(
      "error: this would delete 7 of the 8 courses of Example Academy; the limit is 5\n",
    );
    expect(ran.stderr).toContain("pass --max-deletes 7");
  });

  test("push --plan deletes as many courses as --max-deletes allows", async () => {
    const r = await rigWithPlan();
    expect((await r.run([...EXECUTE, "--max-deletes", "7"])).code).toBe(0);
    expect(await storedIds(r)).toEqual([id(1)]);
  });

  test.each([
    ["the default limit", [], "the limit is 5"],
    ["--max-deletes", ["--max-deletes", "6"], "the limit is 6"],
    ["a percentage", ["--max-deletes", "50%"], "the limit is 4"],
  ])("push --plan sends nothing above %s", async (_, words, text) => {
    const r = await rigWithPlan();
    const ran = await r.run([...EXECUTE, ...words]);
    expect([ran.code, writeRequests(ran), await recordFiles(r)]).toEqual([2, [], []]);
    expect(ran.stderr).toContain(text);
    const dry = await r.run([...EXECUTE, ...words, "--dry-run"]);
    expect([dry.code, dry.stderr]).toEqual([2, expect.stringContaining(text)]);
    expect(await storedIds(r)).toHaveLength(8);
  });

  test.each([
    ["diff --plan p.json --max-deletes 3", "--plan"],
    ["diff --plan p.json --complete", "--plan"],
    ["diff --plan p.json --prune", "--plan"],
    ["diff --plan p.json --out q.json", "--plan"],
    ["diff --plan p.json a.json", "--plan"],
    ["push --plan p.json --prune", "--plan"],
    ["push --plan p.json --complete", "--plan"],
    ["push --plan p.json --write-ids", "--plan"],
    ["push --plan p.json --dry-run --out q.json", "--plan"],
  ])("a flag without the flags that it needs is a usage error: %s", async (line, name) => {
    const r = await rigWithPlan();
    const ran = await r.run(["courses", ...line.split(" ")]);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain(name);
  });
});

test.each([
  [["Example Academy"], "the 300 courses of Example Academy"],
  [["A", "B", "C", "D", "E"], "the 300 courses of A, B, C, D and E"],
  [["A", "B", "C", "D", "E", "F"], "the 300 courses of 6 providers"],
])("a question about deletions names at most five providers: %j", (providers, text) => {
  expect(describeScope({ courses: 300, providers })).toBe(text);
});
