import { expect, test } from "vitest";
import { reportText } from "../../src/output/report.ts";
import { finding, reportOf } from "./report-rig.ts";
import { expectCodeQuality, readJunit } from "./report-schemas.ts";

test.each([
  ["junit", 'classname="', 'className="', readJunit],
  [
    "codequality",
    '"severity": "major"',
    '"severity": "error"',
    (text: string) => expectCodeQuality(JSON.parse(text)),
  ],
] as const)("the schema accepts a %s report, but not with %s changed to %s", async (...row) => {
  const [format, part, changed, read] = row;
  const text = await reportText(format, reportOf([finding()]));
  expect(text).toContain(part);
  read(text);
  expect(() => read(text.replace(part, changed))).toThrow();
});
