import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonReport } from "../../src/output/diagnostics.ts";
import { reportText } from "../../src/output/report.ts";
import { anyReport, finding, reportOf } from "./report-rig.ts";
import { UNSAFE } from "./rig.ts";

test("the JSON report is the object that check --json prints, indented", async () => {
  const report = reportOf([finding({ suggestion: "currency" })], ["good.yaml"]);
  const text = await reportText("json", report);
  expect(text).toBe(`${JSON.stringify(jsonReport(report), null, 2)}\n`);
  expect(JSON.parse(text)).toMatchObject({ files: 2, courses: 2, errors: 1, warnings: 0 });
});

test("the JSON report preserves any text and escapes control characters", async () => {
  await fc.assert(
    fc.asyncProperty(anyReport, async (report) => {
      const text = await reportText("json", report);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(jsonReport(report))));
      expect(text).not.toMatch(UNSAFE);
    }),
  );
});
