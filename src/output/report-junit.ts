/** Writes the result of a check as JUnit XML, which CI services show as test results. */
import Builder from "fast-xml-builder";
import type { CatalogError } from "../base/errors.ts";
import { escapeLine } from "../base/text.ts";
import { addTo } from "../base/values.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import { plain } from "./color.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import {
  type CheckReport,
  commandOf,
  describeTarget,
  findingText,
  type ReportedResult,
  splitBySeverity,
} from "./diagnostics.ts";
import { failureText } from "./failure.ts";

/**
 * One suite. `check` has one test case per file, `diff` and `push` one per course, and every failure of
 * the run has a separate one, so that no failed run has only successful cases. A case with errors has one
 * failure with every finding in its text; warnings are in `system-out`, because JUnit has no element
 * for them. The result is well-formed XML 1.0 for all names and messages.
 */
export async function junitReport(report: CheckReport): Promise<string> {
  const { failures = [], time = { start: 0, duration: 0 } } = report;
  const name = commandOf(report);
  const cases = [
    ...(await Promise.all(groupFindings(report).map((group) => testCase(group, name)))),
    ...failures.map((failure) => failureCase(failure, name)),
  ];
  const count = (part: "failure" | "error" | "skipped"): number =>
    cases.filter((one) => one[part] !== undefined).length;
  const totals = {
    ...{ "@_tests": cases.length, "@_failures": count("failure"), "@_errors": count("error") },
    "@_time": time.duration / 1000,
  };
  const suite = {
    ...{ "@_name": name, ...totals, "@_skipped": count("skipped") },
    properties: report.target && {
      property: { "@_name": "target", "@_value": describeTarget(report.target) },
    },
    // JUnit has no time zone here: it is UTC.
    ...(time.start > 0 ? { "@_timestamp": new Date(time.start).toISOString().slice(0, 19) } : {}),
    testcase: cases,
  };
  return new Builder({
    ignoreAttributes: false,
    // Otherwise the attribute of a file named `true` has no value.
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    format: true,
  }).build({
    "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" },
    testsuites: { "@_name": name, ...totals, testsuite: suite },
  });
}

/** What one test case is about. */
interface Group {
  readonly name: string;
  readonly file: string | null;
  readonly line?: number | null;
  readonly findings: Diagnostic[];
  readonly result?: ReportedResult;
}

/**
 * The findings of each course, those from its line to the next course; without results, of each file,
 * also of files without any. The findings of a file without courses are one group.
 */
function groupFindings({ files, diagnostics, results }: CheckReport): Group[] {
  const groups: Group[] =
    results === undefined
      ? [...new Set(files)].map((file) => ({ name: file, file, findings: [] }))
      : results.map((result) => {
          const { name, url, id, file, line } = result;
          return { name: name ?? url ?? id ?? "", file, line, findings: [], result };
        });
  const byFile = new Map<string, Group[]>();
  for (const group of groups) if (group.file !== null) addTo(byFile, group.file, group);
  for (const diagnostic of diagnostics) {
    const { file, line } = diagnostic;
    const inFile = byFile.get(file) ?? [];
    const group = inFile.findLast((other) => (other.line ?? 0) <= line) ?? inFile[0];
    if (group !== undefined) {
      group.findings.push(diagnostic);
    } else {
      const added: Group = { name: file, file, findings: [diagnostic] };
      byFile.set(file, [added]);
      groups.push(added);
    }
  }
  return groups;
}

/**
 * A test case as the XML builder expects it. It has no file and no line, for which the schema of Jenkins
 * has no attributes; the text of a failure begins with them.
 */
async function testCase({ name, findings, result }: Group, suite: string) {
  const { errors, warnings } = splitBySeverity(findings);
  const [first] = errors;
  const error = first === undefined ? result?.error : undefined;
  return {
    "@_name": xmlText(escapeLine(name)),
    // GitLab shows only the class.
    "@_classname": suite,
    // The schema allows milliseconds.
    "@_time": Number((result?.seconds ?? 0).toFixed(3)),
    failure: first
      ? {
          "@_message": xmlText(findingText(first)),
          "@_type": first.rule,
          "#text": await findingLines(findings),
        }
      : error && { "@_message": xmlText(escapeLine(error.message)), "@_type": error.kind },
    error: undefined,
    skipped: first === undefined && result?.status === "skipped" ? "" : undefined,
    "system-out": warnings.length === 0 ? undefined : await findingLines(warnings),
  };
}

/** The test case of a failure of the run. */
function failureCase(failure: CatalogError, suite: string) {
  return {
    "@_name": suite,
    "@_classname": suite,
    "@_time": 0,
    failure: undefined,
    error: {
      "@_message": xmlText(escapeLine(failure.message)),
      "@_type": failure.kind,
      "#text": xmlText(failureText(failure, plain)),
    },
    skipped: undefined,
  };
}

/** Each finding as `check` prints it off a terminal. */
async function findingLines(findings: readonly Diagnostic[]): Promise<string> {
  return xmlText(await diagnosticText(findings, plain, { isTerminal: false, columns: 0 }));
}

/** Characters that XML 1.0 cannot contain, not even escaped. */
const INVALID_CHARACTERS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text that XML can contain, and that GitLab does not interpret as the name of an attachment. */
function xmlText(text: string): string {
  return text
    .replace(INVALID_CHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll("[[ATTACHMENT|", "[[ATTACHMENT\\x7c");
}
