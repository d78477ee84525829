/** What `push` and `diff` do about changes that other people made in the catalog, with undo records as the base. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { main } from "../../src/main.ts";
import { MemoryOutput, type Rig } from "../rig.ts";
import {
  id,
  jsonErrors,
  jsonMessages,
  jsonRows,
  numberedCourse,
  rigWith,
  storedCourses,
  unreliableService,
} from "./helpers.ts";
import { json, push, storedIds, writeRequests } from "./push-files.ts";

const TERMINAL = { terminal: true, environment: { NO_COLOR: "1" }, columns: 400 };
const [OURS, THEIRS] = ["Ours: long.", "Theirs: short."];

/** Changes a course as a colleague on another machine does: this machine has no undo record of the change. */
async function changeElsewhere(r: Rig, number: number, fields: object): Promise<void> {
  const query = `developer/v1/courses?id=${id(number)}`;
  expect((await r.run(["api", "PATCH", query, "-d", JSON.stringify(fields)])).code).toBe(0);
}

/**
 * Three courses that were pushed from here. A colleague has changed the short description of the first one
 * since then, and we the long one; the second one was changed by us only.
 */
async function rigWithColleague(): Promise<Rig> {
  const r = await rigWith();
  const courses = [1, 2, 3].map((number) => numberedCourse(number));
  await r.write("a.json", json(courses));
  expect((await push(r, ["a.json"])).code).toBe(0);
  await changeElsewhere(r, 1, { short_description: THEIRS });
  const [first, second, third] = courses;
  await r.write(
    "a.json",
    json([{ ...first, long_description: OURS }, { ...second, name: "New" }, third]),
  );
  return r;
}

async function stored(r: Rig, number: number) {
  return (await storedCourses(r)).find((course) => course.id === id(number)) ?? {};
}

const DRIFT = `1 course changed in the catalog since you last changed it: "Course 1" (${id(1)}): short_description`;
const CHOICES =
  "To keep what changed in the catalog, pass --on-drift keep. To send the values of the files, pass --on-drift overwrite.";

