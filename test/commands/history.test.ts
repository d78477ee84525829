import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonRows,
  lines,
  numberedCourse,
  recordFiles,
  recordLines,
  requestsOf,
  rigWith,
  runOf,
  storedCourses,
} from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

const STATE = ".local/state/catalog/history";

async function three(): Promise<Rig> {
  return await rigWith(
    numberedCourse(1, { certificate: { type: "free" } }),
    numberedCourse(2),
    numberedCourse(3),
  );
}

/** Puts a file where the folder of the history would be created. */
async function blockHistory({ folder }: Rig): Promise<void> {
  await mkdir(join(folder, ".local"), { recursive: true });
  await writeFile(join(folder, ".local/state"), "in the way");
}

test("an undo record has a header without the key, and each course before and after its request", async () => {
  const r = await three();
  const update = ["courses", "update", id(1), "--name", "New", "--unset", "certificate"];
  expect((await r.run(update)).code).toBe(0);
  const [file = ""] = await recordFiles(r);
  expect(await readFile(file, "utf8")).not.toContain(DEFAULT_KEY);
  const named = { id: id(1), name: "New", url: "https://academy.example/1" };
  const target = { ...named, file: null, line: null };
  expect(await recordLines(file)).toEqual([
    {
      catalog: "run",
      version: 3,
      run: runOf(file),
      time: expect.stringMatching(/^2026-01-31T12:00:00/),
      catalogVersion: "0.0.0",
      command: "courses update",
      baseUrl: r.sandbox.baseUrl,
      account: [PROVIDER_ID],
      user: "tester",
      host: "test-machine",
      target: `${r.sandbox.baseUrl} as Example Academy`,
    },
    {
      ...target,
      action: "update",
      body: { name: "New", certificate: null },
      before: { name: "Course 1", certificate: { type: "free" } },
    },
    { step: 1, status: "done" },
  ]);
});

test("--record writes the undo record to its file as well as to the history, and overwrites no other file", async () => {
  const r = await three();
  const update = ["courses", "update", id(1), "--record", "out/run.ndjson", "--name"];
  expect((await r.run([...update, "A"])).code).toBe(0);
  const [stored = ""] = await recordFiles(r);
  expect(await recordLines(stored)).toEqual(await recordLines(join(r.folder, "out/run.ndjson")));
  const again = await r.run([...update, "B"]);
  expect([again.code, requestsOf(again, "PATCH")]).toEqual([2, []]);
  expect(again.stderr).toContain(
    "out/run.ndjson already exists, and --record never overwrites a file",
  );
  const file = join(r.folder, "out/run.ndjson");
  expect((await recordLines(file))[1]).toMatchObject({ body: { name: "A" } });
  await r.write("notes.txt", "mine");
  const refused = ["courses", "unpublish", id(1), "--record", "notes.txt"];
  for (const flags of [[], ["--dry-run"]]) {
    const ran = await r.run([...refused, ...flags]);
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([2, []]);
  }
  expect(await r.read("notes.txt")).toBe("mine");
  for (const name of ["-", ""]) {
    const ran = await r.run(["courses", "publish", id(1), "--record", name]);
    expectRefused(ran, 2);
    expect(ran.stderr).toContain(`--record must be the name of a file, not "${name}"`);
  }
});

test.each([
  ["rm", ["courses", "rm", "--yes", id(1)]],
  ["unpublish", ["courses", "unpublish", id(1)]],
  ["create", ["courses", "create", "new.json"]],
  ["push", ["courses", "push", "new.json"]],
])("%s without a place for its record sends nothing and exits with 2", async (_, words) => {
  const r = await three();
  await r.write("new.json", numberedCourse(9));
  await blockHistory(r);
  for (const environment of [{}, { HOME: undefined }]) {
    const ran = await r.run([...words, "--quiet"], { environment });
    expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
    expect(ran.stderr).toMatch(/^error: [\s\S]*--record[\s\S]* or --no-record to continue/);
  }
  const unrecorded = await r.run([...words, "--no-record"]);
  expect([unrecorded.code, writeRequests(unrecorded).length]).toEqual([0, 1]);
  expect(unrecorded.stderr).not.toContain("catalog undo");
});

test("an undo record names the user, the CI job, its commit and the text of --note", async () => {
  const r = await three();
  const jobs = {
    github: {
      GITHUB_ACTOR: "octo",
      GITHUB_SHA: "abc123",
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_REPOSITORY: "org/courses",
      GITHUB_RUN_ID: "77",
    },
    gitlab: {
      GITLAB_USER_LOGIN: "lab",
      CI_COMMIT_SHA: "def456",
      CI_JOB_URL: "https://gitlab.example/jobs/5",
    },
  };
  const person = { user: "tester", host: "test-machine" };
  const page = "https://github.example/org/courses/actions/runs/77";
  for (const [environment, word, origin] of [
    [jobs.github, "unpublish", { actor: "octo", commit: "abc123", runUrl: page }],
    [jobs.gitlab, "publish", { actor: "lab", commit: "def456", runUrl: jobs.gitlab.CI_JOB_URL }],
  ] as const) {
    const words = ["courses", word, id(1), "--note", "PR 42 ✓"];
    expect((await r.run(words, { environment })).code).toBe(0);
    const [header] = await recordLines((await recordFiles(r)).at(-1) ?? "");
    expect(header).toMatchObject({ ...person, ...origin, note: "PR 42 ✓" });
    expect(jsonRows(await r.run("history --json"))[0]).toMatchObject({
      ...origin,
      note: "PR 42 ✓",
    });
  }
});

