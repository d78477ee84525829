import fc from "fast-check";
import type { Log, Result, Run } from "sarif";
import { describe, expect, test } from "vitest";
import { CatalogError, VERSION } from "../../src/base/errors.ts";
import { RULES } from "../../src/course/problem.ts";
import type { CheckReport } from "../../src/output/diagnostics.ts";
import { reportText } from "../../src/output/report.ts";
import { scaleRuns } from "../long.ts";
import { anyReport, finding, reportOf } from "./report-rig.ts";
import { UNSAFE } from "./rig.ts";

/** The SARIF log of a report. Its type is checked where it is made. */
async function sarif(report: CheckReport): Promise<Log> {
  const text = String(await reportText("sarif", report));
  expect(text.endsWith("}\n")).toBe(true);
  expect(text).not.toMatch(UNSAFE);
  return JSON.parse(text) as Log;
}

/** The only run of the log. */
async function sarifRun(report: CheckReport): Promise<Run & { readonly results: Result[] }> {
  const [run] = (await sarif(report)).runs;
  if (run?.results === undefined) throw new Error("there is no run");
  return { ...run, results: run.results };
}

describe("SARIF reports", () => {
  test("a SARIF report contains one run of catalog with the problems as results", async () => {
    const log = await sarif(reportOf([finding()], ["good.yaml"]));
    expect([log.version, log.$schema, log.runs.length]).toEqual([
      "2.1.0",
      "https://json.schemastore.org/sarif-2.1.0.json",
      1,
    ]);
    const [run] = log.runs;
    expect(run?.tool.driver).toMatchObject({ name: "catalog", version: VERSION });
    expect(run?.columnKind).toBe("utf16CodeUnits");
    expect(run?.invocations).toEqual([{ executionSuccessful: true }]);
    expect(run?.results?.[0]).toEqual({
      ruleId: "unknown-field",
      level: "error",
      message: { text: "prices[0].curency is not a key of a price" },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "courses/a.yaml" },
            region: { startLine: 12, startColumn: 5, endLine: 12, endColumn: 12 },
          },
        },
      ],
    });
  });

  test("a SARIF report describes every rule as GitHub requires", async () => {
    const { tool } = await sarifRun(reportOf([finding()]));
    expect(tool.driver.rules?.map(({ id }) => id)).toEqual([...RULES]);
    for (const rule of tool.driver.rules ?? []) {
      for (const text of [rule.shortDescription?.text, rule.fullDescription?.text]) {
        expect(text).toMatch(/^\S.*\S$/s);
        expect(text?.length).toBeLessThanOrEqual(1024);
      }
      expect(rule.help?.text).toContain(rule.shortDescription?.text.split(" ")[0]);
      const fences = rule.help?.markdown?.match(/```/g) ?? [];
      expect([0, 6]).toContain(fences.length);
      expect(["error", "warning"]).toContain(rule.defaultConfiguration?.level);
    }
  });

  test("a SARIF report contains notices and failures, at the first path if they have no place", async () => {
    const failure = new CatalogError("rejected", "nothing was sent", { advice: "Pass --yes." });
    const report = {
      ...reportOf([], ["courses/a.yaml"]),
      paths: ["courses"],
      notices: [{ text: "note" }],
      failures: [failure],
    };
    const { results, invocations } = await sarifRun(report);
    expect(invocations).toEqual([{ executionSuccessful: false }]);
    expect(results[0]?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: "courses" },
      region: { startLine: 1 },
    });
    expect(results.map(({ ruleId, level, message }) => [ruleId, level, message.text])).toEqual([
      ["notice", "note", "note"],
      ["rejected", "error", "nothing was sent. Pass --yes."],
    ]);
  });

  test.each([
    ["[x](https://evil.example) is not a key", "[x] (https://evil.example) is not a key"],
    ["{0} is not a key", "{{0}} is not a key"],
    ["{{a}} and {", "{{{{a}}}} and {{"],
    ["a } is missing", "a } is missing"],
    ["prices[0] \\[a", "prices[0] \\[a"],
    ["a\nb\u001b[31m\u202e", "a\\nb\\x1b[31m\\u202e"],
  ])("a SARIF report escapes the message %j", async (message, text) => {
    const { results } = await sarifRun(reportOf([finding({ message })]));
    expect(results.map((result) => result.message.text)).toEqual([text]);
  });

  test("a SARIF report contains every position unchanged, and no links or placeholders from any text", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const { results } = await sarifRun(report);
        expect(results).toHaveLength(report.diagnostics.length);
        for (const [index, diagnostic] of report.diagnostics.entries()) {
          const result = results[index];
          const { line, column, endLine, endColumn } = diagnostic;
          const places = result?.locations ?? [];
          expect(places.map(({ physicalLocation }) => physicalLocation?.region)).toEqual([
            { startLine: line, startColumn: column, endLine, endColumn },
          ]);
          expect(result?.ruleId).toBe(diagnostic.rule);
          const text = result?.message.text ?? "";
          expect(text).not.toContain("](");
          expect(text.replaceAll("{{", "").replaceAll("}}", "")).not.toMatch(/\{\d+\}/);
        }
      }),
      { numRuns: scaleRuns(20) },
    );
  });
});
