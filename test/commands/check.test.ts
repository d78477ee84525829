import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { parseReport } from "./check-files.ts";
import { lines, numberedCourse } from "./helpers.ts";

/** Two errors in values and one unknown key. */
const BAD_COURSE = `name: Sewing
url: https://academy.example/sewing
short_description: Short.
long_description: Long.
audio: [en, xx]
provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21
pace: self-paced
color: red
`;

/** A rig with a valid file, an invalid one and one with a warning. */
async function rigWithMixedFiles(): Promise<Rig> {
  const r = await rig();
  await r.write("courses/a-good.json", numberedCourse(1));
  await r.write("courses/b-bad.yaml", BAD_COURSE);
  await r.write("courses/c-warned.json", numberedCourse(2, { approval_status: "pending" }));
  return r;
}

test("check prints each problem of each file as path:line:column: severity: message [rule]", async () => {
  const ran = await (await rigWithMixedFiles()).run("courses check courses");
  expect([ran.code, ran.stderr, ran.requests]).toEqual([3, "", []]);
  const found = lines(ran.stdout);
  expect(found.slice(0, 4).map((line) => /^\S+ \w+: /.exec(line)?.[0])).toEqual([
    "courses/b-bad.yaml:5:13: error: ",
    "courses/b-bad.yaml:7:7: error: ",
    "courses/b-bad.yaml:8:1: error: ",
    expect.stringMatching(/^courses\/c-warned\.json:1:\d+: warning: $/),
  ]);
  for (const line of found.slice(0, 4)) expect(line).toMatch(/ \[[a-z-]+\]$/);
  expect(found[1]).toContain('Did you mean "self_paced"?');
  expect(found[4]).toBe("3 errors and 1 warning in 2 of 3 files");
  expect(found).toHaveLength(5);
});

test("check also shows the source line and a caret on a terminal", async () => {
  const ran = await (await rigWithMixedFiles()).run("courses check courses --no-color", {
    terminal: true,
  });
  expect(ran.stdout).toContain("  7 | pace: self-paced\n    |       ^^^^^^^^^^\n");
});

test("check prints a count and exits with 0 if no file has a problem", async () => {
  const ran = await (await rigWithMixedFiles()).run("courses check courses/a-good.json");
  expect([ran.code, ran.stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
});

test("check reports a misspelled provider once, and not also as missing", async () => {
  const r = await rig();
  const { provider_id, ...others } = numberedCourse(1);
  await r.write("a.json", { ...others, Provider: "example-academy" });
  const ran = await r.run("courses check a.json -o json");
  const { errors, problems } = parseReport(ran);
  expect([errors, problems]).toMatchObject([1, [{ rule: "unknown-field" }]]);
});

test("check exits with 0 for warnings only; --strict makes them errors and exits with 3", async () => {
  const r = await rigWithMixedFiles();
  const words = ["courses", "check", "courses/c-warned.json"];
  const ran = await r.run(words);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain(": warning: ");
  expect(ran.stdout).toContain("approval_status");
  const strict = await r.run([...words, "--strict"]);
  expect(strict.code).toBe(3);
  expect(strict.stdout).toContain(": error: ");
  expect(strict.stdout).not.toContain("warning");
});

test("check reports a duplicate id or url of several files with the line of the first", async () => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1));
  await r.write("b.json", [
    numberedCourse(1),
    numberedCourse(2, { id: `${numberedCourse(1).id}` }),
  ]);
  const ran = await r.run("courses check a.json b.json --json");
  expect(parseReport(ran).problems.map(({ file, rule }) => [file, rule])).toEqual([
    ["b.json", "duplicate-id"],
    ["b.json", "duplicate-id"],
  ]);
  expect(String(parseReport(ran).problems[0]?.message)).toContain("the course at a.json:1");
});

const ONLINE = ["courses", "check", "--online"];

