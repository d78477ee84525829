/** Plans in files: what they contain, and that push applies them exactly or not at all. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULT_KEY, DEFAULT_PROVIDER, parseSeed } from "../../src/sandbox/seed.ts";
import { findElements, readJunit } from "../output/report-schemas.ts";
import { PROVIDER_ID, type Rig, rig, testClock } from "../rig.ts";
import {
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  recordLines,
  requestsOf,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { courseWithoutId, json, push, rigForPrune, SCHOOL, writeRequests } from "./push-files.ts";

const IMAGE = "https://i.example/1";

/** A rig with a plan that creates a course, updates course 1 and deletes courses 2 and 3. */
async function rigWithPlan(): Promise<Rig> {
  const r = await rigForPrune();
  const changed = numberedCourse(1, { name: "New", image_url: IMAGE });
  await r.write("courses/a.json", `${json(changed)}\n`);
  await r.write("courses/b.json", `\n${json(courseWithoutId(7))}`);
  const ran = await r.run(["courses", "diff", "courses", "--prune", "--out", "plan.json"]);
  expect([ran.code, writeRequests(ran)]).toEqual([0, []]);
  return r;
}

/** The lines of the plan: its header, and the steps. */
const readPlan = async (r: Rig, name = "plan.json") => {
  const [header, ...steps] = await recordLines(join(r.folder, name));
  return { header, steps };
};

const EXECUTE = ["--plan", "plan.json", "--yes"];

/** Changes the base URL of the plan to the service that the environment selects. */
async function moveTo(r: Rig, { CATALOG_BASE_URL: baseUrl = "" }: Record<string, string>) {
  const plan = await readFile(join(r.folder, "plan.json"), "utf8");
  await r.write("plan.json", plan.replaceAll(r.sandbox.baseUrl, baseUrl));
}

/** Changes a course in the sandbox, as another person would. */
async function change(r: Rig, number: number, changes: Record<string, unknown>): Promise<void> {
  await fetch(`${r.sandbox.baseUrl}/developer/v1/courses?id=${id(number)}`, {
    method: "PATCH",
    headers: { "x-api-key": DEFAULT_KEY, "content-type": "application/json" },
    body: json(changes),
  });
}

