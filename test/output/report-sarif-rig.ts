/** SARIF reports for tests. */
import type { Log, Result, Run } from "sarif";
import { expect } from "vitest";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import type { CheckReport } from "../../src/output/diagnostics.ts";
import { reportText } from "../../src/output/report.ts";
import { finding, reportOf } from "./report-rig.ts";
import { UNSAFE } from "./rig.ts";

/** The SARIF log of a report. Its type is checked where it is made. */
export async function sarif(report: CheckReport): Promise<Log> {
  const text = await reportText("sarif", report);
  expect(text.endsWith("}\n")).toBe(true);
  expect(text).not.toMatch(UNSAFE);
  return JSON.parse(text) as Log;
}

/** The only run of the log. */
export async function sarifRun(report: CheckReport): Promise<Run & { readonly results: Result[] }> {
  const log = await sarif(report);
  const [run] = log.runs;
  if (run?.results === undefined) throw new Error("there is no run");
  return { ...run, results: run.results };
}

/** The result of a single finding. */
export async function sarifResult(diagnostic: Diagnostic): Promise<Result> {
  const { results } = await sarifRun(reportOf([diagnostic]));
  const [result] = results;
  if (result === undefined) throw new Error("there is no result");
  expect(results).toHaveLength(1);
  return result;
}

/** A finding with a suggestion. */
export const CHOICE = finding({
  rule: "choice",
  message: "pace is not one of self_paced or instructor_paced",
  suggestion: "self_paced",
  source: "  - pace: 'selfpaced' # so",
  column: 11,
  endColumn: 22,
});
