import { expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import { findings, lines, numberedCourse } from "./helpers.ts";
import { SEWING } from "./push-files.ts";

/** A rig with a valid file, one with two errors in values and an unknown key, and one with a warning. */
async function rigWithMixedFiles(): Promise<Rig> {
  const r = await rig();
  await r.write("courses/a-good.json", numberedCourse(1));
  const bad = SEWING.replace("[en]", "[en, xx]").replace("self_paced", "self-paced");
  await r.write("courses/b-bad.yaml", `${bad}color: red\n`);
  await r.write("courses/c-warned.json", numberedCourse(2, { approval_status: "pending" }));
  return r;
}

test("check prints each problem of each file as path:line:column: severity: message [rule]", async () => {
  const ran = await (await rigWithMixedFiles()).run("courses check courses");
  expect([ran.code, ran.stderr, ran.requests]).toEqual([3, "", []]);
  expect(lines(ran.stdout)).toEqual([
    expect.stringMatching(/^courses\/b-bad\.yaml:6:13: error: .* \[[a-z-]+\]$/),
    expect.stringMatching(/^courses\/b-bad\.yaml:8:7: error: .* Did you mean "self_paced"\? \[/),
    expect.stringMatching(/^courses\/b-bad\.yaml:9:1: error: .* \[[a-z-]+\]$/),
    expect.stringMatching(/^courses\/c-warned\.json:1:\d+: warning: .* \[[a-z-]+\]$/),
    "3 errors and 1 warning in 2 of 3 files",
  ]);
});

test("check also shows the source line and a caret on a terminal", async () => {
  const r = await rigWithMixedFiles();
  const ran = await r.run("courses check courses --no-color", { terminal: true });
  expect(ran.stdout).toContain("  8 | pace: self-paced\n    |       ^^^^^^^^^^\n");
});

test("check prints a count and exits with 0 if no file has a problem", async () => {
  const ran = await (await rigWithMixedFiles()).run("courses check courses/a-good.json");
  expect([ran.code, ran.stdout]).toEqual([0, "1 file, 1 course: no problems\n"]);
});

test("check reports a missing provider as the field provider, and a misspelled one only as unknown", async () => {
  const r = await rig();
  const { provider_id: _, ...without } = numberedCourse(1);
  await r.write("a.json", [
    numberedCourse(2),
    without,
    { ...without, url: "x", Provider: "example-academy" },
  ]);
  const { stdout } = await r.run("courses check a.json");
  expect(stdout.match(/error: .*provider.*/gi)).toEqual([
    "error: provider is missing [required]",
    expect.stringContaining('unknown field "Provider"'),
  ]);
});

test("check exits with 0 for warnings only; --strict makes them errors and exits with 3", async () => {
  const r = await rigWithMixedFiles();
  const ran = await r.run("courses check courses/c-warned.json");
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining(": warning: approval_")]);
  const strict = await r.run("courses check courses/c-warned.json --strict");
  expect([strict.code, strict.stdout]).toEqual([3, expect.stringContaining(": error: approval_")]);
});

test("check reports a duplicate id or url of several files with the line of the first", async () => {
  const r = await rig();
  const { id, url } = numberedCourse(1);
  await r.write("a.json", numberedCourse(1));
  await r.write("b.json", [numberedCourse(2, { id }), numberedCourse(3, { url, id: undefined })]);
  const found = findings(await r.run("courses check a.json b.json --json"));
  expect(found.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
    "b.json duplicate-id",
    "b.json duplicate-url",
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

test.each(["empty.yaml", "empty.csv", "folder"])(
  "check exits with 3 and names the empty file or the folder without course files: %s",
  async (path) => {
    const r = await rig();
    await r.write("empty.yaml", "# nothing\n");
    await r.write("empty.csv", "\ufeff\r\n");
    await r.write("folder/readme.md", "x");
    const ran = await r.run(`courses check ${path}`);
    expect([ran.code, ran.stdout]).toEqual([3, expect.stringContaining(`${path}:1:1: error: `)]);
  },
);

test("check prints the counts and the problems as JSON with --json", async () => {
  const ran = await (await rigWithMixedFiles()).run("courses check courses --json");
  expect(ran.code).toBe(3);
  const counts = { files: 3, courses: 3, errors: 3, warnings: 1 };
  expect(JSON.parse(ran.stdout)).toMatchObject(counts);
  const place = { file: "courses/b-bad.yaml", line: 8, column: 7 };
  const meant = { suggestion: "self_paced", fix: "self_paced" };
  const problem = { severity: "error", rule: "choice", message: expect.any(String) };
  expect(findings(ran)[1]).toEqual({ ...place, ...problem, ...meant });
});

test("check -o github prints annotations; in GitHub Actions they follow the text report", async () => {
  const r = await rigWithMixedFiles();
  const { code, stdout: annotations } = await r.run("courses check courses -o github");
  expect(code).toBe(3);
  expect(annotations).toMatch(
    /^::error file=courses\/b-bad\.yaml,line=8,col=7,[^:]*::pace must be self_paced or /m,
  );
  expect(annotations).toContain("::warning file=courses/c-warned.json");
  const environment = { GITHUB_ACTIONS: "true" };
  const printed = async (line: string) => (await r.run(line, { environment })).stdout;
  const { stdout: text } = await r.run("courses check courses");
  expect(await printed("courses check courses")).toBe(text + annotations);
  expect(await printed("courses check courses -o human")).toBe(text);
});
