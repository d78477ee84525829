/** Writes the result of a check as JUnit XML, which CI services show as test results. */
import Builder from "fast-xml-builder";
import { escapeLine } from "../base/text.ts";
import { plain } from "./color.ts";
import { diagnosticText } from "./diagnostic-text.ts";
import { type CheckReport, type Diagnostic, findingText } from "./diagnostics.ts";

/** The name of the suite and of each test case's class, because GitLab shows only the class. */
const SUITE = "catalog courses check";

/**
 * One suite with one test case per file. A file with errors has one failure with every finding in
 * its text; warnings are in `system-out`, because JUnit has no element for them. The result is
 * well-formed XML 1.0 for all names and messages.
 */
export async function junitReport(report: CheckReport): Promise<string> {
  const cases = await Promise.all([...groupByFile(report)].map((entry) => testCase(...entry)));
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const totals = { "@_tests": cases.length, "@_failures": failures, "@_errors": 0 };
  const suite = { "@_name": SUITE, ...totals, "@_skipped": 0, "@_time": 0, testcase: cases };
  return new Builder({
    ignoreAttributes: false,
    // Otherwise the attribute of a file named `true` has no value.
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    format: true,
  }).build({
    "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" },
    testsuites: { "@_name": SUITE, ...totals, "@_time": 0, testsuite: suite },
  });
}

/** The findings of each file, also of files without any; a name given twice is one file. */
function groupByFile({ files, diagnostics }: CheckReport): Map<string, Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>(files.map((file) => [file, []]));
  for (const diagnostic of diagnostics) {
    const others = found.get(diagnostic.file);
    if (others === undefined) found.set(diagnostic.file, [diagnostic]);
    else others.push(diagnostic);
  }
  return found;
}

/** A test case as the XML builder expects it. `file` is for GitLab and the reporters on GitHub. */
async function testCase(file: string, findings: readonly Diagnostic[]) {
  const name = xmlText(escapeLine(file));
  const first = findings.find(({ severity }) => severity === "error");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  return {
    "@_name": name,
    "@_classname": SUITE,
    "@_file": name,
    "@_line": first?.line,
    "@_time": 0,
    failure: first && {
      "@_message": xmlText(findingText(first)),
      "@_type": first.rule,
      "#text": await findingLines(findings),
    },
    "system-out": warnings.length === 0 ? undefined : await findingLines(warnings),
  };
}

/** Each finding as `check` prints it off a terminal. */
async function findingLines(findings: readonly Diagnostic[]): Promise<string> {
  return xmlText(await diagnosticText(findings, plain, { snippets: false, columns: 0 }));
}

/** Characters that XML 1.0 cannot contain, not even escaped. */
const INVALID_CHARACTERS = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text that XML can contain, and that GitLab does not interpret as the name of an attachment. */
function xmlText(text: string): string {
  return text
    .replace(INVALID_CHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll("[[ATTACHMENT|", "[[ATTACHMENT\\x7c");
}
