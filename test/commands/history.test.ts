import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DEFAULT_KEY } from "../../src/sandbox/seed.ts";
import { PROVIDER_ID, type Rig } from "../rig.ts";
import {
  id,
  jsonRows,
  numberedCourse,
  recordFiles,
  recordLines,
  rigWith,
  runOf,
  storedCourses,
} from "./helpers.ts";
import { writeRequests } from "./push-files.ts";

const two = () => rigWith(numberedCourse(1, { certificate: { type: "free" } }), numberedCourse(2));

test("an undo record has a header without the API key, and each course before and after its request", async () => {
  const r = await two();
  const update = ["courses", "update", id(1), "--name", "New", "--unset", "certificate"];
  expect((await r.run(update)).code).toBe(0);
  const [file = ""] = await recordFiles(r);
  expect(await readFile(file, "utf8")).not.toContain(DEFAULT_KEY);
  const origin = { user: "tester", host: "test-machine", baseUrl: r.sandbox.baseUrl };
  const target = `${r.sandbox.baseUrl} as Example Academy`;
  const run = { run: runOf(file), time: expect.stringMatching(/^2026-01-31T12:00:00/) };
  const command = { command: "courses update", catalogVersion: "0.0.0", account: [PROVIDER_ID] };
  const course = { id: id(1), name: "New", url: "https://academy.example/1" };
  const body = { name: "New", certificate: null };
  const before = { name: "Course 1", certificate: { type: "free" } };
  expect(await recordLines(file)).toEqual([
    { catalog: "run", version: 3, ...run, ...command, ...origin, target },
    { action: "update", ...course, file: null, line: null, body, before },
    { step: 1, status: "done" },
  ]);
});

test("--record writes the undo record to its file as well as to the history, and overwrites no other file", async () => {
  const r = await two();
  const unpublish = ["courses", "unpublish", id(1), "--record"];
  expect((await r.run([...unpublish, "out/run.ndjson"])).code).toBe(0);
  const [stored = ""] = await recordFiles(r);
  expect(await r.read("out/run.ndjson")).toBe(await readFile(stored, "utf8"));
  await r.write("notes.txt", "mine");
  for (const [name, problem] of [
    ["notes.txt", "notes.txt already exists, and --record never overwrites a file"],
    ["-", '--record must be the name of a file, not "-"'],
    ["", '--record must be the name of a file, not ""'],
  ] as const) {
    const ran = await r.run([...unpublish, name]);
    expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
    expect(ran.stderr).toContain(problem);
  }
  expect(await r.read("notes.txt")).toBe("mine");
});

test.each([
  ["rm", ["courses", "rm", "--yes", id(1)]],
  ["unpublish", ["courses", "unpublish", id(1)]],
  ["create", ["courses", "create", "new.json"]],
  ["push", ["courses", "push", "new.json"]],
])("%s without a place for its record sends nothing and exits with 2", async (_, words) => {
  const r = await two();
  await r.write("new.json", numberedCourse(9));
  // Where the folder of the history would be created.
  await r.write(".local/state", "in the way");
  for (const environment of [{}, { HOME: undefined }]) {
    const ran = await r.run([...words, "--quiet"], { environment });
    expect([ran.code, writeRequests(ran)]).toEqual([2, []]);
    expect(ran.stderr).toMatch(/^error: [\s\S]*--record[\s\S]* or --no-record to continue/);
  }
  const unrecorded = await r.run([...words, "--no-record"]);
  expect([unrecorded.code, writeRequests(unrecorded).length]).toEqual([0, 1]);
  expect(unrecorded.stderr).not.toContain("catalog undo");
});

const GITHUB = {
  GITHUB_ACTOR: "octo",
  GITHUB_SHA: "abc123",
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_REPOSITORY: "org/courses",
  GITHUB_RUN_ID: "77",
};
const GITLAB = {
  GITLAB_USER_LOGIN: "lab",
  CI_COMMIT_SHA: "def456",
  CI_JOB_URL: "https://gitlab.example/jobs/5",
};

