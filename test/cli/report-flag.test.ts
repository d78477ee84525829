import { expect, test } from "vitest";
import { REPORT_FLAG } from "../../src/cli/write-reports.ts";

test("--report accepts a format and a file, any number of times", () => {
  expect(REPORT_FLAG).toMatchObject({ name: "report", repeatable: true });
  expect(
    ["codequality=a.json", "junit=b/c=d.xml", "sarif=/e.sarif"].map(REPORT_FLAG.parse),
  ).toEqual([
    { format: "codequality", file: "a.json" },
    { format: "junit", file: "b/c=d.xml" },
    { format: "sarif", file: "/e.sarif" },
  ]);
});
