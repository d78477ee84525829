/** Writes the result of a check as JUnit XML, which CI services show as test results. */
import type { CatalogError } from "../base/errors.ts";
import { escapeLine, escapeText } from "../base/text.ts";
import { addTo, changedFields } from "../base/values.ts";
import type { Diagnostic } from "../files/diagnostic.ts";
import {
  type CheckReport,
  commandOf,
  describeTarget,
  problemLine,
  problemText,
  type ReportedResult,
  type ReportedStep,
  splitBySeverity,
} from "./diagnostics.ts";
import { failureText } from "./failure.ts";
import { plain } from "./text-measure.ts";

/**
 * One test suite. A report of `check` has one test case per file, a report of `diff` or `push` one per course, and
 * one for each file with problems. Each failure of the run that is of no course is a separate case, so that no failed
 * run has only successful cases. A case with errors has one failure, whose text lists every problem; changes and warnings are in
 * `system-out`, because JUnit has no element for them. The result is well-formed XML 1.0 for all names and messages.
 */
export function junitReport(report: CheckReport): string {
  const { files, diagnostics, failures = [], notices = [], target, time, results, plan } = report;
  const suite = commandOf(report);
  const steps = new Map(plan?.steps.map((step) => [step.id, step]));
  const byFile = new Map<string, Diagnostic[]>();
  if (results === undefined) for (const file of files) byFile.set(file, []);
  for (const diagnostic of diagnostics) addTo(byFile, diagnostic.file, diagnostic);
  const isOfCourse = ({ kind, message, facts }: CatalogError): boolean =>
    (results ?? []).some(({ error }) => {
      const isSame = error?.kind === kind && error.message === message;
      return isSame && error.file === facts.file && error.line === facts.line;
    });
  const others = failures.filter((failure) => !isOfCourse(failure));
  const cases = [
    ...(results ?? []).map((result) => courseCase(result, suite, steps.get(result.id))),
    ...Array.from(byFile, ([file, problems]) => fileCase(file, suite, problems)),
    ...others.map((failure) => failureCase(failure, suite)),
  ];
  const totals = {
    name: suite,
    tests: cases.length,
    failures: cases.filter((text) => text.includes("<failure ")).length,
    errors: others.length,
    time: (time?.duration ?? 0) / 1000,
  };
  const skipped = cases.filter((text) => /<skipped[ /]/.test(text)).length;
  const property = target && xml("property", { name: "target", value: describeTarget(target) });
  const content = [
    property === undefined ? "" : xml("properties", {}, property),
    ...cases,
    output(notices.map(({ text }) => `${escapeLine(text)}\n`).join("")),
  ];
  const tests = xml("testsuite", { ...totals, skipped }, content.join(""));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml("testsuites", totals, tests)}`;
}

/** A test case. GitLab shows only the class; the schema of Jenkins has no attributes for a file and a line. */
function testCase(name: string, suite: string, content: string): string {
  return xml("testcase", { name: escapeLine(name), classname: suite, time: 0 }, content);
}

/** The test case of a course, with what changes. */
function courseCase(
  { name, url, id, error, status, reason }: ReportedResult,
  suite: string,
  step: ReportedStep | undefined,
): string {
  const words = [error?.message, error?.hint, error?.details, error?.next];
  const given = words.flatMap((text) => (text?.trim() ? `${escapeText(text)}\n` : []));
  const facts = error && { message: escapeLine(error.message), type: error.kind };
  const failure = facts && xml("failure", facts, xmlText(given.join("")));
  const changed = step && `${step.action}: ${escapeLine(changedFields(step.fields).join(", "))}\n`;
  const result =
    failure ?? (status === "skipped" ? xml("skipped", reason ? { message: reason } : {}) : "");
  return testCase(name ?? url ?? id ?? "", suite, result + output(changed ?? ""));
}

/** The test case of a file; its problems begin with their places. */
function fileCase(file: string, suite: string, problems: readonly Diagnostic[]): string {
  const { errors, warnings } = splitBySeverity(problems);
  const [first] = errors;
  const facts = first && { message: escapeLine(problemText(first)), type: first.rule };
  const failure = facts && xml("failure", facts, xmlText(problemLines(problems)));
  return testCase(file, suite, (failure ?? "") + output(problemLines(warnings)));
}

/** The test case of a failure of the run. */
function failureCase(failure: CatalogError, suite: string): string {
  const { message, kind } = failure;
  const text = xmlText(failureText(failure, plain));
  const error = xml("error", { message: escapeLine(message), type: kind }, text);
  return testCase(suite, suite, error);
}

function output(text: string): string {
  return text === "" ? "" : xml("system-out", {}, xmlText(text));
}

/** Each problem as `check` prints it without a terminal. */
function problemLines(problems: readonly Diagnostic[]): string {
  return problems.map((each) => `${problemLine(each, plain, problemText(each))}\n`).join("");
}

/** An element. @param content well-formed XML */
function xml(name: string, attributes: Readonly<Record<string, unknown>>, content = ""): string {
  const list = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlText(String(value))}"`,
  );
  const start = `<${name}${list.join("")}`;
  return content === "" ? `${start}/>\n` : `${start}>${content}</${name}>\n`;
}

/** Markup, and characters that XML 1.0 cannot contain, not even escaped. */
const SPECIAL = /[&<>"]|[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const ENTITIES = new Map(Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }));

/** Text that XML can contain, and that GitLab does not interpret as the name of an attachment. */
function xmlText(text: string): string {
  const escapeOf = (character: string): string =>
    ENTITIES.get(character) ?? `\\u${character.charCodeAt(0).toString(16)}`;
  return text.replace(SPECIAL, escapeOf).replaceAll("[[ATTACHMENT|", "[[ATTACHMENT\\x7c");
}
