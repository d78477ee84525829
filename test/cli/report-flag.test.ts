import { describe, expect, test } from "vitest";
import { asCatalogError, type CatalogError } from "../../src/base/errors.ts";
import { REPORT_FLAG, type ReportTarget, requireDifferentFiles } from "../../src/cli/report.ts";

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

describe("--report", () => {
  test("--report accepts a format and a file, any number of times", () => {
    expect(REPORT_FLAG).toMatchObject({ name: "report", repeatable: true });
    expect(parse()).toEqual([]);
    expect(
      parse("codequality=a.json", "junit=b/c=d.xml", "sarif=/e.sarif", "markdown=f.md"),
    ).toEqual([
      { format: "codequality", file: "a.json" },
      { format: "junit", file: "b/c=d.xml" },
      { format: "sarif", file: "/e.sarif" },
      { format: "markdown", file: "f.md" },
    ]);
    expect(parse("sarif=a.json", "sarif=b.json")).toHaveLength(2);
  });

  test("--report refuses the same file twice, in any spelling", () => {
    for (const again of ["a/b.json", "./a/b.json", "a//x/../b.json"]) {
      expect(refusal("junit=a/b.json", `sarif=${again}`)).toMatchObject({
        kind: "usage",
        message: `two outputs would write to ${again}`,
      });
    }
  });
});