async function withRuns(): Promise<Rig> {
  const r = await three();
  await r.write("new.json", numberedCourse(9, { id: undefined }));
  await r.run("courses create new.json");
  await r.run(`courses update ${id(2)} --name New`);
  await r.run(`courses rm --yes ${id(1)} ${id(2)}`);
  return r;
}

test("history lists the runs with their counts, the newest first", async () => {
  const r = await withRuns();
  const ran = await r.run("history --json");
  const none = { created: 0, updated: 0, deleted: 0, failed: 0, unknown: 0 };
  const shared = { baseUrl: r.sandbox.baseUrl, account: [PROVIDER_ID] };
  expect(ran.requests).toEqual([]);
  expect(jsonRows(ran)).toMatchObject([
    { command: "courses rm", ...shared, counts: { ...none, deleted: 2 } },
    { command: "courses update", ...shared, counts: { ...none, updated: 1 } },
    { command: "courses create", ...shared, counts: { ...none, created: 1 } },
  ]);
  const runs = (await recordFiles(r)).map(runOf).reverse();
  const tsv = lines((await r.run("history")).stdout);
  expect(tsv.map((line) => line.split("\t")[0])).toEqual(runs);
  const csv = await r.run("history -o csv --fields run,counts.failed");
  expect(csv.stdout).toBe(`run,counts.failed\r\n${runs.map((run) => `${run},0\r\n`).join("")}`);
});

test("history of a run lists its changes field by field, as text and in other formats", async () => {
  const r = await withRuns();
  const [, updated = ""] = (await recordFiles(r)).map(runOf);
  const text = await r.run(["history", updated]);
  expect(text.stderr).toMatch(
    /^Run \S+: courses update, 2026-01-31 \d\d:\d\d, http\S+, by tester\n$/,
  );
  expect(text.stdout).toBe(`~ New (${id(2)})\n    name: "Course 2" → "New"\n`);
  const fields = [{ path: ["name"], old: "Course 2", new: "New" }];
  expect(jsonRows(await r.run(["history", updated, "--json"]))).toEqual([
    {
      id: id(2),
      name: "New",
      url: "https://academy.example/2",
      file: null,
      line: null,
      action: "update",
      status: "done",
      fields,
    },
  ]);
});

test("history and undo skip a damaged undo record and one of another version with a warning, and exit with 2 if it is named", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run(`courses update ${id(1)} --name New`);
  const damaged = "20990101-000000000-abcdef";
  for (const [content, words] of [
    ["{}\n", ["history", "--json"]],
    // A full disk or a power failure leaves an empty file.
    ["", ["undo", "--yes"]],
  ] as const) {
    await r.write(`${STATE}/${damaged}.ndjson`, content);
    const ran = await r.run(words);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(damaged)]);
  }
  expect(await storedCourses(r)).toMatchObject([{ name: "Course 1" }]);
  expectRefused(await r.run(["history", damaged]), 2);
  expectRefused(await r.run(["undo", "--yes", damaged]), 2);
  const other = JSON.stringify({ catalog: "run", version: 4 });
  await r.write(`${STATE}/${damaged}.ndjson`, `${other}\n`);
  expect((await r.run("history")).stderr).toMatch(/^warning: .*this file has version 4/);
});

test("history of a run writes a page with its origin, note, counts and changed courses", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", [numberedCourse(1, { name: "<New>" })]);
  const environment = { GITHUB_ACTOR: "kim", GITHUB_SHA: "abc123" };
  const push = ["courses", "push", "a.json", "--prune", "--yes", "--record", "push.ndjson"];
  await r.run([...push, "--note", "PR 42 @team"], { environment });
  const ran = await r.run("history push.ndjson --report html=h.html");
  expect([ran.code, ran.requests]).toEqual([0, []]);
  const page = await r.read("h.html");
  for (const text of ["kim", "abc123", "PR 42 @team", "1 updated and 1 deleted", "&lt;New&gt;"]) {
    expect(page).toContain(text);
  }
  const refused = await r.run("history push.ndjson --report markdown=h.md");
  expectRefused(refused, 2);
  expect(refused.stderr).toContain("For example: --report html=courses.html");
});

test("a table of history shows each run on one line with all counts in one column, also at 40 columns and in a pipe", async () => {
  const r = await rigWith(...[1, 2, 3].map((number) => numberedCourse(number)));
  await r.write("a.json", [numberedCourse(1, { name: "New" }), numberedCourse(4)]);
  await r.run("courses push --prune --max-deletes 100% --yes a.json");
  const ran = await r.run("history --no-color", { terminal: true, columns: 80 });
  const [heads = "", run = "", ...others] = ran.stdout.trimEnd().split("\n");
  expect(heads).toMatch(/^RUN +TIME +COMMAND +CHANGES$/);
  expect(run).toMatch(/^\S+ +2026-01-31 12:00 +courses push +\+1 ~1 −2$/);
  expect(others).toEqual([]);
  const narrow = { terminal: true, columns: 40 };
  expect((await r.run("history --no-color", narrow)).stdout).toMatch(/^RUN +CHANGES +…$/m);
  const piped = await r.run("history -o table");
  expect(piped.stdout).toMatch(/^RUN +TIME +COMMAND +CHANGES\n/);
  const fields = await r.run("history --no-color --fields run,undone", {
    terminal: true,
  });
  expect(fields.stdout).toMatch(/RUN +UNDONE\n\S+ +(no|false)\n/i);
});