test("check --online reads the providers once and checks the provider and host of each course", async () => {
  const r = await rig();
  const other = "11111111-1111-4111-8111-111111111111";
  await r.write("a.json", numberedCourse(1, { provider_id: other }));
  await r.write("b.json", numberedCourse(2, { url: "https://elsewhere.example/b" }));
  await r.write("c.json", numberedCourse(3, { url: "https://www.academy.example/c" }));
  const files = ["a.json", "b.json", "c.json"];
  expect((await r.run(["courses", "check", ...files])).code).toBe(0);
  const ran = await r.run([...ONLINE, ...files, "--json"]);
  expect([ran.code, ran.requests]).toEqual([3, ["GET /developer/v1/providers"]]);
  expect(parseReport(ran).problems.map(({ file, rule }) => [file, rule])).toEqual([
    ["a.json", "provider-owned"],
    ["b.json", "url-host"],
  ]);
});

test("check names the field provider, which most courses have, if a course has no provider", async () => {
  const r = await rig();
  const { provider_id: _, ...without } = numberedCourse(1);
  await r.write("a.json", without);
  const ran = await r.run("courses check a.json");
  expect(lines(ran.stdout)[0]).toContain("error: provider is missing [required]");
});

test("check exits with 3 and names the path of an empty file or a folder without course files", async () => {
  const r = await rigWithMixedFiles();
  await r.write("empty.yaml", "# nothing\n");
  await r.write("empty.csv", "\ufeff\r\n");
  await r.write("folder/readme.md", "x");
  for (const path of ["empty.yaml", "empty.csv", "folder"]) {
    const ran = await r.run(["courses", "check", path]);
    expect([ran.code, ran.stdout]).toEqual([3, expect.stringContaining(`${path}:1:1: error: `)]);
  }
});

const suggestionFor = async (
  change: Readonly<Record<string, unknown>>,
): Promise<string | undefined> => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1, change));
  const found = lines((await r.run("courses check a.json")).stdout);
  return /Did you mean (.*)\? \[/.exec(found[0] ?? "")?.[1];
};

test.each<[Readonly<Record<string, unknown>>, string | undefined]>([
  [{ published: "true" }, "true"],
  [{ number_of_lessons: "6" }, "6"],
  [{ audio: [false] }, undefined],
  [{ lveel: ["beginner"] }, '"level"'],
  [{ note: "x" }, undefined],
  [{ video: { type: "youtube", id: "a", ulr: "x" } }, '"url"'],
])("check reads %j and suggests %s", async (change, suggestion) => {
  expect(await suggestionFor(change)).toBe(suggestion);
});

test.each([["--json"], ["-o", "json"]])(
  "check prints the counts and the problems as JSON with %s %s",
  async (...words) => {
    const ran = await (await rigWithMixedFiles()).run(["courses", "check", "courses", ...words]);
    expect(ran.code).toBe(3);
    expect(parseReport(ran)).toMatchObject({ files: 3, courses: 3, errors: 3, warnings: 1 });
    expect(parseReport(ran).problems[1]).toEqual({
      file: "courses/b-bad.yaml",
      line: 7,
      column: 7,
      severity: "error",
      rule: "choice",
      message: expect.any(String),
      suggestion: "self_paced",
      fix: "self_paced",
    });
  },
);

test("check -o github prints annotations; in GitHub Actions they follow the text report", async () => {
  const r = await rigWithMixedFiles();
  const ran = await r.run("courses check courses -o github");
  expect(ran.code).toBe(3);
  expect(lines(ran.stdout)[1]).toMatch(
    /^::error file=courses\/b-bad\.yaml,line=7,col=7,[^:]*::pace must be self_paced or /,
  );
  expect(ran.stdout).toContain("::warning file=courses/c-warned.json");
  const environment = { GITHUB_ACTIONS: "true" };
  const inWorkflow = await r.run("courses check courses", { environment });
  expect(inWorkflow.stdout).toContain("courses/b-bad.yaml:7:7: error: ");
  expect(inWorkflow.stdout).toContain("\n3 errors and 1 warning in 2 of 3 files\n");
  expect(inWorkflow.stdout.endsWith(ran.stdout)).toBe(true);
  const human = await r.run("courses check courses -o human", {
    environment,
  });
  expect(human.stdout).toContain("courses/b-bad.yaml:7:7: error: ");
  expect(human.stdout).not.toContain("::");
});
