/** Reports for other programs, with texts that could break them: JUnit, Markdown and SARIF. */
import { isAbsolute } from "node:path";
import fc from "fast-check";
import type { Log, Result, Run } from "sarif";
import { describe, expect, test } from "vitest";
import { CatalogError, VERSION } from "../../src/base/errors.ts";
import { RULES } from "../../src/course/problem.ts";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import type { CheckReport } from "../../src/output/diagnostics.ts";
import { uriReference } from "../../src/output/report-sarif.ts";
import { reportText } from "../../src/output/report-text.ts";
import { scaleRuns } from "../long.ts";
import { type Element, findElements, readJunit } from "./report-schemas.ts";
import { tricky, UNSAFE } from "./rig.ts";

/** A finding about `curency` in `courses/a.yaml`. */
function finding(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    file: "courses/a.yaml",
    line: 12,
    column: 5,
    endLine: 12,
    endColumn: 12,
    severity: "error",
    rule: "unknown-field",
    message: "prices[0].curency is not a key of a price",
    path: ["prices", 0, "curency"],
    source: "  - curency: EUR",
    ...changes,
  };
}

/** A report with these findings, and with files without findings. */
function reportOf(diagnostics: readonly Diagnostic[], good: readonly string[] = []): CheckReport {
  const files = [...new Set([...diagnostics.map(({ file }) => file), ...good])];
  return { files, courses: files.length, diagnostics };
}

/** Strings with a meaning in some format. */
const MARKUP = [
  ...`]]> <![CDATA[ <!-- &amp; &#0; <b> "'>< true [[ATTACHMENT|/etc/passwd]]`.split(" "),
  ..."| \\| \\\\| ` a`|`b @someone #1 [x](https://evil.example) ![x](y) {0} {{0}} }".split(" "),
  ..."{ a](1) [ \\ \\[ javascript:alert(1) //host/a /a/b C:\\a.yaml ../a ./a//b ?q#f %41".split(
    " ",
  ),
  ...["``` |", " ", "  ", "` ", "<img src=x onerror=y>", "[x]: y", "\r\n", "\t", "😀"],
  ...["\ud800", "\udfff\ud800", "\ufffe", "\uffff", "\u0000", "\u0085", "\u{1fffe}"],
];

/** Any string, including lone surrogates. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...MARKUP), { maxLength: 4 }).map((parts) => parts.join("")),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  tricky(),
);

const anyLine = fc.integer({ min: 1, max: 9999 });
/** A finding with random strings in every text field. */
const anyFinding: fc.Arbitrary<Diagnostic> = fc
  .tuple(
    fc.record({
      file: anyText,
      line: anyLine,
      column: anyLine,
      endLine: anyLine,
      endColumn: anyLine,
      severity: fc.constantFrom("error" as const, "warning" as const),
      rule: fc.constantFrom(...RULES),
      message: anyText,
    }),
    fc.record(
      { suggestion: anyText, notes: fc.array(anyText, { maxLength: 2 }), source: anyText },
      { requiredKeys: [] },
    ),
  )
  .map(([words, others]) => ({ path: [], ...words, ...others }));

/** A report with random strings in every text field. */
const anyReport: fc.Arbitrary<CheckReport> = fc
  .record({
    diagnostics: fc.array(anyFinding, { maxLength: 5 }),
    good: fc.array(anyText, { maxLength: 2 }),
  })
  .map(({ diagnostics, good }) => reportOf(diagnostics, good));

const TYPO = finding({ suggestion: "currency" });
const WARNING = finding({
  line: 3,
  severity: "warning",
  rule: "read-only",
  message: "approval_status is read-only",
});