describe("a change of a colleague in another field", () => {
  test("diff shows changes in the catalog apart from changes in the file, as text and as JSON", async () => {
    const r = await rigWithColleague();
    const ran = await r.run(["courses", "diff", "a.json"]);
    expect([ran.code, ran.stderr]).toEqual([
      0,
      `${DRIFT}; push sends the values of the files. ${CHOICES}\n`,
    ]);
    expect(ran.stdout).toBe(`~ Course 1 (a.json:1, ${id(1)})
  changed in the file:
    long_description: "From casting on to binding off." → "${OURS}"
  changed in the catalog:
    short_description: "${THEIRS}" → "Knit your first scarf."

~ Course 2 (a.json:1, ${id(2)})
    name: "Course 2" → "New"

2 courses to update. 1 is up to date.
`);
    const page = await readFile(
      new URL("../../docs/how-to/work-in-a-team.md", import.meta.url),
      "utf8",
    );
    const [shown = ""] = ran.stdout.replaceAll("a.json:1", "courses/a.yaml").split("\n\n");
    expect(page).toContain(`\n\`\`\`text\n${shown}\n\`\`\`\n`);
    const rows = jsonRows(await r.run(["courses", "diff", "a.json", "--json"]));
    expect(rows.map(({ fields }) => fields)).toEqual([
      [
        {
          path: ["short_description"],
          old: THEIRS,
          new: "Knit your first scarf.",
          changedIn: "catalog",
          base: "Knit your first scarf.",
        },
        {
          path: ["long_description"],
          old: "From casting on to binding off.",
          new: OURS,
          changedIn: "file",
          base: "From casting on to binding off.",
        },
      ],
      [{ path: ["name"], old: "Course 2", new: "New", changedIn: "file", base: "Course 2" }],
    ]);
  });

  test("push without a terminal overwrites a change of a colleague, with a warning that names the change", async () => {
    const r = await rigWithColleague();
    const ran = await push(r, ["a.json"]);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(
      `warning: ${DRIFT}; push sends the values of the files. ${CHOICES}\n`,
    );
    expect(await stored(r, 1)).toMatchObject({
      short_description: "Knit your first scarf.",
      long_description: OURS,
    });
    expect((await push(r, ["a.json"])).stderr).toBe("Already up to date: 3 courses.\n");
  });

  test("push --on-drift keep keeps a change of a colleague and sends everything else", async () => {
    const r = await rigWithColleague();
    const ran = await push(r, ["a.json", "--on-drift", "keep", "--json"]);
    expect(ran.code).toBe(0);
    expect(jsonMessages(ran).map(({ notice }) => notice)).toContain(
      `Kept what changed in the catalog: "Course 1" (${id(1)}): short_description.`,
    );
    expect(jsonRows(ran).map(({ action, status }) => [action, status])).toEqual([
      ["update", "done"],
      ["update", "done"],
      ["unchanged", "unchanged"],
    ]);
    expect(await stored(r, 1)).toMatchObject({
      short_description: THEIRS,
      long_description: OURS,
    });
  });

  test.each([
    [["courses", "push", "a.json", "--on-drift", "stop"]],
    [["courses", "push", "a.json", "--on-drift", "stop", "--yes"]],
    [["courses", "push", "a.json", "--on-drift", "stop", "--dry-run", "--out", "plan.json"]],
    [["courses", "diff", "a.json", "--on-drift", "stop", "--out", "plan.json"]],
  ])("--on-drift stop ends a run with exit code 7 and sends nothing: %j", async (words) => {
    const r = await rigWithColleague();
    const ran = await r.run([...words, "--report", "json=report.json", "--json"]);
    expect([ran.code, writeRequests(ran)]).toEqual([7, []]);
    expect(jsonErrors(ran)).toEqual([
      { kind: "drift", message: `${DRIFT}; nothing was sent`, next: CHOICES },
    ]);
    expect(JSON.parse(await readFile(join(r.folder, "report.json"), "utf8"))).toMatchObject({
      errors: 1,
      failures: [{ kind: "drift" }],
    });
    expect(existsSync(join(r.folder, "plan.json"))).toBe(false);
  });

  test("push on a terminal asks about a change of a colleague and shows only the values of this change", async () => {
    const r = await rigWithColleague();
    const stopped = await push(r, ["a.json"], { ...TERMINAL, input: "\n" });
    expect([stopped.code, writeRequests(stopped)]).toEqual([2, []]);
    expect(stopped.stderr).toContain(
      `${DRIFT}.\n~ Course 1 (a.json, ${id(1)})\n  changed in the catalog:\n    short_description: "${THEIRS}" → "Knit your first scarf."\n`,
    );
    expect(stopped.stderr).not.toContain(OURS);
    expect(stopped.stderr).toContain("Overwrite what changed in the catalog, keep it, or stop?");
    expect(stopped.stderr).toMatch(/Cancelled: nothing was changed\.\n$/);
    const kept = await push(r, ["a.json"], { ...TERMINAL, input: "keep\n" });
    expect(kept.code).toBe(0);
    expect(await stored(r, 1)).toMatchObject({ short_description: THEIRS, long_description: OURS });
    const overwritten = await push(r, ["a.json"], { ...TERMINAL, input: "o\n" });
    expect(overwritten.code).toBe(0);
    expect(await stored(r, 1)).toMatchObject({ short_description: "Knit your first scarf." });
  });

  test.each([" \n", "yes\n"])(
    "push does not overwrite a change of a colleague if the answer is none of the choices: %j",
    async (input) => {
      const r = await rigWithColleague();
      const ran = await push(r, ["a.json"], { ...TERMINAL, input });
      expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
      expect(ran.stderr).toMatch(/Cancelled: nothing was changed\.\n$/);
    },
  );

  test("push asks again about a change that a colleague makes while the question is open", async () => {
    const r = await rigWith();
    let isChanged = false;
    const changed = { ...numberedCourse(1), short_description: THEIRS, long_description: THEIRS };
    const { environment } = await unreliableService(r, ({ method, url }) =>
      isChanged && method === "GET" && url.includes("?id=")
        ? { status: 200, body: json([changed]) }
        : "pass",
    );
    await r.write("a.json", json(numberedCourse(1)));
    await push(r, ["a.json"], { environment });
    await changeElsewhere(r, 1, { short_description: THEIRS });
    await r.write("a.json", json(numberedCourse(1, { long_description: OURS })));
    isChanged = true;
    const [out, err] = [new MemoryOutput(true, 400), new MemoryOutput(true, 400)];
    const own = { ...environment, NO_COLOR: "1" };
    const system = r.system({ out, err, terminal: true, environment: own });
    const input = new PassThrough();
    const answers = new Set<string>();
    // The first prompt would end it; standard error cannot be ended.
    err.stream.end = () => err.stream;
    err.stream.on("data", () => {
      const answer = err.text.includes("changed again") ? "stop\n" : "overwrite\n";
      if (!/\(stop\)\S+$/.test(err.text) || answers.has(answer)) return;
      answers.add(answer);
      // The prompt is not listening yet.
      setImmediate(() => input.write(answer));
    });
    const io = { ...system.io, in: { isTerminal: true, stream: input } };
    expect(await main(["courses", "push", "a.json"], { ...system, io })).toBe(2);
    expect(answers.size).toBe(2);
    expect(err.text).toMatch(
      /The catalog changed again in the meantime\.\n.*: short_description, long_description\.\n/,
    );
    expect(await stored(r, 1)).toMatchObject({ short_description: THEIRS });
  });

  test("push --yes on a terminal overwrites a change of a colleague without asking, with a warning", async () => {
    const r = await rigWithColleague();
    const ran = await push(r, ["a.json", "--yes"], TERMINAL);
    expect([ran.code, writeRequests(ran).length]).toEqual([0, 2]);
    expect(ran.stderr).toContain(`warning: ${DRIFT}`);
  });
});

