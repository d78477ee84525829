import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RULES } from "../../src/course/problem.ts";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import { VERSION } from "../../src/version.ts";
import { scaleRuns } from "../long.ts";
import { anyReport, finding, reportOf } from "./report-rig.ts";
import { CHOICE, FIRST, sarif, sarifResult, sarifRun } from "./report-sarif-rig.ts";

async function messageOf(changes: Partial<Diagnostic>): Promise<string | undefined> {
  return (await sarifResult(finding(changes))).message.text;
}

describe("SARIF reports", () => {
  test("a SARIF report contains one run of catalog with the problems as results", async () => {
    const log = await sarif(reportOf([finding(), CHOICE], ["good.yaml"]));
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
      ruleId: "unknown-key",
      ruleIndex: RULES.indexOf("unknown-key"),
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

  test("a SARIF report names the tool's page, the command of the report, and every rule", async () => {
    const { tool, automationDetails } = await sarifRun(reportOf([finding()]));
    expect(tool.driver.informationUri).toMatch(/^https:\/\//);
    expect(automationDetails?.id).toBe("catalog-courses-check/");
    expect(tool.driver.fullName).toBe(`catalog ${VERSION}`);
  });

  test("a SARIF report gives a rule a name only if the name differs from the id", async () => {
    const { tool } = await sarifRun(reportOf([finding()]));
    const names = (tool.driver.rules ?? []).map(({ id, name }) => [id, name]);
    expect(names).toContainEqual(["too-long", "TooLong"]);
    expect(names).toContainEqual(["uuid", undefined]);
    expect(names.filter(([id, name]) => id === name?.toLowerCase())).toEqual([]);
  });

  test("a SARIF report is complete without problems", async () => {
    const { results, tool } = await sarifRun(reportOf([], ["good.yaml"]));
    expect(results).toEqual([]);
    expect(tool.driver.rules).toHaveLength(RULES.length);
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

  test("a SARIF report uses the severity of the problem, which --strict may have raised", async () => {
    const result = await sarifResult(finding({ rule: "read-only", severity: "warning" }));
    expect(result.level).toBe("warning");
    expect((await sarifResult(finding({ rule: "read-only" }))).level).toBe("error");
  });

  test("a SARIF report contains the suggestion and the notes in the message", async () => {
    expect(
      await messageOf({ suggestion: "currency", notes: ["The keys are a and b.", "So."] }),
    ).toBe(
      'prices[0].curency is not a key of a price. Did you mean "currency"? The keys are a and b. So.',
    );
    expect(
      await messageOf({ rule: "type", message: "price is a number", suggestion: '"24.50"' }),
    ).toBe('price is a number. Did you mean "24.50"?');
  });

  test("a SARIF report links to related locations in the message", async () => {
    const result = await sarifResult(
      finding({ message: "url is also that of another course", related: [FIRST, FIRST] }),
    );
    expect(result.message.text).toBe(
      "url is also that of another course: [the first \\[one\\]](1), [the first \\[one\\]](2)",
    );
    expect(result.relatedLocations?.map(({ id }) => id)).toEqual([1, 2]);
    expect(result.relatedLocations?.[0]).toEqual({
      id: 1,
      message: { text: "the first [one]" },
      physicalLocation: {
        artifactLocation: { uri: "b%20c.yaml" },
        region: { startLine: 3, startColumn: 1, endLine: 4, endColumn: 9 },
      },
    });
  });

  test.each([
    ["[x](https://evil.example) is not a key", "[x] (https://evil.example) is not a key"],
    ["{0} is not a key", "{{0}} is not a key"],
    ["{{a}} and {", "{{{{a}}}} and {{"],
    ["a } is missing", "a } is missing"],
    ["prices[0] \\[a", "prices[0] \\[a"],
    ["a\nb\u001b[31m\u202e", "a\\nb\\x1b[31m\\u202e"],
  ])("a SARIF report escapes the message %j", async (message, text) => {
    expect(await messageOf({ message })).toBe(text);
  });

  test("a SARIF report contains as many problems as GitHub accepts, errors first, and counts the others", async () => {
    const warnings = Array.from({ length: 2 }, () => finding({ severity: "warning" }));
    const errors = Array.from({ length: 25_001 }, (_, index) => finding({ line: index + 1 }));
    const run = await sarifRun(reportOf([...warnings, ...errors]));
    expect(run.results).toHaveLength(25_000);
    expect(run.results.every(({ level }) => level === "error")).toBe(true);
    expect(run.invocations?.[0]?.toolExecutionNotifications).toEqual([
      {
        level: "warning",
        message: { text: "3 more problems not shown, to limit the size of this report." },
      },
    ]);
  });

  test("a SARIF report contains every position unchanged, and no links or placeholders from any text", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const { results } = await sarifRun(report);
        expect(results).toHaveLength(report.diagnostics.length);
        for (const [index, diagnostic] of report.diagnostics.entries()) {
          const result = results[index];
          const { related = [] } = diagnostic;
          const places = [...(result?.locations ?? []), ...(result?.relatedLocations ?? [])];
          expect(places.map(({ physicalLocation }) => physicalLocation?.region)).toEqual(
            [diagnostic, ...related].map(({ line, column, endLine, endColumn }) => ({
              startLine: line,
              startColumn: column,
              endLine,
              endColumn,
            })),
          );
          expect(result?.ruleId).toBe(RULES[result?.ruleIndex ?? -1]);
          const text = result?.message.text ?? "";
          const links = text.match(/\]\([^)]*\)?/g) ?? [];
          expect(links).toEqual(related.map((_, position) => `](${position + 1})`));
          expect(text.replaceAll("{{", "").replaceAll("}}", "")).not.toMatch(/\{\d+\}/);
        }
      }),
      { numRuns: scaleRuns(20) },
    );
  });
});
