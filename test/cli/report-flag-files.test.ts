import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

const ISSUES = await reportText("codequality", REPORT);

describe("report files", () => {
  test("--report creates each file and its folders below the current folder", async () => {
    const at = await desk();
    await at.write(
      "codequality=a.json",
      "junit=reports/b/c.xml",
      "sarif=reports/d.sarif",
      "markdown=e.md",
    );
    expect(await at.read("a.json")).toBe(ISSUES);
    expect(await at.read("reports/b/c.xml")).toMatch(/^<\?xml .*<\/testsuites>\n$/s);
    expect(JSON.parse(await at.read("reports/d.sarif"))).toMatchObject({ version: "2.1.0" });
    expect(await at.read("e.md")).toMatch(/^## Course files\n/);
    expect([at.messages.kinds, at.out.text, at.err.text]).toEqual([[], "", ""]);
    expect((await readdir(at.folder)).sort()).toEqual(["a.json", "e.md", "reports"]);
  });

  test("--report creates files that other users can read", async () => {
    const at = await desk();
    // The umask of the user decides who can read new files.
    const allowed = ~process.umask();
    await at.write("codequality=reports/a.json");
    expect((await stat(at.path("reports/a.json"))).mode & 0o777).toBe(0o666 & allowed);
    expect((await stat(at.path("reports"))).mode & 0o777).toBe(0o777 & allowed);
  });

  test("--report replaces an existing file, keeps its mode, and leaves no temporary file", async () => {
    const at = await desk();
    await writeFile(at.path("a.json"), "x".repeat(99_999));
    await chmod(at.path("a.json"), 0o640);
    await at.write("codequality=a.json");
    expect(await at.read("a.json")).toBe(ISSUES);
    expect((await stat(at.path("a.json"))).mode & 0o777).toBe(0o640);
    expect(await readdir(at.folder)).toEqual(["a.json"]);
  });

  test("--report does not modify a file that another process is reading", async () => {
    const at = await desk();
    await writeFile(at.path("a.json"), "old");
    const reader = await open(at.path("a.json"));
    onTestFinished(() => reader.close());
    await at.write("codequality=a.json");
    expect(await reader.readFile("utf8")).toBe("old");
  });

  test("--report reports a file that cannot be written, and writes the others", async () => {
    const at = await desk();
    await mkdir(at.path("folder"));
    await writeFile(at.path("file"), "kept");
    await at.write("codequality=folder", "sarif=file/below.sarif", "junit=ok.xml");
    expect(at.messages.kinds).toEqual(["output", "output"]);
    expect(at.err.text).toContain("cannot write folder: it is a folder");
    expect(at.err.text).toMatch(
      /cannot write file\/below\.sarif: (not a folder|file already exists)/,
    );
    expect(await at.read("ok.xml")).toContain("<testsuites");
    expect(await at.read("file")).toBe("kept");
    expect((await readdir(at.folder)).sort()).toEqual(["file", "folder", "ok.xml"]);
  });

  test("--report never overwrites a course file that the report is about", async () => {
    const at = await desk();
    const file = REPORT.files[0] ?? "";
    await mkdir(dirname(at.path(file)));
    await writeFile(at.path(file), "name: A\n");
    await at.write(`codequality=./${file}`, "junit=ok.xml");
    expect(at.messages.kinds).toEqual(["output"]);
    expect(at.err.text).toContain("it is one of the course files");
    expect(await at.read(file)).toBe("name: A\n");
    expect(await at.read("ok.xml")).toContain("<testsuites");
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

  test("--report replaces files other than the summary of a GitHub step, even if its variable is empty", async () => {
    for (const name of ["other.md", ""]) {
      const at = await desk({ GITHUB_STEP_SUMMARY: name });
      await writeFile(at.path("summary.md"), "old");
      await at.write("markdown=summary.md");
      expect(await at.read("summary.md")).toMatch(/^## Course files\n/);
    }
  });
});