test("push sends courses without a base and counts them in a notice", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", json([1, 2].map((n) => numberedCourse(n, { name: `New ${n}` }))));
  const ran = await push(r, ["a.json", "--on-drift", "keep"]);
  expect([ran.code, writeRequests(ran).length]).toEqual([0, 2]);
  expect(ran.stderr).toContain(
    "2 courses have no base to compare with, because the history on this machine has no run that changed them. To compare with a commit, pass --base <commit>.\n",
  );
});

describe("a course that was deleted in the catalog", () => {
  async function rigWithDeleted(): Promise<Rig> {
    const r = await rigWith();
    await r.write("a.json", json([numberedCourse(1), numberedCourse(2)]));
    await push(r, ["a.json"]);
    await r.run(["api", "DELETE", `developer/v1/courses?id=${id(2)}`]);
    return r;
  }

  test("push does not recreate a course that was deleted in the catalog, except with --on-drift overwrite", async () => {
    const r = await rigWithDeleted();
    const kept = await push(r, ["a.json", "--on-drift", "keep"]);
    expect([kept.code, writeRequests(kept)]).toEqual([0, []]);
    expect(kept.stderr).toContain(
      `Kept what changed in the catalog: "Course 2" (${id(2)}): deleted.`,
    );
    // Reviewers of a plan and readers of a drift report see what happened, too.
    await changeElsewhere(r, 1, { name: "Theirs" });
    const markdown = async (...words: string[]): Promise<string> => {
      await r.run(["courses", "diff", "a.json", ...words, "--report", "markdown=plan.md"]);
      return await readFile(join(r.folder, "plan.md"), "utf8");
    };
    expect(await markdown()).toMatch(
      /^\| create \| `Course 2` \| .* \| deleted in the catalog \|$/m,
    );
    expect(await markdown("--drift")).toMatch(/^\| changed \| `Theirs` \| .* \| `name` \|$/m);
    await changeElsewhere(r, 1, { name: "Course 1" });
    const overwritten = await push(r, ["a.json", "--on-drift", "overwrite"]);
    expect([overwritten.code, await storedIds(r)]).toEqual([0, [id(1), id(2)]]);
    expect(overwritten.stderr).toContain(`(a.json:1, ${id(2)}, deleted in the catalog)\n`);
  });
});

