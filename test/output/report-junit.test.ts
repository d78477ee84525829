import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/output/diagnostics.ts";
import { reportText } from "../../src/output/report.ts";
import { scaleRuns } from "../long.ts";
import { anyReport, finding, reportOf } from "./report-rig.ts";
import { type Element, findElements, readJunit } from "./report-schemas.ts";

async function junit(report: CheckReport): Promise<Element> {
  const xml = String(await reportText("junit", report));
  expect(Buffer.from(xml, "utf8").toString("utf8")).toBe(xml);
  return readJunit(xml);
}

function casesOf(root: Element): Element[] {
  return findElements(root, "testcase");
}

function part(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name);
}

const TYPO = finding({ suggestion: "currency" });
const SECOND = finding({ line: 20, message: "pace is missing", rule: "required" });
const WARNING = finding({
  line: 3,
  severity: "warning",
  rule: "read-only",
  message: "approval_status is read-only",
});

describe("JUnit reports", () => {
  test("a JUnit report contains one suite with a test case per file, including valid files", async () => {
    const root = await junit(reportOf([WARNING, TYPO, SECOND], ["courses/good.json"]));
    expect([root.name, root.attributes]).toEqual([
      "testsuites",
      { name: "catalog courses check", tests: "2", failures: "1", errors: "0", time: "0" },
    ]);
    expect(root.children.map(({ name, attributes }) => [name, attributes])).toEqual([
      ["testsuite", { ...root.attributes, skipped: "0" }],
    ]);
    expect(casesOf(root).map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        "testcase",
        {
          name: "courses/a.yaml",
          classname: "catalog courses check",
          time: "0",
        },
      ],
      [
        "testcase",
        {
          name: "courses/good.json",
          classname: "catalog courses check",
          time: "0",
        },
      ],
    ]);
    expect(part(casesOf(root)[1], "failure")).toBeUndefined();
  });

  test("a JUnit report contains one failure per file with errors, which lists every problem", async () => {
    const [bad] = casesOf(await junit(reportOf([WARNING, TYPO, SECOND])));
    expect(bad?.children.map(({ name }) => name)).toEqual(["failure", "system-out"]);
    const failure = part(bad, "failure");
    expect(failure?.attributes).toEqual({
      message: 'prices[0].curency is not a key of a price. Did you mean "currency"?',
      type: "unknown-field",
    });
    expect(failure?.text.split("\n")).toEqual([
      "courses/a.yaml:3:5: warning: approval_status is read-only [read-only]",
      'courses/a.yaml:12:5: error: prices[0].curency is not a key of a price. Did you mean "currency"? [unknown-field]',
      "courses/a.yaml:20:5: error: pace is missing [required]",
      "",
    ]);
  });

  test("a JUnit report never attaches a file of the CI service", async () => {
    const order = "[[ATTACHMENT|/etc/passwd]]";
    const root = await junit(
      reportOf([
        finding({ file: order, message: order }),
        finding({ file: order, message: order, severity: "warning" }),
      ]),
    );
    const [bad] = casesOf(root);
    for (const name of ["failure", "system-out"]) {
      expect(part(bad, name)?.text).toContain("[[ATTACHMENT\\x7c/etc/passwd]]");
    }
    expect(JSON.stringify(root)).not.toContain("[[ATTACHMENT|");
  });

  test("a JUnit report is valid for Jenkins, with correct totals, for any text", async () => {
    await fc.assert(
      fc.asyncProperty(anyReport, async (report) => {
        const root = await junit(report);
        const cases = casesOf(root);
        const bad = new Set(
          report.diagnostics.filter(({ severity }) => severity === "error").map(({ file }) => file),
        );
        expect(root.attributes).toMatchObject({
          tests: String(report.files.length),
          failures: String(bad.size),
        });
        expect(cases).toHaveLength(report.files.length);
        expect(cases.map((one) => part(one, "failure") !== undefined)).toEqual(
          report.files.map((file) => bad.has(file)),
        );
        const lines = cases.flatMap((one) => part(one, "failure")?.text.match(/\n/g) ?? []);
        expect(lines).toHaveLength(report.diagnostics.filter(({ file }) => bad.has(file)).length);
      }),
      { numRuns: scaleRuns(20) },
    );
  });
});
