import { expect, test } from "vitest";
import { DEFAULT_KEY, DEFAULT_PROVIDER, parseSeeds } from "../../src/sandbox/seed.ts";
import { type Rig, rig, testClock } from "../rig.ts";
import {
  changeElsewhere,
  expectRefused,
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  rigWith,
  storedCourses,
} from "./helpers.ts";
import { courseWithoutId, json, push, rigForPrune, SCHOOL, writeRequests } from "./push-files.ts";

const IMAGE = "https://i.example/1";

/** A rig with a plan that creates a course, updates course 1 and deletes courses 2 and 3. */
async function rigWithPlan(): Promise<Rig> {
  const r = await rigForPrune();
  const changed = numberedCourse(1, { name: "New", image_url: IMAGE });
  await r.write("courses/a.json", `${json(changed)}\n`);
  await r.write("courses/b.json", `\n${json(courseWithoutId(7))}`);
  const ran = await r.run("courses diff courses --prune --out plan.json");
  expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  return r;
}

const EXECUTE = ["--plan", "plan.json", "--yes"];

test("push --plan applies a plan without the files, and sends nothing the second time", async () => {
  const r = await rigWithPlan();
  await r.write("courses/a.json", "{");
  const ran = await push(r, EXECUTE);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringContaining("Created 1 course, updated 1 and deleted 2."),
  ]);
  expect(await storedCourses(r)).toMatchObject([
    { id: id(1), name: "New", image_url: IMAGE },
    { name: "Course 7" },
  ]);
  const again = await push(r, [...EXECUTE, "--json"]);
  expect([again.code, writeRequests(again)]).toEqual([0, []]);
  expect(jsonRows(again).map(({ action }) => action)).toEqual(Array(4).fill("unchanged"));
});

test("push --plan skips only courses that changed since the plan, as stale, and exits with 1", async () => {
  const r = await rigWithPlan();
  await changeElsewhere(r, id(1), { name: "Theirs" });
  await changeElsewhere(r, id(2), { image_url: IMAGE });
  const ran = await push(r, [...EXECUTE, "--json"]);
  expect(ran.code).toBe(1);
  expect(jsonErrors(ran)).toMatchObject([
    { kind: "stale", file: "courses/a.json", line: 1 },
    { kind: "stale" },
  ]);
  expect(jsonErrors(ran)[0]?.message).toContain(
    'name was "Course 1" in the plan and is now "Theirs"',
  );
  expect(jsonRows(ran).map(({ action, status }) => `${action} ${status}`)).toEqual([
    "update skipped",
    "create done",
    "delete skipped",
    "delete done",
  ]);
  const left = (await storedCourses(r)).map(({ name }) => name);
  expect(left).toEqual(["Theirs", "Course 2", "Course 7"]);
});

test("push --plan neither creates a course whose url exists nor updates a deleted course", async () => {
  const r = await rigWith(numberedCourse(1));
  const courses = [numberedCourse(1, { name: "New" }), courseWithoutId(7)];
  await r.write("a.json", courses);
  await r.run("courses diff a.json --out plan.json");
  await r.run(`courses rm --yes ${id(1)}`);
  await r.write("other.json", numberedCourse(7));
  await r.run("courses create other.json");
  const ran = await push(r, ["--plan", "plan.json", "--json"]);
  expect([ran.code, writeRequests(ran)]).toEqual([1, []]);
  expect(jsonErrors(ran).map(({ kind }) => kind)).toEqual(["stale", "stale"]);
  const shown = await push(r, ["--plan", "plan.json"]);
  expect(lines(shown.stderr).at(-1)).toBe("Nothing was changed. 2 courses were not sent.");
  const dry = await push(r, ["--plan", "plan.json", "--dry-run", "--json"]);
  expect([dry.code, jsonRows(dry).map(({ status }) => status)]).toEqual([
    1,
    ["skipped", "skipped"],
  ]);
  expect(jsonErrors(dry)[0]).toMatchObject({ kind: "stale", file: "a.json", line: 1 });
});

test("diff --plan prints and reports the same as the diff that made the plan, without an API key or a request", async () => {
  const r = await rigForPrune();
  await r.write("a.json", numberedCourse(1, { name: "New", image_url: IMAGE }));
  await r.write("b.json", courseWithoutId(7, { long_description: "One\nTwo" }));
  const words = ["courses", "diff", "a.json", "b.json", "--prune"];
  const made = await r.run([...words, "--out", "plan.json", "--report", "markdown=made.md"]);
  const saved = ["courses", "diff", "--plan", "plan.json"];
  const environment = { CATALOG_API_KEY: undefined, CATALOG_BASE_URL: "https://other.example" };
  const options = { environment };
  const target = `Target: ${r.sandbox.baseUrl} as Example Academy`;
  const shown = await r.run([...saved, "--exit-code", "--report", "markdown=shown.md"], options);
  expect([shown.code, shown.stdout, shown.stderr, shown.requests]).toEqual([
    ...[7, made.stdout, `${target}\n`, []],
  ]);
  const stepsOf = async (name: string) => (await r.read(name)).split("| Action |")[1];
  expect(await stepsOf("shown.md")).toBe(await stepsOf("made.md"));
  for (const flags of [["--json"], ["-o", "id"], ["-o", "csv"]]) {
    const now = await r.run([...words, ...flags]);
    expect((await r.run([...saved, ...flags], options)).stdout).toBe(now.stdout);
  }
  const notices = jsonMessages(await r.run([...saved, "--json"], options));
  expect(notices.at(-1)).toMatchObject({
    counts: { created: 1, updated: 1, deleted: 2 },
    risks: 2,
  });
});