describe("--prune", () => {
  test("push --prune --on-drift keep keeps a course that changed in the catalog since the undo record", async () => {
    const r = await rigWithColleague();
    await r.write("a.json", json([numberedCourse(2, { name: "New" }), numberedCourse(3)]));
    const kept = await push(r, ["a.json", "--prune", "--yes", "--on-drift", "keep"]);
    expect([kept.code, await storedIds(r)]).toEqual([0, [id(1), id(2), id(3)]]);
    const ran = await push(r, ["a.json", "--prune", "--yes", "--on-drift", "overwrite"]);
    expect([ran.code, await storedIds(r)]).toEqual([0, [id(2), id(3)]]);
    expect(ran.stderr).toContain(`- Course 1 (${id(1)}, changed in the catalog)\n`);
  });
});

test("push --plan exits with 2 for --base and --on-drift, because the plan decides", async () => {
  const r = await rigWith();
  for (const flag of [
    ["--base", "HEAD"],
    ["--on-drift", "keep"],
  ]) {
    const ran = await push(r, ["--plan", "plan.json", ...flag]);
    expect([ran.code, ran.requests]).toEqual([2, []]);
    expect(ran.stderr).toMatch(new RegExp(`^error: --plan cannot be combined with ${flag[0]}\n`));
  }
});

describe("diff --drift without a base", () => {
  test("diff --drift shows what was changed, deleted, added or unpublished in the catalog", async () => {
    const r = await rigWith(numberedCourse(9));
    const courses = [1, 2, 3, 4].map((number) => numberedCourse(number));
    await r.write("a.json", json(courses));
    await push(r, ["a.json"]);
    await changeElsewhere(r, 1, { name: "Theirs" });
    await changeElsewhere(r, 2, { published: false });
    await r.run(["api", "DELETE", `developer/v1/courses?id=${id(3)}`]);
    const report = ["--report", "markdown=drift.md"];
    const ran = await r.run(["courses", "diff", "a.json", "--drift", "--exit-code", ...report]);
    expect([ran.code, writeRequests(ran)]).toEqual([7, []]);
    const page = await readFile(join(r.folder, "drift.md"), "utf8");
    expect(page).toMatch(/\| changed \| `Theirs` \| \S+ \| `name` \|\n/);
    expect(page).toMatch(/\| unpublished \| `Course 2` \| \S+ \| `published` \|\n/);
    expect(page).toMatch(/\| deleted \| `Course 3` \| \S+ \| {2}\|\n/);
    expect(ran.stdout).toBe(`~ Theirs (a.json, ${id(1)}, changed in the catalog)
    name: "Course 1" → "Theirs"

~ Course 2 (a.json, ${id(2)}, unpublished in the catalog)
    published: true → false

- Course 3 (a.json, ${id(3)}, deleted in the catalog)
+ Course 9 (${id(9)}, added in the catalog)

In the catalog, 1 course was changed, 1 course was deleted, 1 course was added and 1 course was unpublished.
`);
    const json_ = await r.run(["courses", "diff", "a.json", "--drift", "--json"]);
    expect([
      json_.code,
      jsonRows(json_).map(({ id: _, action, status }) => [action, status]),
    ]).toEqual([
      0,
      [
        ["changed", "drift"],
        ["unpublished", "drift"],
        ["deleted", "drift"],
        ["added", "drift"],
      ],
    ]);
  });

  test("diff --drift does not count changes in the files", async () => {
    const r = await rigWith();
    await r.write("a.json", json([numberedCourse(1)]));
    await push(r, ["a.json"]);
    await r.write("a.json", json([numberedCourse(1, { name: "Ours" })]));
    const ran = await r.run(["courses", "diff", "a.json", "--drift", "--exit-code"]);
    expect([ran.code, ran.stdout]).toEqual([0, "Nothing changed in the catalog: 1 course.\n"]);
  });
});
