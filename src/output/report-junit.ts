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
  problemText,
  type ReportedResult,
  splitBySeverity,
} from "./diagnostics.ts";
import { failureText } from "./failure.ts";

/**
 * One test suite. A report of `check` has one test case per file, a report of `diff` or `push` one per
 * course. Each failure of the run is a separate case, so that no failed run has only successful cases. A
 * case with errors has one failure, whose text lists every problem; warnings are in `system-out`, because
 * JUnit has no element for warnings. The result is well-formed XML 1.0 for all names and messages.
 */
export async function junitReport(report: CheckReport): Promise<string> {
  const { failures = [], notices = [], time = { start: 0, duration: 0 } } = report;
  const name = commandOf(report);
  const cases = [
    ...(await Promise.all(groupProblems(report).map((group) => testCase(group, name)))),
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
    // A timestamp of JUnit has no time zone. This one is in UTC.
    ...(time.start > 0 ? { "@_timestamp": new Date(time.start).toISOString().slice(0, 19) } : {}),
    testcase: cases,
    "system-out": notices.length === 0 ? undefined : xmlText(notices.map(escapeLine).join("\n")),
  };
  return new Builder({
    ignoreAttributes: false,
    // Without this, the attribute of a file named `true` has no value.
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
  readonly problems: Diagnostic[];
  readonly result?: ReportedResult;
}

/**
 * The problems of each course: those from the line of the course to the next course. Without results, the
 * problems of each file, of which there may be none. The problems of a file without courses are one group.
 */
function groupProblems({ files, diagnostics, results }: CheckReport): Group[] {
  const groups: Group[] =
    results === undefined
      ? [...new Set(files)].map((file) => ({ name: file, file, problems: [] }))
      : results.map((result) => {
          const { name, url, id, file, line } = result;
          return { name: name ?? url ?? id ?? "", file, line, problems: [], result };
        });
  const byFile = new Map<string, Group[]>();
  for (const group of groups) if (group.file !== null) addTo(byFile, group.file, group);
  for (const diagnostic of diagnostics) {
    const { file, line } = diagnostic;
    const inFile = byFile.get(file) ?? [];
    const group = inFile.findLast((other) => (other.line ?? 0) <= line) ?? inFile[0];
    if (group !== undefined) {
      group.problems.push(diagnostic);
    } else {
      const added: Group = { name: file, file, problems: [diagnostic] };
      byFile.set(file, [added]);
      groups.push(added);
    }
  }
  return groups;
}

/**
 * A test case as the XML builder expects it. The schema of Jenkins has no attributes for a file and a line:
 * the text of a failure begins with them.
 */
async function testCase({ name, problems, result }: Group, suite: string) {
  const { errors, warnings } = splitBySeverity(problems);
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
          "@_message": xmlText(escapeLine(problemText(first))),
          "@_type": first.rule,
          "#text": await problemLines(problems),
        }
      : error && { "@_message": xmlText(escapeLine(error.message)), "@_type": error.kind },
    error: undefined,
    skipped: (first ?? error) === undefined && result?.status === "skipped" ? "" : undefined,
    "system-out": warnings.length === 0 ? undefined : await problemLines(warnings),
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

/** Each problem as `check` prints it without a terminal. */
async function problemLines(problems: readonly Diagnostic[]): Promise<string> {
  return xmlText(await diagnosticText(problems, plain, { isTerminal: false, columns: 0 }));
}

/** Characters that XML 1.0 cannot contain, not even escaped. */
const INVALID_CHARACTERS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text that XML can contain, and that GitLab does not interpret as the name of an attachment. */
function xmlText(text: string): string {
  return text
    .replace(INVALID_CHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll("[[ATTACHMENT|", "[[ATTACHMENT\\x7c");
}
