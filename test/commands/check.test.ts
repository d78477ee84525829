import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { findings, lines, numberedCourse } from "./helpers.ts";

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
  expect(lines(ran.stdout)).toEqual([
    expect.stringMatching(/^courses\/b-bad\.yaml:5:13: error: .* \[[a-z-]+\]$/),
    expect.stringMatching(/^courses\/b-bad\.yaml:7:7: error: .* Did you mean "self_paced"\? \[/),
    expect.stringMatching(/^courses\/b-bad\.yaml:8:1: error: .* \[[a-z-]+\]$/),
    expect.stringMatching(/^courses\/c-warned\.json:1:\d+: warning: .* \[[a-z-]+\]$/),
    "3 errors and 1 warning in 2 of 3 files",
  ]);
});

test("check also shows the source line and a caret on a terminal", async () => {
  const r = await rigWithMixedFiles();
  const ran = await r.run("courses check courses --no-color", { terminal: true });
  expect(ran.stdout).toContain("  7 | pace: self-paced\n    |       ^^^^^^^^^^\n");
});

test("check prints a count and exits with 0 if no file has a problem", async () => {
  const ran = await (await rigWithMixedFiles()).run("courses check courses/a-good.json");
  expect([ran.code, ran.stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
});

test("check reports a missing provider as the field provider, and a misspelled one only as unknown", async () => {
  const r = await rig();
  const { provider_id: _, ...without } = numberedCourse(1);
  await r.write("c/a.json", without);
  await r.write("c/b.json", { ...without, url: "x", Provider: "example-academy" });
  const found = lines((await r.run("courses check c")).stdout);
  expect(found.filter((line) => /provider/i.test(line))).toEqual([
    expect.stringContaining("error: provider is missing [required]"),
    expect.stringContaining('unknown field "Provider"'),
  ]);
});

test("check exits with 0 for warnings only; --strict makes them errors and exits with 3", async () => {
  const r = await rigWithMixedFiles();
  const ran = await r.run("courses check courses/c-warned.json");
  expect([ran.code, ran.stdout]).toEqual([
    0,
    expect.stringContaining(": warning: approval_status"),
  ]);
  const strict = await r.run("courses check courses/c-warned.json --strict");
  expect([strict.code, strict.stdout]).toEqual([3, expect.stringContaining(": error: ")]);
  expect(strict.stdout).not.toContain("warning");
});

test("check reports a duplicate id or url of several files with the line of the first", async () => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1));
  const { id, url } = numberedCourse(1);
  await r.write("b.json", [
    numberedCourse(2, { id }),
    { ...numberedCourse(3, { url }), id: undefined },
  ]);
  const found = findings(await r.run("courses check a.json b.json --json"));
  expect(found.map(({ file, rule }) => [file, rule])).toEqual([
    ["b.json", "duplicate-id"],
    ["b.json", "duplicate-url"],
  ]);
  expect(found[0]?.message).toContain("the course at a.json:1");
});

test("check --online reads the providers once and checks the provider and host of each course", async () => {
  const r = await rig();
  const other = "11111111-1111-4111-8111-111111111111";
  await r.write("c/a.json", numberedCourse(1, { provider_id: other }));
  await r.write("c/b.json", numberedCourse(2, { url: "https://elsewhere.example/b" }));
  await r.write("c/c.json", numberedCourse(3, { url: "https://www.academy.example/c" }));
  expect((await r.run("courses check c")).code).toBe(0);
  const ran = await r.run("courses check --online c --json");
  expect([ran.code, ran.requests]).toEqual([3, ["GET /developer/v1/providers"]]);
  expect(findings(ran).map(({ file, rule }) => [file, rule])).toEqual([
    ["c/a.json", "provider-owned"],
    ["c/b.json", "url-host"],
  ]);
});

test("check exits with 3 and names the path of an empty file or a folder without course files", async () => {
  const r = await rig();
  await r.write("empty.yaml", "# nothing\n");
  await r.write("empty.csv", "\ufeff\r\n");
  await r.write("folder/readme.md", "x");
  for (const path of ["empty.yaml", "empty.csv", "folder"]) {
    const ran = await r.run(["courses", "check", path]);
    expect([ran.code, ran.stdout]).toEqual([3, expect.stringContaining(`${path}:1:1: error: `)]);
  }
});

test.each<[Readonly<Record<string, unknown>>, string | undefined]>([
  [{ published: "true" }, "true"],
  [{ number_of_lessons: "6" }, "6"],
  [{ lveel: ["beginner"] }, '"level"'],
  [{ note: "x" }, undefined],
])("check reads %j and suggests %s", async (change, suggestion) => {
  const r = await rig();
  await r.write("a.json", numberedCourse(1, change));
  const { stdout } = await r.run("courses check a.json");
  expect(/Did you mean (.*)\? \[/.exec(stdout)?.[1]).toBe(suggestion);
});

test.each(["--json", "-o json"])(
  "check prints the counts and the problems as JSON with %s",
  async (format) => {
    const ran = await (await rigWithMixedFiles()).run(`courses check courses ${format}`);
    expect(ran.code).toBe(3);
    const counts = { files: 3, courses: 3, errors: 3, warnings: 1 };
    expect(JSON.parse(ran.stdout)).toMatchObject(counts);
    expect(findings(ran)[1]).toEqual({
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
  const { code, stdout: annotations } = await r.run("courses check courses -o github");
  expect(code).toBe(3);
  expect(lines(annotations)[1]).toMatch(
    /^::error file=courses\/b-bad\.yaml,line=7,col=7,[^:]*::pace must be self_paced or /,
  );
  expect(annotations).toContain("::warning file=courses/c-warned.json");
  const { stdout: text } = await r.run("courses check courses");
  const environment = { GITHUB_ACTIONS: "true" };
  const inWorkflow = await r.run("courses check courses", { environment });
  expect(inWorkflow.stdout).toBe(text + annotations);
  expect((await r.run("courses check courses -o human", { environment })).stdout).toBe(text);
});
