/** The runs that `history` selects, and the reports about these runs. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { expectRefused, id, jsonRows, lines, numberedCourse, rigWith } from "./helpers.ts";
import { json } from "./push-files.ts";

const COUNTS = { created: 0, updated: 1, deleted: 0, failed: 0, unknown: 0 };
/** Midnight on the machine that runs the test. */
const midnight = (date: string): number => new Date(`${date}T00:00`).getTime();
const nameOf = (time: number): string => {
  const digits = new Date(time).toISOString().replace(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 17)}-abcdef`;
};

/** Plants the record of a run that renamed course 1. @returns the name of the run */
async function plant(r: Rig, time: number, more: Record<string, unknown> = {}): Promise<string> {
  const run = nameOf(time);
  const header = {
    ...{ formatVersion: 1, run, time: new Date(time).toISOString(), command: "courses push" },
    ...{ baseUrl: "https://api.example", providers: [], ...more },
  };
  const course = {
    id: id(1),
    name: "New",
    url: "https://academy.example/1",
    file: null,
    line: null,
  };
  const write = {
    write: 1,
    action: "update",
    ...course,
    body: { name: "New" },
    before: { name: "Old" },
  };
  const records = [header, write, { write: 1, status: "done" }, { end: COUNTS }];
  const text = records.map((record) => `${json(record)}\n`).join("");
  await r.write(`.local/state/catalog/history/${run}.ndjson`, text);
  return run;
}

describe("selection of runs", () => {
  test("history selects runs by --since, --until, --command and --limit", async () => {
    const r = await rigWith(numberedCourse(1));
    // The clock of the rig says 2026-01-31 12:00 UTC.
    const noon = Date.UTC(2026, 0, 31, 12);
    const day = 24 * 60 * 60 * 1000;
    const runs = [
      await plant(r, noon - 60 * 60 * 1000, { command: "undo" }),
      await plant(r, noon - day + 1),
      await plant(r, noon - 7 * day, { command: "courses update" }),
      await plant(r, midnight("2026-01-10")),
      await plant(r, midnight("2026-01-10") - 1),
      await plant(r, Date.UTC(2025, 11, 1, 8, 30), { command: "courses push" }),
    ];
    const cases: readonly (readonly [string, readonly number[]])[] = [
      ["", [0, 1, 2, 3, 4, 5]],
      ["--since 24h", [0, 1]],
      ["--since 1w", [0, 1, 2]],
      ["--since 30d --until 2w", [3, 4]],
      ["--since 2026-01-10", [0, 1, 2, 3]],
      ["--until 2026-01-10", [4, 5]],
      ["--until 2025-12-01T08:30Z", []],
      ["--since 2025-12-01T09:30+01:00 --until 2025-12-01T08:30:00.001Z", [5]],
      ["--command push", [1, 3, 4, 5]],
      ["--command courses", [1, 2, 3, 4, 5]],
      ["--command pu", []],
      ["--limit 2", [0, 1]],
      ["--command push --limit 2", [1, 3]],
    ];
    for (const [line, expected] of cases) {
      const words = ["history", ...line.split(" ").filter((word) => word !== "")];
      const names = expected.map((index) => runs[index]);
      const ids = await r.run([...words, "--fields", "run"]);
      expect([line, ids.code, lines(ids.stdout), ids.requests]).toEqual([line, 0, names, []]);
      expect(jsonRows(await r.run([...words, "--json"])).map(({ run }) => run)).toEqual(names);
      expect(ids.stderr).toBe(names.length === 0 ? "No run matches these flags.\n" : "");
    }
    const both = await r.run(["history", "--command", "courses  update", "--fields", "run"]);
    expect(lines(both.stdout)).toEqual([runs[2]]);
  });

  test("history exits with 2 for an invalid time or number, or for a flag without an effect", async () => {
    const r = await rigWith(numberedCourse(1));
    const refusals: readonly (readonly [readonly string[], string])[] = [
      ...["30", "30m", "yesterday", "2026-02-30", "2026-13-01", "2026-01-31T25:00", ""].map(
        (text) =>
          [["--since", text], `--since must be a date, a time or an age, not "${text}"`] as const,
      ),
      [["--until", "x"], "--until 2026-01-31"],
      [["--limit", "0"], "--limit"],
      [["--command", " "], "--command must not be empty"],
      [["show", "--since", "30d"], '--since cannot be combined with "history show"'],
      [["show", "--report", "json=h.json"], '--report cannot be combined with "history show"'],
      [
        ["--report", "sarif=h.sarif"],
        'the format of --report must be json, markdown or html, not "sarif"',
      ],
      [["--report", "junit=h.xml"], 'must be json, markdown or html, not "junit"'],
      [["--report", "json=h", "--report", "markdown=h"], "two outputs would write to h"],
    ];
    for (const [words, text] of refusals) {
      const ran = await r.run(["history", ...words]);
      expectRefused(ran, 2);
      expect(ran.stderr).toContain(text);
    }
  });
});

describe("reports", () => {
  const readReport = (r: Rig, name: string) => readFile(join(r.folder, name), "utf8");

  test("history --report contains runs with origin, note and counts, changed courses, and damaged undo records", async () => {
    const r = await rigWith(
      numberedCourse(1, { name: "Odd | `x`" }),
      numberedCourse(2),
      numberedCourse(3),
    );
    await plant(r, Date.UTC(2026, 0, 1), { command: "courses update" });
    const damaged = `${nameOf(Date.UTC(2026, 0, 30))}.ndjson`;
    await r.write(`.local/state/catalog/history/${damaged}`, "{}\n");
    await r.write(
      "a.json",
      json([numberedCourse(1, { name: "New" }), { ...numberedCourse(4), id: undefined }]),
    );
    const environment = { GITHUB_ACTOR: "kim", GITHUB_SHA: "abc123" };
    const note = ["--note", "PR 42 @team"];
    await r.run(["courses", "push", "a.json", "--prune", "--yes", ...note], { environment });
    const reports = ["--report", "json=h.json", "--report", "markdown=h.md"];
    const ran = await r.run(["history", "--since", "7d", ...reports]);
    expect([ran.code, ran.requests]).toEqual([0, []]);
    expect(lines(ran.stdout)).toHaveLength(1);
    expect(ran.stderr).toContain(damaged);
    const report = JSON.parse(await readReport(r, "h.json"));
    expect(report).toMatchObject({
      command: "catalog history",
      time: expect.stringMatching(/^2026-01-31T12:00:/),
      failures: [{ kind: "usage", file: expect.stringContaining(damaged) }],
      runs: [
        {
          ...{ command: "courses push", user: "tester", actor: "kim", commit: "abc123" },
          ...{ note: "PR 42 @team", created: 1, updated: 1, deleted: 2, undone: false },
          courses: [
            {
              ...{ id: id(1), name: "Odd | `x`", action: "update", status: "done" },
              fields: [{ path: ["name"], old: "Odd | `x`", new: "New" }],
            },
            { name: "Course 4", action: "create", file: "a.json" },
            { name: "Course 2", action: "delete" },
            { name: "Course 3", action: "delete" },
          ],
        },
      ],
    });
    const page = await readReport(r, "h.md");
    expect(page).toMatch(
      /^## `catalog history`\n\n1 run\n\n\*\*Failed:\*\* `[^\n]*abcdef\.ndjson: [^\n]+`\n/,
    );
    expect(page).toContain("- Courses: 1 created, 1 updated and 2 deleted\n- Run: `20260131-");
    expect(page).toContain("- By: `kim`\n- Commit: `abc123`\n- Target: `");
    expect(page).toContain("- Note: `PR 42 @team`\n\n| Action | Course | URL | Fields |\n");
    expect(page).toContain(
      "| update | `` Odd \\| `x` `` | `https://academy.example/1` | `name` |\n",
    );
    expect(page).toContain("| delete | `Course 2` | `https://academy.example/2` |  |\n");
    const unwritable = await r.run(["history", "--report", "json=a.json"]);
    expect([unwritable.code, unwritable.stderr]).toEqual([
      1,
      expect.stringContaining("cannot write a.json"),
    ]);
  });

  test("history --report marks failed changes and undone runs, and ends at 60,000 characters", async () => {
    const r = await rigWith(numberedCourse(1));
    const noon = Date.UTC(2026, 0, 31, 12);
    const note = "Long ".repeat(100);
    for (let number = 1; number <= 90; number++) await plant(r, noon - number * 1000, { note });
    await r.run(["courses", "update", id(1), "--name", "New"]);
    await r.run(["undo", "--yes"]);
    await r.run(["history", "--report", "markdown=h.md"]);
    const page = await readReport(r, "h.md");
    expect(page).toContain("- Courses: 1 updated; undone later\n");
    expect(page.length).toBeLessThanOrEqual(60_000);
    expect(page.length).toBeGreaterThan(55_000);
    expect(page).toMatch(/cut at 60,000 characters: \d+ runs and \d+ courses are not shown\.\n$/);
    await r.run(["courses", "rm", id(9), "--yes"]);
    const path = `.local/state/catalog/history/${nameOf(noon - 1000)}.ndjson`;
    const text = await readReport(r, path);
    await r.write(path, text.replace('"status":"done"', '"status":"failed"'));
    await r.run(["history", "--limit", "3", "--report", "markdown=h.md"]);
    expect(await readReport(r, "h.md")).toContain("| update (failed) | `New` | ");
  });
});