describe("JUnit reports", () => {
  const junit = async (report: CheckReport): Promise<Element> => {
    const xml = String(await reportText("junit", report));
    expect(xml.isWellFormed()).toBe(true);
    return readJunit(xml);
  };
  const partOf = ({ children }: Element, name: string) =>
    children.find((child) => child.name === name);

  test("a JUnit report has a test case per file, and one failure per file with errors, which lists every problem", async () => {
    const root = await junit(reportOf([WARNING, TYPO], ["courses/good.json"]));
    expect(findElements(root, "testcase")).toMatchObject([
      { attributes: { name: "courses/a.yaml", classname: "catalog courses check" } },
      { attributes: { name: "courses/good.json" }, children: [] },
    ]);
    const message = 'prices[0].curency is not a key of a price. Did you mean "currency"?';
    expect(findElements(root, "failure")).toMatchObject([
      {
        attributes: { message, type: "unknown-field" },
        text: [
          "courses/a.yaml:3:5: warning: approval_status is read-only [read-only]",
          `courses/a.yaml:12:5: error: ${message} [unknown-field]\n`,
        ].join("\n"),
      },
    ]);
    expect(findElements(root, "system-out")).toHaveLength(1);
  });

  test("a JUnit report is valid for Jenkins, with correct totals and no attachment, for any text", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const { files, diagnostics } = report;
        const root = await junit(report);
        expect(JSON.stringify(root)).not.toContain("[[ATTACHMENT|");
        const cases = findElements(root, "testcase");
        const bad = new Set(
          diagnostics.filter(({ severity }) => severity === "error").map(({ file }) => file),
        );
        const totals = { tests: String(files.length), failures: String(bad.size) };
        expect(root.attributes).toMatchObject(totals);
        expect(cases.map((one) => partOf(one, "failure") !== undefined)).toEqual(
          files.map((file) => bad.has(file)),
        );
        const lines = cases.flatMap((one) => partOf(one, "failure")?.text.match(/\n/g) ?? []);
        expect(lines).toHaveLength(diagnostics.filter(({ file }) => bad.has(file)).length);
      }),
      { numRuns: scaleRuns(20) },
    );
  });
});

describe("Markdown reports", () => {
  const markdown = async (report: CheckReport) => String(await reportText("markdown", report));

  /** The lines of the table below its header. */
  const rowsOf = async (report: CheckReport) => {
    const lines = (await markdown(report)).split("\n");
    return lines.filter((line) => line.startsWith("|")).slice(2);
  };

  /** The cells of a row. Parsers differ about two backslashes before a bar, so there must be none. */
  const cellsOf = (row: string) => {
    expect(row).not.toMatch(/\\\\+\|/);
    const cells = row.split(/(?<!\\)\|/);
    expect([cells[0], cells.at(-1)]).toEqual(["", ""]);
    return cells.slice(1, -1).map((cell) => cell.replaceAll("\\|", "|").trim());
  };

  /** The text of a cell, which must be entirely code. */
  const codeIn = (cell: string) => {
    const [, fence = "", content = ""] = /^(`+)(?!`)(.*?)(?<!`)\1$/s.exec(cell) ?? [];
    expect(fence).not.toBe("");
    expect(content.match(/`+/g) ?? []).not.toContain(fence);
    return /^ .*[^ ].* $/.test(content) ? content.slice(1, -1) : content;
  };

  test("a Markdown report contains a heading, the result of the check and a table", async () => {
    expect((await markdown(reportOf([TYPO, WARNING], ["good.yaml"]))).split("\n")).toEqual([
      "## Course files",
      "",
      "1 error and 1 warning in 1 of 2 files",
      "",
      "| Position | Severity | Problem | Rule |",
      "| --- | --- | --- | --- |",
      '| `courses/a.yaml:12:5` | error | `prices[0].curency is not a key of a price. Did you mean "currency"?` | `unknown-field` |',
      "| `courses/a.yaml:3:5` | warning | `approval_status is read-only` | `read-only` |",
      "",
    ]);
  });

  test.each([
    ["a\\\\|b\\", "`a\\x5c\\x5c\\|b\\`"],
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
      { numRuns: scaleRuns(20) },
    );
  });
});