/** The plan with many lists, which are valid JSON, as the name of the first course. */
function nestDeeply(text: string): string {
  const lists = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;
  return text.replace('"body":{"name":"New"', `"body":{"name":${lists}`);
}

const LONG = "V".repeat(200_000);
const DAMAGES: readonly [string, (text: string) => string | Uint8Array, string][] = [
  ["that is cut off", (text) => text.slice(0, -40), "plan.json:5:1: error: this file is damaged"],
  ["that never stops opening lists", () => "[".repeat(3_000_000), "neither a record"],
  ["with a value nested too deeply", nestDeeply, "nested too deeply"],
  ["of another version", (text) => text.replace('"version":3', '"version":2'), "version 2"],
  [
    "of a version, by a catalog, each of 200,000 characters",
    (text) => text.replace('"version":3', `"version":"${LONG}"`).replace("0.0.0", LONG),
    "but this catalog (0.0.0) supports version 3",
  ],
  ["with an unknown field", (text) => text.replace('"body":{"', '"body":{"x'), ":2:1: error"],
  ["with an invalid id", (text) => text.replaceAll(id(2), "2"), "4:1: error: this file is damaged"],
  [
    "that is not UTF-8",
    (text) => Buffer.from(text.replaceAll("New", "N\xe9w"), "latin1"),
    "it is not UTF-8 text",
  ],
  [
    "for no account, which would fit every account",
    (text) => text.replace(/"account":\[[^\]]*\]/, '"account":[]'),
    "plan.json:1:1: error: this file is damaged: account must not be empty",
  ],
  ["with a line twice", (text) => `${text}${text.split("\n")[1]}\n`, `changes ${id(1)} twice`],
];
test.each(DAMAGES)("push --plan sends nothing for a plan %s", async (_, damage, place) => {
  const r = await rigWithPlan();
  const text = await r.read("plan.json");
  await r.write("plan.json", damage(text));
  const ran = await push(r, EXECUTE);
  expect([ran.code, ran.requests]).toEqual([2, []]);
  expect(ran.stderr).toContain(place);
  expect(ran.stderr.length).toBeLessThan(2000);
});

test("push --plan exits with 2 for a plan of another base URL and names both base URLs", async () => {
  const r = await rigWithPlan();
  const other = await rigWith();
  const environment = { CATALOG_BASE_URL: other.sandbox.baseUrl };
  const ran = await push(r, EXECUTE, { environment });
  expect([ran.code, ran.requests]).toEqual([2, []]);
  expect(ran.stderr).toContain(r.sandbox.baseUrl);
  expect(ran.stderr).toContain(other.sandbox.baseUrl);
  const withPaths = await push(r, ["courses", ...EXECUTE]);
  expectRefused(withPaths, 2);
  expect(withPaths.stderr).toContain("--plan cannot be combined with paths");
});

test("push --plan of another account sends nothing and exits with 2, as undo of its run does", async () => {
  const other = { ...DEFAULT_PROVIDER, id: SCHOOL.id };
  const users = [
    { key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER], courses: [numberedCourse(1)] },
    { key: "other.key-of-nobody", providers: [other], courses: [] },
  ];
  const r = await rig({ seed: parseSeeds([{ users }], testClock()) });
  await r.write("a.json", numberedCourse(1, { name: "New" }));
  await r.run("courses diff a.json --out plan.json");
  await push(r, ["a.json", "--record", "run.ndjson"]);
  const environment = { CATALOG_API_KEY: "other.key-of-nobody" };
  for (const words of [
    ["courses", "push", "--plan", "plan.json"],
    ["undo", "run.ndjson", "--yes"],
  ]) {
    const ran = await r.run(words, { environment });
    expect([ran.code, ran.requests]).toEqual([2, ["GET /developer/v1/providers"]]);
    expect(ran.stderr).toContain("is for another account");
  }
});

test("diff --report markdown ends at 60,000 characters and says so", async () => {
  const r = await rigWith();
  const long = "Long ".repeat(400);
  const courses = Array.from({ length: 90 }, (_, number) =>
    courseWithoutId(number, { long_description: long }),
  );
  await r.write("a.json", courses);
  await r.run("courses diff a.json --report markdown=plan.md");
  const text = await r.read("plan.md");
  expect(text.length).toBeLessThanOrEqual(60_000);
  expect(text.length).toBeGreaterThan(55_000);
  expect(text).toMatch(/cut at 60,000 characters\. Not shown: \d+ problems and courses/);
});
