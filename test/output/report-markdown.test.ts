import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/output/diagnostics.ts";
import { reportText } from "../../src/output/report.ts";
import { anyReport, finding, reportOf } from "./report-rig.ts";
import { UNSAFE } from "./rig.ts";

async function markdown(report: CheckReport): Promise<string> {
  return String(await reportText("markdown", report));
}

/** The lines of the table below its header. */
async function rowsOf(report: CheckReport): Promise<string[]> {
  const lines = (await markdown(report)).split("\n");
  return lines.filter((line) => line.startsWith("|")).slice(2);
}

/**
 * The cells of a row. Parsers differ about two backslashes before a bar, so there must be none.
 */
function cellsOf(row: string): string[] {
  expect(row).not.toMatch(/\\\\+\|/);
  const cells = row.split(/(?<!\\)\|/);
  expect([cells[0], cells.at(-1)]).toEqual(["", ""]);
  return cells.slice(1, -1).map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** The text of a cell, which must be entirely code. */
function codeIn(cell: string): string {
  const [, fence = "", content = ""] = /^(`+)(?!`)(.*?)(?<!`)\1$/s.exec(cell) ?? [];
  expect(fence).not.toBe("");
  const runs = content.match(/`+/g) ?? [];
  expect(runs).not.toContain(fence);
  return /^ .*[^ ].* $/.test(content) ? content.slice(1, -1) : content;
}

describe("Markdown reports", () => {
  test("a Markdown report contains a heading, the result of the check and a table", async () => {
    const report = reportOf(
      [
        finding({ suggestion: "currency" }),
        finding({ line: 3, severity: "warning", rule: "read-only", message: "id is read-only" }),
      ],
      ["good.yaml"],
    );
    expect((await markdown(report)).split("\n")).toEqual([
      "## Course files",
      "",
      "1 error and 1 warning in 1 of 2 files",
      "",
      "| Position | Severity | Problem | Rule |",
      "| --- | --- | --- | --- |",
      '| `courses/a.yaml:12:5` | error | `prices[0].curency is not a key of a price. Did you mean "currency"?` | `unknown-field` |',
      "| `courses/a.yaml:3:5` | warning | `id is read-only` | `read-only` |",
      "",
    ]);
  });

  test.each([
    ["a|b", "`a\\|b`"],
    ["a\\|b", "`a\\x5c\\|b`"],
    ["a\\\\|b\\", "`a\\x5c\\x5c\\|b\\`"],
    ["a`b", "``a`b``"],
    ["`a``", "``` `a`` ```"],
    ["a\nb\u001b[31m", "`a\\nb\\x1b[31m`"],
    ["<img src=x onerror=y> ![x](y) @someone #1", "`<img src=x onerror=y> ![x](y) @someone #1`"],
  ])("a Markdown report prints the message %j as code within its cell", async (message, cell) => {
    const [row = ""] = await rowsOf(reportOf([finding({ message })]));
    expect(row).toBe(`| \`courses/a.yaml:12:5\` | error | ${cell} | \`unknown-field\` |`);
  });

  test("a Markdown report is one table with four cells per row for any text", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        expect((await markdown(report)).isWellFormed()).toBe(true);
        const rows = await rowsOf(report);
        expect(rows.join("")).not.toMatch(UNSAFE);
        expect(rows).toHaveLength(report.diagnostics.length);
        for (const [index, { line, column, severity, rule }] of report.diagnostics.entries()) {
          const [place = "", level, message = "", named = "", ...more] = cellsOf(rows[index] ?? "");
          expect([level, codeIn(named), more]).toEqual([severity, rule, []]);
          expect(codeIn(place)).toMatch(new RegExp(`:${line}:${column}$`));
          expect(message === "" ? "" : codeIn(message)).toMatch(/^.{0,1200}$/);
        }
      }),
      { numRuns: 20 },
    );
  });

  test("a Markdown report ends at 60,000 characters and counts the problems that it omits", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => finding({ line: index + 1 }));
    const page = await markdown(reportOf(many));
    expect(page.length).toBeLessThanOrEqual(60_000);
    expect(page.length).toBeGreaterThan(59_000);
    const [, more = ""] =
      /\n\nThis report was cut at 60,000 characters\. Not shown: ([\d,]+) problems\.\n$/.exec(
        page,
      ) ?? [];
    const shown = page.match(/^\| `/gm) ?? [];
    expect(shown.length + Number(more.replaceAll(",", ""))).toBe(3000);
    expect(page).toContain("3,000 errors in 1 file");
  });
});
