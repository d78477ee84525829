/** Writes what a check came to as JUnit's XML, which CI services show as test results. */
import Builder from "fast-xml-builder";
import { escapeLine } from "../base/text.ts";
import { plain } from "./color.ts";
import type { CheckReport, Diagnostic } from "./diagnostic.ts";
import { diagnosticText } from "./diagnostics.ts";
import { findingText } from "./report-words.ts";

/** GitLab and others show the class of a test case and not its suite, so both are called this. */
const SUITE = "catalog courses check";

/**
 * One suite with one test case per file. A file with errors has one failure with every finding in
 * its text; warnings stand in `system-out`, as there is no other place for them. Well-formed XML
 * 1.0 whatever the names and messages hold.
 */
export async function junitReport(report: CheckReport): Promise<string> {
  const cases = await Promise.all([...findingsByFile(report)].map((entry) => testCase(...entry)));
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const totals = { "@_tests": cases.length, "@_failures": failures, "@_errors": 0 };
  const suite = { "@_name": SUITE, ...totals, "@_skipped": 0, "@_time": 0, testcase: cases };
  return new Builder({
    ignoreAttributes: false,
    // The attribute of a file that is called `true` would otherwise have no value.
    suppressBooleanAttributes: false,
    suppressEmptyNode: true,
    format: true,
  }).build({
    "?xml": { "@_version": "1.0", "@_encoding": "UTF-8" },
    testsuites: { "@_name": SUITE, ...totals, "@_time": 0, testsuite: suite },
  });
}

/** The findings of every file, good ones among them; a name that was given twice is one file. */
function findingsByFile({ files, diagnostics }: CheckReport): Map<string, Diagnostic[]> {
  const found = new Map<string, Diagnostic[]>(files.map((file) => [file, []]));
  for (const diagnostic of diagnostics) {
    const known = found.get(diagnostic.file);
    if (known === undefined) found.set(diagnostic.file, [diagnostic]);
    else known.push(diagnostic);
  }
  return found;
}

/** A test case as the builder takes it. */
interface TestCase {
  readonly "@_name": string;
  readonly "@_classname": string;
  /** Which GitLab and the reporters on GitHub link to. */
  readonly "@_file": string;
  /** Where the first error stands. */
  readonly "@_line"?: number;
  readonly "@_time": number;
  readonly failure?: {
    readonly "@_message": string;
    readonly "@_type": string;
    readonly "#text": string;
  };
  readonly "system-out"?: string;
}

async function testCase(file: string, findings: readonly Diagnostic[]): Promise<TestCase> {
  const name = xmlText(escapeLine(file));
  const first = findings.find(({ severity }) => severity === "error");
  const warnings = findings.filter(({ severity }) => severity === "warning");
  return {
    "@_name": name,
    "@_classname": SUITE,
    "@_file": name,
    ...(first === undefined ? {} : { "@_line": first.line }),
    "@_time": 0,
    ...(first === undefined
      ? {}
      : {
          failure: {
            "@_message": xmlText(findingText(first)),
            "@_type": first.rule,
            "#text": await linesOf(findings),
          },
        }),
    ...(warnings.length === 0 ? {} : { "system-out": await linesOf(warnings) }),
  };
}

/** Each finding as check prints it off a terminal. */
async function linesOf(findings: readonly Diagnostic[]): Promise<string> {
  return xmlText(await diagnosticText(findings, plain, { snippets: false, columns: 0 }));
}

/** Everything that is no `Char` of XML 1.0, which even an escape cannot bring in. */
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text that XML can hold, and that no CI service takes for an order to attach a file. */
function xmlText(text: string): string {
  return text
    .replace(NO_CHARACTER, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
    .replaceAll("[[ATTACHMENT|", "[[ATTACHMENT\\x7c");
}
