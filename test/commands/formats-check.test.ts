/** The findings of `courses check` in the formats of --output. */
import { parse as parseCsv } from "csv-parse/sync";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import type { RunResult } from "../rig.ts";
import { parseReport, rigWithMixedFiles } from "./check-files.ts";
import { jsonMessages, lines } from "./helpers.ts";

const CHECK = ["courses", "check", "courses"];
const COLUMNS = ["file", "line", "column", "severity", "rule", "message", "suggestion"] as const;

async function check(...words: readonly string[]) {
  return await (await rigWithMixedFiles()).run([...CHECK, ...words]);
}

/** Expects a usage error, as text or JSON, before any other effect. */
function expectRefused(ran: RunResult): void {
  expect([ran.code, ran.stdout, ran.requests]).toEqual([2, "", []]);
  expect(ran.stderr).toMatch(/^(error: |\{"error":\{"kind":"usage")/);
}

describe("check: findings", () => {
  test("in csv are rows, with the summary on stderr", async () => {
    const found = parseReport(await check("--json")).diagnostics;
    const ran = await check("-o", "csv");
    expect(ran.code).toBe(3);
    const rows: Record<string, string>[] = parseCsv(ran.stdout, { columns: true });
    expect(rows).toEqual(
      found.map((finding) =>
        Object.fromEntries(COLUMNS.map((name) => [name, String(finding[name] ?? "")])),
      ),
    );
    expect(ran.stderr).toBe("3 errors and 1 warning in 2 of 3 files.\n");
    expect(await check("-o", "csv", "--quiet")).toMatchObject({ stdout: ran.stdout, stderr: "" });
  });

  test("in ndjson are one per line, with the keys of the report", async () => {
    const ran = await check("-o", "ndjson");
    expect(lines(ran.stdout).map((line) => JSON.parse(line))).toEqual(
      parseReport(await check("--json")).diagnostics,
    );
    expect(jsonMessages(ran)).toEqual([
      {
        notice: "3 errors and 1 warning in 2 of 3 files.",
        counts: { files: 3, courses: 3, errors: 3, warnings: 1 },
      },
    ]);
  });

  test("in yaml are the same report as in json, with nothing on stderr", async () => {
    const ran = await check("-o", "yaml");
    expect([ran.code, ran.stderr]).toEqual([3, ""]);
    expect(load(ran.stdout)).toEqual(parseReport(await check("--json")));
  });

  test("in a table have a header and fit the terminal", async () => {
    const options = { terminal: true, columns: 100, environment: { NO_COLOR: "1" } };
    const ran = await (await rigWithMixedFiles()).run([...CHECK, "-o", "table"], options);
    const [header, ...rows] = lines(ran.stdout);
    expect(header?.split(/ {2,}/)).toEqual(COLUMNS.map((name) => name.toUpperCase()));
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(100);
    expect(rows.join("\n")).toMatch(/b-bad\.yaml +7 +7 +error +choice +pace must/);
  });

  test("are an empty document with a summary on stderr and exit code 0 if there are none", async () => {
    const r = await rigWithMixedFiles();
    const run = (format: string) =>
      r.run(["courses", "check", "courses/a-good.json", "-o", format]);
    const summary = "1 file, 1 course: no problems.\n";
    expect(await run("csv")).toMatchObject({
      code: 0,
      stdout: `${COLUMNS.join(",")}\r\n`,
      stderr: summary,
    });
    expect(await run("table")).toMatchObject({ code: 0, stdout: "", stderr: summary });
    expect(await run("ndjson")).toMatchObject({ code: 0, stdout: "" });
    expect(load((await run("yaml")).stdout)).toMatchObject({ files: 1, diagnostics: [] });
  });

  test("about a file that cannot be read are rows", async () => {
    const r = await rigWithMixedFiles();
    const ran = await r.run([...CHECK, "courses/gone.yaml", "-o", "ndjson"]);
    const found = lines(ran.stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(found.at(-1)).toMatchObject({ file: "courses/gone.yaml", line: 1, severity: "error" });
    expect(ran.code).toBe(3);
  });

  test("have no ids, so -o id is a usage error before any request", async () => {
    const ran = await check("-o", "id", "--online");
    expectRefused(ran);
    expect(ran.stderr).toContain("--output id cannot be combined with check");
  });
});

describe("check --fields", () => {
  test("selects keys of findings if rows are printed", async () => {
    const ran = await check("-o", "csv", "--fields", "rule,path[0],endLine");
    expect(lines(ran.stdout.replaceAll("\r", ""))).toEqual([
      "rule,path[0],endLine",
      "language-code,audio,5",
      "choice,pace,7",
      "unknown-key,color,8",
      "read-only,approval_status,1",
    ]);
  });

  test.each([
    ["-o", "json"],
    ["-o", "yaml"],
    ["--format", "json"],
  ])("selects keys of the report with %s %s", async (...words) => {
    const ran = await check(...words, "--fields", "errors,diagnostics[0].rule");
    expect(load(ran.stdout)).toEqual({ errors: 3, "diagnostics[0].rule": "language-code" });
  });

  test.each([
    ["-o", "csv", "--fields", "rul"],
    ["-o", "csv", "--fields", "errors"],
    ["-o", "json", "--fields", "rule"],
    ["-o", "json", "--fields", "diagnostics[0].rul"],
    ["--fields", "rule"],
    ["--format", "github", "--fields", "rule"],
  ])("is a usage error if it has no effect: %s %s %s %s", async (...words) => {
    expectRefused(await check(...words.filter((word) => word !== undefined)));
  });
});

describe("check: --format and --output", () => {
  test.each([
    ["human", "table"],
    ["github", "csv"],
    ["json", "yaml"],
    ["human", "json"],
  ])("%s and %s cannot be combined", async (style, format) => {
    const ran = await check("--format", style, "-o", format);
    expectRefused(ran);
    expect(ran.stderr).toContain("cannot be combined with");
  });

  test("can both be json", async () => {
    expect((await check("--format", "json", "-o", "json")).stdout).toBe(
      (await check("--json")).stdout,
    );
  });

  test("override the default of a GitHub workflow", async () => {
    const environment = { GITHUB_ACTIONS: "true" };
    const ran = await (await rigWithMixedFiles()).run([...CHECK, "-o", "csv"], { environment });
    expect(ran.stdout).toMatch(/^file,line,/);
  });
});

describe("check --explain", () => {
  test.each([
    ["-o", "json"],
    ["--format", "json"],
  ])("prints an object with %s %s", async (...words) => {
    const ran = await (await rigWithMixedFiles()).run([
      "courses",
      "check",
      "--explain",
      "choice",
      ...words,
    ]);
    expect(JSON.parse(ran.stdout)).toMatchObject({ rule: "choice", severity: "error" });
  });

  test.each([
    ["-o", "csv"],
    ["-o", "id"],
    ["--json", "--fields", "rule"],
  ])("does not print rows: %s %s", async (...words) => {
    const ran = await (await rigWithMixedFiles()).run([
      "courses",
      "check",
      "--explain",
      "choice",
      ...words,
    ]);
    expectRefused(ran);
  });
});