describe("SARIF reports", () => {
  /** The only run of the log of a report. Its type is checked where it is made. */
  const sarif = async (report: CheckReport): Promise<Run & { readonly results: Result[] }> => {
    const text = String(await reportText("sarif", report));
    expect(text.endsWith("}\n")).toBe(true);
    expect(text).not.toMatch(UNSAFE);
    const { version, $schema, runs } = JSON.parse(text) as Log;
    const [run, ...others] = runs;
    const schema = "https://json.schemastore.org/sarif-2.1.0.json";
    expect([version, $schema, others]).toEqual(["2.1.0", schema, []]);
    if (run?.results === undefined) throw new Error("there is no run");
    expect(run.tool.driver).toMatchObject({ name: "catalog", version: VERSION });
    expect(run.columnKind).toBe("utf16CodeUnits");
    return { ...run, results: run.results };
  };

  test("a SARIF report describes every rule as GitHub requires", async () => {
    const { rules = [] } = (await sarif(reportOf([finding()]))).tool.driver;
    expect(rules.map(({ id }) => id)).toEqual([...RULES]);
    for (const { shortDescription, fullDescription, help, defaultConfiguration } of rules) {
      for (const text of [shortDescription?.text, fullDescription?.text]) {
        expect(text).toMatch(/^\S.*\S$/s);
        expect(text?.length).toBeLessThanOrEqual(1024);
      }
      expect(help?.text).toContain(shortDescription?.text.split(" ")[0]);
      expect([0, 6]).toContain((help?.markdown?.match(/```/g) ?? []).length);
      expect(["error", "warning"]).toContain(defaultConfiguration?.level);
    }
  });

  test("a SARIF report contains notices and failures, and says that the run failed", async () => {
    const failures = [new CatalogError("rejected", "nothing was sent", { advice: "Pass --yes." })];
    const report = { ...reportOf([]), notices: [{ text: "note" }], failures };
    const { results, invocations } = await sarif(report);
    expect(invocations).toEqual([{ executionSuccessful: false }]);
    expect(results).toMatchObject([
      { level: "note", message: { text: "note" } },
      { ruleId: "rejected", message: { text: "nothing was sent. Pass --yes." } },
    ]);
  });

  test.each([
    ["[x](https://evil.example)", "[x] (https://evil.example)"],
    ["{0} and {", "{{0}} and {{"],
    ["{{a}} and {", "{{{{a}}}} and {{"],
    ["a } is missing", "a } is missing"],
    ["a\nb\u001b[31m\u202e", "a\\nb\\x1b[31m\\u202e"],
  ])("a SARIF report escapes the message %j", async (message, text) => {
    const { results } = await sarif(reportOf([finding({ message })]));
    expect(results.map((result) => result.message.text)).toEqual([text]);
  });

  test("a SARIF report contains every position unchanged, and no links or placeholders from any text", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const { results } = await sarif(report);
        const shown = results.map(({ ruleId, level, locations = [] }) => [
          `${level} ${ruleId}`,
          ...locations.map(({ physicalLocation }) => physicalLocation?.region),
        ]);
        const expected = report.diagnostics.map(({ severity, rule, line, column, ...end }) => [
          `${severity} ${rule}`,
          { startLine: line, startColumn: column, endLine: end.endLine, endColumn: end.endColumn },
        ]);
        expect(shown).toEqual(expected);
        for (const { message } of results) {
          expect(message.text).not.toContain("](");
          const plain = message.text?.replaceAll("{{", "").replaceAll("}}", "");
          expect(plain).not.toMatch(/\{\d+\}/);
        }
      }),
      { numRuns: scaleRuns(20) },
    );
  });

  test("uriReference returns a path for any name, with all of its characters", () => {
    // A URL without query and fragment (RFC 3986).
    const path = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-F]{2})*$/;
    fc.assert(
      fc.property(anyText, (name) => {
        const uri = uriReference(name);
        expect(uri.replace(/^file:\/\//, "")).toMatch(path);
        const { protocol, host, search, hash } = new URL(uri, "file:///one/two/");
        expect([protocol, host, search, hash]).toEqual(["file:", "", "", ""]);
        if (!isAbsolute(name)) expect(decodeURIComponent(uri)).toBe(name.toWellFormed());
      }),
      { numRuns: scaleRuns(50) },
    );
    expect(uriReference("/srv/a b.yaml")).toBe("file:///srv/a%20b.yaml");
  });
});
