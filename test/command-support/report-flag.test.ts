import { describe, expect, test } from "vitest";
import { asCatalogError, type CatalogError } from "../../src/base/errors.ts";
import {
  REPORT_FLAG,
  type ReportTarget,
  requireDifferentFiles,
} from "../../src/command-support/report-flag.ts";

function parse(...texts: readonly string[]): readonly ReportTarget[] {
  const report = texts.map(REPORT_FLAG.parse);
  requireDifferentFiles(report);
  return report;
}

function refusal(...texts: readonly string[]): CatalogError {
  try {
    parse(...texts);
  } catch (thrown) {
    return asCatalogError(thrown);
  }
  throw new Error("it was not refused");
}

describe("--report:", () => {
  test("it accepts a format and a file, any number of times", () => {
    expect(REPORT_FLAG).toMatchObject({ name: "report", repeatable: true });
    expect(parse()).toEqual([]);
    expect(parse("json=a.json", "junit=b/c=d.xml", "sarif=/e.sarif", "markdown=f.md")).toEqual([
      { format: "json", file: "a.json" },
      { format: "junit", file: "b/c=d.xml" },
      { format: "sarif", file: "/e.sarif" },
      { format: "markdown", file: "f.md" },
    ]);
    expect(parse("json=a.json", "json=b.json")).toHaveLength(2);
  });

  test.each([
    ["junit", /must be <format>=<file>: junit/, "For example, --report junit=reports/courses.xml."],
    ["report.xml", /must be <format>=<file>/, "For example, --report junit=reports/courses.xml."],
    [
      "junti=a.xml",
      /unknown report format "junti"; choose json, junit, sarif, codequality, markdown or html/,
      'Did you mean "junit"?',
    ],
    ["JSON=a.json", /unknown report format "JSON"/, 'Did you mean "json"?'],
    ["pdf=a.pdf", /unknown report format "pdf"/, undefined],
    ["=a.json", /unknown report format ""/, undefined],
    ["json=", /has no file name/, "For example, --report junit=reports/courses.xml."],
    ["json=  ", /has no file name/, "For example, --report junit=reports/courses.xml."],
    ["json=-", /cannot be written to standard output/, /^Choose a file name; --json prints/],
    ["json=reports/", /is a folder/, /^Choose a file name/],
  ])("%s is a usage error that says what to do", (text, message, next) => {
    const { kind, message: said, facts } = refusal("sarif=ok.sarif", text);
    expect(kind).toBe("usage");
    expect(said).toMatch(message);
    if (typeof next === "string" || next === undefined) expect(facts.advice).toBe(next);
    else expect(facts.advice).toMatch(next);
  });

  test("the same file twice is a usage error, in any spelling", () => {
    for (const again of ["a/b.json", "./a/b.json", "a//x/../b.json"]) {
      expect(refusal("json=a/b.json", `sarif=${again}`)).toMatchObject({
        kind: "usage",
        message: `the file ${again} is given for two outputs`,
      });
    }
  });
});
