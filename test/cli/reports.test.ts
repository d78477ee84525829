import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPORT_FLAG } from "../../src/cli/arguments.ts";
import { rig } from "../rig.ts";

/** A folder with a course file that has errors, and the result of a check with reports. */
async function desk(environment: Readonly<Record<string, string>> = {}) {
  const r = await rig();
  await r.write("a.json", '[{"name":"Knitting","url":"https://academy.example/1"}]');
  return {
    r,
    check: (...reports: readonly string[]) =>
      r.run(["courses", "check", "a.json", ...reports.flatMap((each) => ["--report", each])], {
        environment,
      }),
  };
}

test("--report reports a file that cannot be written, and writes the others", async () => {
  const { r, check } = await desk();
  await mkdir(join(r.folder, "folder"));
  await r.write("file", "kept");
  const ran = await check("codequality=folder", "sarif=file/below.sarif", "junit=ok.xml");
  expect([ran.code, ran.stderr]).toEqual([
    3,
    expect.stringMatching(
      /cannot write folder: it is a folder\n.*cannot write file\/below\.sarif: (not a directory|file already exists)/,
    ),
  ]);
  expect(await r.read("ok.xml")).toContain("<testsuites");
  expect(await r.read("file")).toBe("kept");
  expect((await readdir(r.folder)).sort()).toEqual(["a.json", "file", "folder", "ok.xml"]);
});

test("--report appends to the summary of a GitHub step, because all commands of the step share it", async () => {
  const { r, check } = await desk({ GITHUB_STEP_SUMMARY: "summary.md" });
  await r.write("summary.md", "# Mine\n<div>");
  await check("markdown=./summary.md");
  await check("markdown=summary.md");
  const page = await r.read("summary.md");
  expect(page).toMatch(/^# Mine\n<div>\n\n## Course files\n/);
  expect(page.match(/## Course files/g)).toHaveLength(2);
});

test("--report accepts a format and a file, any number of times", () => {
  expect(REPORT_FLAG).toMatchObject({ name: "report", repeatable: true });
  const parsed = ["codequality=a.json", "junit=b/c=d.xml"].map(REPORT_FLAG.parse);
  expect(parsed).toEqual([
    { format: "codequality", file: "a.json" },
    { format: "junit", file: "b/c=d.xml" },
  ]);
});
