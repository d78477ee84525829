/** `catalog undo`: what it restores, what it leaves alone, and which undo records it refuses. */
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  expectRefused,
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  ownLines,
  PRICES,
  recordFiles,
  rigWith,
  runOf,
  snapshot,
  storedCourses,
} from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

const NEW = "abcdef00-0000-4000-9000-00000000000a";

/** A catalog of three courses after a push that creates one, changes one and deletes one. */
async function afterPush() {
  const r = await rigWith(
    numberedCourse(1, { prices: PRICES, level: ["beginner"] }),
    numberedCourse(2),
    numberedCourse(3, { certificate: { type: "free" } }),
  );
  const before = await snapshot(r);
  const changed = numberedCourse(1, { name: "New", prices: [PRICES[1]], level: null });
  const files = [changed, numberedCourse(2), numberedCourse(4, { id: NEW })];
  await r.write("a.json", files);
  const pushed = await r.run("courses push a.json --prune --yes");
  expect(pushed.code).toBe(0);
  return { r, before, after: await snapshot(r) };
}

test("undo of a deletion sends only the documented keys of nested values, in their types", async () => {
  const [price] = PRICES;
  const r = await rigWith(numberedCourse(1, { prices: [price] }));
  await r.run(`courses rm --yes ${id(1)}`);
  const [file = ""] = await recordFiles(r);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace('"price":"10"', '"fee":"1","price":10'));
  expect(await r.run("undo --yes")).toMatchObject({ code: 0 });
  expect(await storedCourses(r)).toMatchObject([{ id: id(1), prices: [price] }]);
  expect(JSON.stringify(await storedCourses(r))).not.toContain("fee");
});

test("undo --dry-run shows the plan with present and restored values and sends nothing", async () => {
  const { r, after } = await afterPush();
  const ran = await r.run("undo --dry-run");
  expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  const shown = ownLines(ran.stderr);
  expect(shown.filter((line) => /^\S/.test(line))).toEqual([
    expect.stringMatching(/^Undoing run \S+: courses push, 2026-01-31 12:00$/),
    "Look at these first:",
    "! Course 4: deleted",
    "+ Course 3",
    `~ Course 1 (a.json, ${id(1)})`,
    `- Course 4 (a.json, ${NEW})`,
    "1 course to create, 1 to update and 1 to delete.",
  ]);
  expect(shown).toContain('    name: "New" → "Course 1"');
  expect(shown).toContain('    level: none → ["beginner"]');
  const { stderr } = await r.run("undo --dry-run --json");
  expect(JSON.parse(lines(stderr).at(-1) ?? "").counts).toMatchObject({ created: 1, deleted: 1 });
  expect(await snapshot(r)).toEqual(after);
});

test("undo needs --yes without a terminal, and asks on a terminal", async () => {
  const { r, before, after } = await afterPush();
  const bare = await r.run("undo");
  expect([bare.code, bare.stdout, writeRequests(bare)]).toEqual([2, "", []]);
  expect(bare.stderr).toContain("pass --yes");
  const refused = await r.run("undo", { terminal: true, input: "n\n" });
  expect([refused.code, writeRequests(refused)]).toEqual([2, []]);
  expect(refused.stderr).toContain("Undo this run?");
  expect(await snapshot(r)).toEqual(after);
  expect((await r.run("undo", { terminal: true, input: "y\n" })).code).toBe(0);
  expect(await snapshot(r)).toEqual(before);
});

test("undo without a run reverses the newest run, and repeating it changes nothing and names the run before", async () => {
  const r = await rigWith(numberedCourse(1));
  const names = async () => (await storedCourses(r)).map(({ name }) => name);
  const nothing = await r.run("undo --yes");
  expect([nothing.code, nothing.stderr]).toEqual([0, "Nothing to undo.\n"]);
  for (const name of ["A", "B"]) await r.run(["courses", "update", id(1), "--name", name]);
  const [first = "", second = ""] = (await recordFiles(r)).map(runOf);
  expect((await r.run("undo --yes")).code).toBe(0);
  expect(await names()).toEqual(["A"]);
  const again = await r.run("undo --yes");
  expect([again.code, writeRequests(again), again.stderr]).toEqual([
    0,
    [],
    `Nothing to undo. Run ${second} was already undone. To undo an earlier run: catalog undo ${first}\n`,
  ]);
  expect((await r.run(["undo", "--yes", first])).code).toBe(0);
  expect(await names()).toEqual(["Course 1"]);
});

