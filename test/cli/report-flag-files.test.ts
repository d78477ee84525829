import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { REPORT_FLAG, type ReportTarget, writeReports } from "../../src/cli/report.ts";
import { Messages } from "../../src/output/messages.ts";
import { reportText } from "../../src/output/report.ts";
import { plain } from "../../src/output/text-measure.ts";
import { finding, reportOf } from "../output/report-rig.ts";
import { MemoryOutput } from "../rig.ts";

const REPORT = reportOf([finding({ suggestion: "currency" })], ["good.yaml"]);

function requests(report: readonly string[]): readonly ReportTarget[] {
  return report.map(REPORT_FLAG.parse);
}

/** A folder, and the result of writing reports there. */
async function desk(environment: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "catalog-report-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const out = new MemoryOutput();
  const err = new MemoryOutput();
  const messages = new Messages({
    err,
    json: false,
    quiet: false,
    verbose: false,
    styles: plain,
  });
  return {
    folder,
    out,
    err,
    messages,
    path: (name: string) => join(folder, name),
    read: (name: string) => readFile(join(folder, name), "utf8"),
    write: (...texts: string[]) =>
      writeReports(requests(texts), REPORT.files, (format) => reportText(format, REPORT), {
        folder,
        environment,
        messages,
      }),
  };
}

const ISSUES = String(await reportText("codequality", REPORT));

describe("report files", () => {
  test("--report reports a file that cannot be written, and writes the others", async () => {
    const at = await desk();
    await mkdir(at.path("folder"));
    await writeFile(at.path("file"), "kept");
    await at.write("codequality=folder", "sarif=file/below.sarif", "junit=ok.xml");
    expect(at.messages.kinds).toEqual(["output", "output"]);
    expect(at.err.text).toContain("cannot write folder: it is a folder");
    expect(at.err.text).toMatch(
      /cannot write file\/below\.sarif: (not a directory|file already exists)/,
    );
    expect(await at.read("ok.xml")).toContain("<testsuites");
    expect(await at.read("file")).toBe("kept");
    expect((await readdir(at.folder)).sort()).toEqual(["file", "folder", "ok.xml"]);
  });
});

describe("the summary of a step on GitHub", () => {
  test("--report appends to the summary of a GitHub step, because all commands of the step share it", async () => {
    const at = await desk({ GITHUB_STEP_SUMMARY: "summary.md" });
    await writeFile(at.path("summary.md"), "# Mine\n<div>");
    await at.write("markdown=./summary.md", "codequality=a.json");
    await at.write("markdown=summary.md");
    const page = await at.read("summary.md");
    expect(page).toMatch(/^# Mine\n<div>\n\n## Course files\n/);
    expect(page.match(/## Course files/g)).toHaveLength(2);
    expect(await at.read("a.json")).toBe(ISSUES);
  });
});
