/** The problems that `courses check` reports, in the formats of --output. */
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

describe("problems", () => {
  test("check -o csv prints a row per problem, and the summary on stderr", async () => {
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

  test("check -o ndjson prints a line per problem with the keys of the JSON report", async () => {
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

  test("check -o yaml prints the same report as JSON, with nothing on stderr", async () => {
    const ran = await check("-o", "yaml");
    expect([ran.code, ran.stderr]).toEqual([3, ""]);
    expect(load(ran.stdout)).toEqual(parseReport(await check("--json")));
  });

  test("check -o table prints a header and fits the terminal", async () => {
    const options = { terminal: true, columns: 100, environment: { NO_COLOR: "1" } };
    const ran = await (await rigWithMixedFiles()).run([...CHECK, "-o", "table"], options);
    const [header, ...rows] = lines(ran.stdout);
    expect(header?.split(/ {2,}/)).toEqual(COLUMNS.map((name) => name.toUpperCase()));
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(100);
    expect(rows.join("\n")).toMatch(/b-bad\.yaml +7 +7 +error +choice +pace must/);
  });

  test("check -o prints an empty document and exits with 0 if there is no problem", async () => {
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

  test("check -o ndjson prints a row for a file that cannot be read", async () => {
    const r = await rigWithMixedFiles();
    const ran = await r.run([...CHECK, "courses/gone.yaml", "-o", "ndjson"]);
    const found = lines(ran.stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(found.at(-1)).toMatchObject({ file: "courses/gone.yaml", line: 1, severity: "error" });
    expect(ran.code).toBe(3);
  });

  test("check exits with 2 for -o id before any request", async () => {
    const ran = await check("-o", "id", "--online");
    expectRefused(ran);
    expect(ran.stderr).toContain("--output id is not available for check");
  });
});

describe("--fields", () => {
  test("check -o csv --fields selects keys of problems", async () => {
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
  ])("check --fields selects keys of the report with %s %s", async (...words) => {
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
  ])("check exits with 2 if --fields has no effect: %s %s %s %s", async (...words) => {
    expectRefused(await check(...words.filter((word) => word !== undefined)));
  });
});

describe("--format and --output", () => {
  test.each([
    ["human", "table"],
    ["github", "csv"],
    ["json", "yaml"],
    ["human", "json"],
  ])("check refuses --format %s together with -o %s", async (style, format) => {
    const ran = await check("--format", style, "-o", format);
    expectRefused(ran);
    expect(ran.stderr).toContain("cannot be combined with");
  });

  test("check accepts --format json together with -o json", async () => {
    expect((await check("--format", "json", "-o", "json")).stdout).toBe(
      (await check("--json")).stdout,
    );
  });

  test("check -o csv prints no annotations in a GitHub workflow", async () => {
    const environment = { GITHUB_ACTIONS: "true" };
    const ran = await (await rigWithMixedFiles()).run([...CHECK, "-o", "csv"], { environment });
    expect(ran.stdout).toMatch(/^file,line,/);
  });
});

describe("--explain", () => {
  test.each([
    ["-o", "json"],
    ["--format", "json"],
  ])("check --explain prints an object with %s %s", async (...words) => {
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
  ])("check --explain exits with 2 for %s %s", async (...words) => {
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