test("undo reports both values of a course that was changed since, exits with 1 and leaves the course alone", async () => {
  const { r } = await afterPush();
  await r.run(`courses update ${id(1)} --name Newer --no-record`);
  const ran = await r.run("undo --yes --json");
  expect(ran.code).toBe(1);
  expect(jsonErrors(ran).map(({ kind, message }) => [kind, message])).toEqual([
    ["stale", expect.stringContaining('name was "New" in the run and is now "Newer"')],
  ]);
  expect(jsonMessages(ran).map(({ notice }) => notice)).toContain(
    "Created 1 course and deleted 1. 1 was not sent.",
  );
  const ends = jsonRows(ran).map(({ action, status }) => `${action} ${status}`);
  expect(ends.sort()).toEqual(["create done", "delete done", "update skipped"]);
  expect((await storedCourses(r)).map(({ name }) => name)).toContain("Newer");
});

test("undo of a creation compares only the fields that were sent, and shows first what was set since", async () => {
  const r = await rigWith();
  await r.write("a.json", numberedCourse(1));
  await r.run("courses create a.json");
  const [file = ""] = await recordFiles(r);
  await r.run(["courses", "update", id(1), "--set", 'level=["advanced"]']);
  const shown = await r.run(["undo", runOf(file), "--dry-run"]);
  expect(lines(shown.stderr).slice(1, 4)).toEqual([
    "Look at these first:",
    expect.stringContaining("level"),
    expect.stringMatching(/^- Course 1/),
  ]);
  const ran = await r.run(["undo", runOf(file), "--yes", "--json"]);
  expect([ran.code, await storedCourses(r)]).toEqual([0, []]);
  expect(jsonRows(ran)).toMatchObject([{ action: "delete", risks: ["since", "delete"] }]);
  await r.run("courses create a.json");
  await r.run(`courses update ${id(1)} --name Newer --no-record`);
  expect((await r.run("undo --yes")).code).toBe(1);
});

test("undo --force overwrites a course that was changed since", async () => {
  const { r, before } = await afterPush();
  await r.run(`courses update ${id(1)} --name Newer --no-record`);
  expect((await r.run("undo --yes --force")).code).toBe(0);
  expect(await snapshot(r)).toEqual(before);
});

test("undo reports a conflict if another course has the url of a deleted course, unless --force is given", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run(`courses rm --yes ${id(1)}`);
  await r.write("a.json", numberedCourse(1, { id: NEW }));
  await r.run("courses create a.json --no-record");
  const ran = await r.run("undo --yes --json");
  expect([ran.code, writeRequests(ran)]).toEqual([1, []]);
  expect(jsonErrors(ran)).toMatchObject([
    {
      kind: "stale",
      message: expect.stringMatching(`the course ${NEW} has the url .*/1$`),
    },
  ]);
  expect(jsonRows(ran)).toMatchObject([{ id: id(1), action: "create", status: "skipped" }]);
  expect(await r.run("undo --yes --force")).toMatchObject({ code: 0 });
  expect(await storedCourses(r)).toHaveLength(2);
});

test.each([
  ["the result of a change", 2, "1 course to update."],
  ["a change that was not sent", 1, "Already up to date."],
])("undo ignores the incomplete last line of an undo record: %s", async (_, complete, plan) => {
  const r = await rigWith(numberedCourse(1));
  await r.run(`courses unpublish ${id(1)} --record run.ndjson`);
  const path = `${r.folder}/run.ndjson`;
  const written = (await readFile(path, "utf8")).split("\n");
  const cut = [...written.slice(0, complete), written[complete]?.slice(0, -3)].join("\n");
  await writeFile(path, cut);
  const ran = await r.run("undo run.ndjson --yes");
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(plan)]);
  expect(ran.stderr).not.toMatch(/line|damaged/);
});

test("undo refuses a run for another base URL, and by default finds only runs for its own base URL", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run(`courses unpublish ${id(1)}`);
  const [file = ""] = await recordFiles(r);
  const environment = { CATALOG_BASE_URL: "http://127.0.0.1:1" };
  const named = await r.run(["undo", runOf(file), "--yes"], { environment });
  expectRefused(named, 2);
  expect(named.stderr).toContain(r.sandbox.baseUrl);
  expect(named.stderr).toContain("http://127.0.0.1:1");
  const latest = await r.run("undo --yes", { environment });
  expect(latest).toMatchObject({ code: 0, requests: [], stderr: "Nothing to undo.\n" });
  // A run that cannot be undone is named before --yes is.
  const unknown = await r.run("undo unknown");
  expectRefused(unknown, 2);
  expect(unknown.stderr).toContain("no such run or file: unknown");
});
