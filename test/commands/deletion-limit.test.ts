/** The limit of deletions, for course files and for plans. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_PROVIDER } from "../../src/sandbox/seed.ts";
import { id, lines, numberedCourse, recordFiles, rigWith } from "./helpers.ts";
import { rigWithTwoProviders, SCHOOL, storedIds, writeRequests } from "./push-files.ts";
import { writeUserConfig } from "./saved-key.ts";

/** Eight courses, of which seven are in no file, and a plan that deletes these. */
async function rigWithPlan() {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
  const r = await rigWith(...numbers.map((number) => numberedCourse(number)));
  await r.write("a.json", numberedCourse(1));
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

test.each(["diff", "push"])("%s accepts a limit without --prune", async (command) => {
  const r = await rigWithPlan();
  const ran = await r.run(["courses", command, "a.json", "--max-deletes", "5"]);
  expect([ran.code, await storedIds(r)]).toEqual([0, expect.objectContaining({ length: 8 })]);
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

test("a percentage is of the courses of the providers that lose courses, also for a plan whose header names others", async () => {
  const schoolCourse = (number: number, changes = {}) =>
    numberedCourse(number, {
      provider_id: SCHOOL.id,
      url: `https://school.example/${number}`,
      ...changes,
    });
  const own = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => numberedCourse(number));
  const r = await rigWithTwoProviders(...own, ...[11, 12, 13, 14].map((n) => schoolCourse(n)));
  const others = [11, 12, 13, 14].map((n) => schoolCourse(n, { name: "New" }));
  await r.write("c/a.json", [...own.slice(0, 3), ...others]);
  const diff = ["courses", "diff", "c", "--prune"];
  const made = await r.run([...diff, "--max-deletes", "5", "--out", "plan.ndjson"]);
  expect(made.code).toBe(0);
  const [header = "", ...steps] = lines(await r.read("plan.ndjson"));
  const scope = { courses: 900, providers: ["x"], providerIds: [DEFAULT_PROVIDER.id, SCHOOL.id] };
  const forged = JSON.stringify({ ...JSON.parse(header), scope, compared: 900 });
  await r.write("forged.ndjson", [forged, ...steps].map((line) => `${line}\n`).join(""));
  for (const line of [diff, ["courses", "push", "--plan", "forged.ndjson", "--yes"]]) {
    const ran = await r.run([...line, "--max-deletes", "50%"]);
    expect([line, ran.code, writeRequests(ran)]).toEqual([line, 2, []]);
    expect(ran.stderr).toContain("5 of the 8 courses of Example Academy; the limit is 4");
  }
});

test("a plan that took effect is not above the limit when it is applied again", async () => {
  const r = await rigWithPlan();
  const line = [...EXECUTE, "--max-deletes", "90%"];
  expect((await r.run(line)).code).toBe(0);
  expect(await r.run(line)).toMatchObject({
    code: 0,
    stderr: "Already up to date: 7 courses.\n",
  });
});

test("CATALOG_MAX_DELETES and maxDeletes of the user config set the limit of push --prune, plans and pull --prune", async () => {
  const r = await rigWithPlan();
  const lines = [
    ["push", "a.json", "--prune", "--yes", "--dry-run"],
    ["diff", "a.json", "--prune"],
    ["push", "--plan", "p.json", "--yes", "--dry-run"],
  ];
  for (const words of lines) {
    const line = ["courses", ...words];
    const refused = await r.run(line, { environment: { CATALOG_MAX_DELETES: "50%" } });
    expect([line, refused.code]).toEqual([line, 2]);
    expect(refused.stderr).toContain("the limit is 4");
    const environment = { CATALOG_MAX_DELETES: "7" };
    expect([line, (await r.run(line, { environment })).code]).toEqual([line, 0]);
    const flag = await r.run([...line, "--max-deletes", "6"], { environment });
    expect([line, flag.code]).toEqual([line, 2]);
  }
  await writeUserConfig(r, { maxDeletes: "90%" });
  for (const words of lines) expect((await r.run(["courses", ...words])).code).toBe(0);
  const pulled = await r.run("courses pull out");
  expect(pulled.code).toBe(0);
  await r.run(["courses", "rm", ...[2, 3].map((number) => id(number)), "--yes"]);
  const pull = ["courses", "pull", "out", "--prune", "--yes"];
  const stopped = await r.run(pull, { environment: { CATALOG_MAX_DELETES: "1" } });
  expect([stopped.code, stopped.stderr]).toEqual([2, expect.stringContaining("the limit is 1")]);
  expect((await r.run(pull)).code).toBe(0);
});

test("status shows the limit of deletions with its source", async () => {
  const r = await rigWithPlan();
  const shown = async (environment = {}): Promise<readonly unknown[]> => {
    const ran = await r.run("status --json", { environment });
    const rows = JSON.parse(ran.stdout).settings as Readonly<Record<string, unknown>>[];
    const row = rows.find(({ name }) => name === "maxDeletes");
    return [row?.value, row?.source];
  };
  expect(await shown()).toEqual(["5 or 10%", "default"]);
  expect(await shown({ CATALOG_MAX_DELETES: " 20% " })).toEqual(["20%", "environment"]);
  await writeUserConfig(r, { maxDeletes: 3 });
  expect(await shown()).toEqual(["3", "user config"]);
  await r.write(".catalogrc", "maxDeletes: 100%");
  expect(await shown()).toEqual(["100%, at most 3", "project config"]);
  expect(await shown({ CATALOG_MAX_DELETES: "20" })).toEqual(["20", "environment"]);
});