describe("apply a plan", () => {
  test("diff --out and push --out write each request with the values that it expects, and never the key", async () => {
    const r = await rigWithPlan();
    const plan = await readPlan(r);
    expect(plan.header).toEqual({
      ...{ catalog: "plan", version: 3, run: "2026-01-31T12:00:00.000Z" },
      ...{ time: "2026-01-31T12:00:00.000Z", command: "courses diff" },
      ...{ baseUrl: r.sandbox.baseUrl, account: [PROVIDER_ID] },
      ...{
        target: `${r.sandbox.baseUrl} as Example Academy`,
        user: "tester",
        host: "test-machine",
      },
      scope: { courses: 3, providers: ["Example Academy"] },
    });
    const stored = await storedCourses(r);
    expect(plan.steps).toEqual([
      {
        ...{ action: "update", id: id(1), name: "Course 1", url: "https://academy.example/1" },
        ...{ file: "courses/a.json", line: 1 },
        body: { name: "New", image_url: IMAGE },
        before: { name: "Course 1", image_url: null },
      },
      {
        ...{ action: "create", name: "Course 7", url: "https://academy.example/7" },
        ...{ file: "courses/b.json", line: 2, id: expect.any(String) },
        body: { ...courseWithoutId(7), id: expect.any(String) },
      },
      ...[2, 3].map((number) => ({
        ...{ action: "delete", id: id(number), name: `Course ${number}` },
        ...{ url: `https://academy.example/${number}`, file: null, line: null },
        before: stored[number - 1],
      })),
    ]);
    expect(await readFile(join(r.folder, "plan.json"), "utf8")).not.toContain(DEFAULT_KEY);
    const dry = ["courses", "--prune", "--dry-run", "--out", "again.json"];
    await push(r, dry);
    expect((await readPlan(r, "again.json")).steps).toEqual(plan.steps);
  });

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

  test("push --plan reports a test case per course, even for a course that changed since the plan", async () => {
    const r = await rigWithPlan();
    await change(r, 1, { name: "Theirs" });
    const reports = ["--report", "junit=r.xml", "--report", "markdown=r.md"];
    expect((await push(r, [...EXECUTE, ...reports])).code).toBe(1);
    const read = (name: string) => readFile(join(r.folder, name), "utf8");
    const cases = findElements(readJunit(await read("r.xml")), "testcase");
    expect(cases.map(({ attributes, children }) => [attributes.name, children[0]?.name])).toEqual([
      ...[
        ["New", "failure"],
        ["Course 7", "system-out"],
      ],
      ...[
        ["Course 2", "system-out"],
        ["Course 3", "system-out"],
      ],
    ]);
    expect(await read("r.md")).toMatch(/^\| `courses\/a\.json:1:1` \| error \| .* \| `stale` \|$/m);
    await change(r, 1, { name: "Course 1" });
    expect((await push(r, [...EXECUTE, ...reports])).code).toBe(0);
    expect(await read("r.md")).not.toContain("stale");
  });

  test("push --plan skips only courses that changed since the plan, as stale, and exits with 1", async () => {
    const r = await rigWithPlan();
    await change(r, 1, { name: "Theirs" });
    await change(r, 2, { image_url: IMAGE });
    const ran = await push(r, [...EXECUTE, "--json"]);
    expect(ran.code).toBe(1);
    expect(jsonErrors(ran)).toMatchObject([
      { rule: "stale", file: "courses/a.json", line: 1 },
      { rule: "stale" },
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

  test("push --plan of 120 updates reads the listing, and no course by itself", async () => {
    const numbers = Array.from({ length: 120 }, (_, index) => index);
    const r = await rigWith(...numbers.map((number) => numberedCourse(number)));
    await r.write("a.json", json(numbers.map((n) => numberedCourse(n, { name: `New ${n}` }))));
    await r.run(["courses", "diff", "a.json", "--out", "plan.json"]);
    const ran = await push(r, ["--plan", "plan.json"]);
    expect([ran.code, writeRequests(ran).length]).toEqual([0, 120]);
    expect(requestsOf(ran, "GET").length).toBeLessThan(10);
  });

  test("push --plan neither creates a course whose url exists nor updates a deleted course", async () => {
    const r = await rigWith(numberedCourse(1));
    const courses = [numberedCourse(1, { name: "New" }), courseWithoutId(7)];
    await r.write("a.json", json(courses));
    await r.run(["courses", "diff", "a.json", "--out", "plan.json"]);
    await r.run(["courses", "rm", "--yes", id(1)]);
    await r.write("other.json", json(numberedCourse(7)));
    await r.run(["courses", "create", "other.json"]);
    const ran = await push(r, ["--plan", "plan.json", "--json"]);
    expect([ran.code, writeRequests(ran)]).toEqual([1, []]);
    expect(jsonErrors(ran).map(({ rule }) => rule)).toEqual(["stale", "stale"]);
    const shown = await push(r, ["--plan", "plan.json"]);
    expect(lines(shown.stderr)[0]).toBe("2 courses are skipped.");
    const dry = await push(r, ["--plan", "plan.json", "--dry-run", "--json"]);
    expect([dry.code, jsonRows(dry).map(({ status }) => status)]).toEqual([
      1,
      ["skipped", "skipped"],
    ]);
    expect(jsonErrors(dry)[0]).toMatchObject({ rule: "stale", file: "a.json", line: 1 });
  });

  test("push --plan does not change a course that another run created with the same id", async () => {
    const r = await rigWith();
    await r.write("a.json", json(courseWithoutId(7)));
    await r.run(["courses", "diff", "a.json", "--out", "plan.json"]);
    const key = (await readPlan(r)).steps[0]?.id;
    await r.write("other.json", json(courseWithoutId(7, { id: key, name: "Theirs" })));
    await r.run(["courses", "create", "other.json"]);
    let isSent = false;
    const { environment } = await unreliableService(r, ({ method, url }) => {
      isSent ||= method === "POST";
      return isSent || url.endsWith("/providers") ? "pass" : { status: 200, body: "[]" };
    });
    await moveTo(r, environment);
    const ran = await r.run(["courses", "push", ...EXECUTE, "--json"], { environment });
    expect([ran.code, jsonErrors(ran).map(({ rule }) => rule)]).toEqual([1, ["service"]]);
    expect(await storedCourses(r)).toMatchObject([{ id: key, name: "Theirs" }]);
  });

  test("push --plan does not ask before deletions if all courses to delete changed since the plan", async () => {
    const r = await rigWithPlan();
    for (const number of [2, 3]) await change(r, number, { name: "Theirs" });
    const ran = await push(r, ["--plan", "plan.json"]);
    expect([ran.code, requestsOf(ran, "DELETE")]).toEqual([1, []]);
    expect(ran.stderr).toContain("Created 1 course and updated 1. 2 were not sent.");
  });

  test("push --plan with deletions needs --yes without a terminal, and --dry-run sends nothing", async () => {
    const r = await rigWithPlan();
    for (const words of [[], ["--dry-run"]]) {
      const ran = await push(r, ["--plan", "plan.json", ...words]);
      expect([ran.code, writeRequests(ran)]).toEqual([words.length === 0 ? 2 : 0, []]);
    }
  });
});

describe("review a plan", () => {
  test("diff --plan prints and reports the same as the diff that made the plan, without a key or a request", async () => {
    const r = await rigForPrune();
    await r.write("a.json", json(numberedCourse(1, { name: "New", image_url: IMAGE })));
    await r.write("b.json", json(courseWithoutId(7, { long_description: "One\nTwo" })));
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
    const stepsOf = async (name: string) =>
      (await readFile(join(r.folder, name), "utf8")).split("| Action |")[1];
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
    const hostile = (await readFile(join(r.folder, "plan.json"), "utf8")).replace(
      "as Example Academy",
      "\\n\\n# \\u001b[31mHi",
    );
    await r.write("plan.json", hostile);
    const ran = await r.run(saved, options);
    expect([ran.code, lines(ran.stderr)[0]]).toEqual([0, expect.stringContaining("\\x1b[31mHi")]);
  });

  test("push --plan --dry-run shows the values of all steps that still apply and sends nothing", async () => {
    const r = await rigWithPlan();
    const dry = await push(r, ["--plan", "plan.json", "--dry-run"]);
    expect([dry.code, writeRequests(dry)]).toEqual([0, []]);
    expect(dry.stderr).toContain(
      `~ Course 1 (courses/a.json, ${id(1)})\n    name: "Course 1" → "New"\n`,
    );
    expect(dry.stderr).toMatch(
      /^\+ Course 7 .*\n(?: {4}.*\n)* {4}url: "https:\/\/academy.example\/7"\n/m,
    );
    await change(r, 1, { name: "Theirs" });
    await change(r, 2, { image_url: IMAGE });
    const stale = await push(r, ["--plan", "plan.json", "--dry-run"]);
    expect([stale.code, writeRequests(stale)]).toEqual([1, []]);
    expect(stale.stderr).toContain("1 course to create and 1 to delete. 2 are skipped.");
    expect(stale.stderr).toContain('name was "Course 1" in the plan and is now "Theirs"');
    expect(stale.stderr).not.toContain("~ Course 1");
  });
});

/** The plan with many lists, which are valid JSON, as the name of the first course. */
function nestDeeply(text: string): string {
  const lists = `${"[".repeat(100_000)}1${"]".repeat(100_000)}`;
  return text.replace('"body":{"name":"New"', `"body":{"name":${lists}`);
}

describe("damaged and unsuitable plans", () => {
  const DAMAGES: readonly [string, (text: string) => string | Uint8Array, string][] = [
    ["that is cut off", (text) => text.slice(0, -40), "its last line is cut off"],
    ["that never stops opening lists", () => "[".repeat(3_000_000), "neither a record"],
    ["with a value nested too deeply", nestDeeply, "nested too deeply"],
    [
      "of another version",
      (text) => text.replace('"version":3', '"version":2'),
      "this file has version 2, but this catalog reads 3",
    ],
    [
      "with a field that cannot be sent",
      (text) => text.replace('{"name":"New"', '{"nmae":"New"'),
      "plan.json:2:1: error: this file is damaged: body must be an object with fields that can be sent",
    ],
    [
      "with an invalid id",
      (text) => text.replaceAll(id(2), "2"),
      "plan.json:4:1: error: this file is damaged: id must be a lowercase UUID",
    ],
    [
      "that is not UTF-8",
      (text) => Buffer.from(text.replaceAll("New", "N\xe9w"), "latin1"),
      "it is not UTF-8 text",
    ],
    ["that is a course file", () => `${json(numberedCourse(1))}\n`, "neither a record"],
  ];
  test.each(DAMAGES)("push --plan sends nothing for a plan %s", async (_, damage, place) => {
    const r = await rigWithPlan();
    const text = await readFile(join(r.folder, "plan.json"), "utf8");
    await r.write("plan.json", damage(text));
    const ran = await push(r, EXECUTE);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(place);
  });

  test("push --plan exits with 3 for a plan that does not exist", async () => {
    const ran = await push(await rigWith(), ["--plan", "absent.json"]);
    expect([ran.code, ran.requests]).toEqual([3, []]);
    expect(ran.stderr).toMatch(/^error: no such file: absent\.json\n {2}\S/);
  });

  test("push --plan exits with 2 for a plan of another base URL and names both base URLs", async () => {
    const r = await rigWithPlan();
    const other = await rigWith();
    const environment = { CATALOG_BASE_URL: other.sandbox.baseUrl };
    const ran = await push(r, EXECUTE, { environment });
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toContain(r.sandbox.baseUrl);
    expect(ran.stderr).toContain(other.sandbox.baseUrl);
  });

  test("push --plan of another account sends nothing and exits with 2, as undo of its run does", async () => {
    const other = { ...DEFAULT_PROVIDER, id: SCHOOL.id };
    const users = [
      { key: DEFAULT_KEY, providers: [DEFAULT_PROVIDER], courses: [numberedCourse(1)] },
      { key: "other.key-of-nobody", providers: [other], courses: [] },
    ];
    const r = await rig({ seed: parseSeed({ users }, testClock()) });
    await r.write("a.json", json(numberedCourse(1, { name: "New" })));
    await r.run(["courses", "diff", "a.json", "--out", "plan.json"]);
    await push(r, ["a.json", "--record", "run.ndjson"]);
    const environment = { CATALOG_API_KEY: "other.key-of-nobody" };
    for (const words of [
      ["courses", "push", "--plan", "plan.json"],
      ["undo", "run.ndjson", "--yes"],
    ]) {
      const ran = await r.run(words, { environment });
      expect([ran.code, ran.requests]).toEqual([2, ["GET /developer/v1/providers"]]);
      expect(ran.stderr).toContain("is for another account than this API key");
    }
  });

  test.each([["a.json"], ["--prune"], ["--complete"]])(
    "push --plan exits with 2 together with %s",
    async (...words) => {
      const r = await rigWithPlan();
      const ran = await push(r, [...EXECUTE, ...words]);
      expect([ran.code, ran.requests]).toEqual([2, []]);
    },
  );

  test("push exits with 2 without files, and for --out without --dry-run", async () => {
    const r = await rigWithPlan();
    expect((await push(r, ["courses", "--out", "p.json"])).code).toBe(2);
    expect((await push(r, [])).code).toBe(2);
  });
});

describe("reports", () => {
  test("diff --report markdown shows counts, courses, and old and new values", async () => {
    const r = await rigWithPlan();
    const name = "@team </code> | `x`";
    await r.write("courses/b.json", json(courseWithoutId(7, { name })));
    const ran = await r.run([
      ...["courses", "diff", "courses", "--prune", "--report", "markdown=plan.md"],
    ]);
    expect(ran.code).toBe(0);
    const text = await readFile(join(r.folder, "plan.md"), "utf8");
    expect(text).toContain("1 course to create, 1 to update and 2 to delete.");
    expect(text).toContain(
      "<summary>update <code>New</code>: <code>name</code>, <code>image_url</code></summary>",
    );
    expect(text).toContain('| `name` | `"Course 1"` | `"New"` |');
    expect(text).toContain(
      "<details><summary>create <code>@team &lt;/code&gt; | `x`</code></summary>",
    );
  });

  test("diff --report shows a course that may have moved, and GitHub annotates its url", async () => {
    const r = await rigWith(numberedCourse(1));
    await r.write("a.json", json(numberedCourse(2, { id: undefined, name: "Course 1" })));
    const words = ["courses", "diff", "a.json", "--report", "markdown=plan.md"];
    const ran = await r.run(words, { environment: { GITHUB_ACTIONS: "true" } });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^::warning file=a\.json,line=1,.*title=possible-move::/m);
    expect(await readFile(join(r.folder, "plan.md"), "utf8")).toMatch(
      /^\| `a\.json:1:\d+` \| warning \| `looks like a course that moved: .*\| `possible-move` \|$/m,
    );
  });

  test("diff --report markdown ends at 60,000 characters and says so", async () => {
    const r = await rigWith();
    const long = "Long ".repeat(400);
    const courses = Array.from({ length: 90 }, (_, number) =>
      courseWithoutId(number, { long_description: long }),
    );
    await r.write("a.json", json(courses));
    await r.run(["courses", "diff", "a.json", "--report", "markdown=plan.md"]);
    const text = await readFile(join(r.folder, "plan.md"), "utf8");
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text.length).toBeGreaterThan(55_000);
    expect(text).toMatch(/cut at 60,000 characters: the values of \d+ courses are not shown\.\n$/);
  });
});