test.each([
  [GITHUB, ["octo", "abc123", "https://github.example/org/courses/actions/runs/77"]],
  [GITLAB, ["lab", "def456", "https://gitlab.example/jobs/5"]],
])(
  "an undo record names the user, the CI job, its commit and the text of --note: %j",
  async (environment, [actor, commit, runUrl]) => {
    const r = await two();
    await r.run(["courses", "unpublish", id(1), "--note", "PR 42 ✓"], { environment });
    const [header] = await recordLines((await recordFiles(r))[0] ?? "");
    const origin = { actor, commit, runUrl, note: "PR 42 ✓" };
    expect(header).toMatchObject({ user: "tester", host: "test-machine", ...origin });
    expect(jsonRows(await r.run("history --json"))).toMatchObject([origin]);
  },
);

async function withRuns(): Promise<Rig> {
  const r = await two();
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
  expect((await r.run("history")).stdout.match(/^[^\t]+/gm)).toEqual(runs);
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
  const course = { id: id(2), name: "New", url: "https://academy.example/2" };
  expect(jsonRows(await r.run(["history", updated, "--json"]))).toEqual([
    { ...course, file: null, line: null, action: "update", status: "done", fields },
  ]);
});

test("history and undo skip a damaged undo record and one of another version with a warning, and exit with 2 if it is named", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.run(`courses update ${id(1)} --name New`);
  const damaged = "20990101-000000000-abcdef";
  for (const [content, line, warning] of [
    ["{}\n", "history", damaged],
    ['{"catalog":"run","version":4}\n', "history", "this file has version 4"],
    // A full disk or a power failure leaves an empty file.
    ["", "undo --yes", damaged],
  ] as const) {
    await r.write(`.local/state/catalog/history/${damaged}.ndjson`, content);
    const ran = await r.run(line);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(warning)]);
    expect(await r.run(`${line} ${damaged}`)).toMatchObject({ code: 2, requests: [] });
  }
  expect(await storedCourses(r)).toMatchObject([{ name: "Course 1" }]);
});

test("history of a run writes a page with its origin, note, counts and changed courses", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", [numberedCourse(1, { name: "<New>" })]);
  const push = ["courses", "push", "a.json", "--prune", "--yes", "--record", "push.ndjson"];
  await r.run([...push, "--note", "PR 42 @team"], { environment: GITHUB });
  const ran = await r.run("history push.ndjson --report html=h.html");
  expect([ran.code, ran.requests]).toEqual([0, []]);
  const page = await r.read("h.html");
  for (const text of ["octo", "abc123", "PR 42 @team", "1 updated and 1 deleted", "&lt;New&gt;"]) {
    expect(page).toContain(text);
  }
  expect((await r.run("history push.ndjson --report markdown=h.md")).code).toBe(2);
});

test("a table of history shows each run on one line with all counts in one column, also at 40 columns and in a pipe", async () => {
  const r = await rigWith(...[1, 2, 3].map((number) => numberedCourse(number)));
  await r.write("a.json", [numberedCourse(1, { name: "New" }), numberedCourse(4)]);
  await r.run("courses push --prune --max-deletes 100% --yes a.json");
  const history = async (flags: string, options = {}) =>
    (await r.run(`history --no-color ${flags}`, { terminal: true, ...options })).stdout;
  expect(await history("-o table")).toMatch(
    /^RUN +TIME +COMMAND +CHANGES\n\S+ +2026-01-31 12:00 +courses push +\+1 ~1 −2\n$/,
  );
  expect(await history("-o table", { columns: 40 })).toMatch(/^RUN +CHANGES +…$/m);
  expect(await history("-o table", { terminal: false })).toMatch(/^RUN +TIME +COMMAND +CHANGES\n/);
  expect(await history("--fields run,undone")).toMatch(/RUN +UNDONE\n\S+ +(no|false)\n/i);
});
