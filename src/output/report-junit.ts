/** Writes the result of a check as JUnit XML, which CI services show as test results. */
import type { CatalogError } from "../base/errors.ts";
import { escapeLine } from "../base/text.ts";
import { addTo } from "../base/values.ts";
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
import { changedFields } from "./plan.ts";
import { plain } from "./text-measure.ts";

/**
 * One test suite. A report of `check` has one test case per file, a report of `diff` or `push` one per
 * course. Each failure of the run is a separate case, so that no failed run has only successful cases. A
 * case with errors has one failure, whose text lists every problem; changes and warnings are in `system-out`,
 * because JUnit has no element for them. The result is well-formed XML 1.0 for all names and messages.
 */
export function junitReport(report: CheckReport): string {
  const { failures = [], notices = [], target, time = { start: 0, duration: 0 }, plan } = report;
  const name = commandOf(report);
  const steps = new Map(plan?.steps.map((step) => [step.id, step]));
  const groups = groupProblems(report);
  const cases = [
    ...groups.map((group) => testCase(group, name, steps)),
    ...failures.map((failure) => failureCase(failure, name)),
  ];
  const totals = {
    name,
    tests: cases.length,
    failures: cases.filter((text) => text.includes("<failure ")).length,
    errors: failures.length,
    time: time.duration / 1000,
  };
  const suite = {
    ...totals,
    skipped: cases.filter((text) => text.includes("<skipped/>")).length,
    // A timestamp of JUnit has no time zone. This one is in UTC.
    ...(time.start > 0 && { timestamp: new Date(time.start).toISOString().slice(0, 19) }),
  };
  const property = target && xml("property", { name: "target", value: describeTarget(target) });
  const content = [
    property === undefined ? "" : xml("properties", {}, property),
    ...cases,
    output(notices.map((text) => `${escapeLine(text)}\n`).join("")),
  ];
  const root = xml("testsuites", totals, xml("testsuite", suite, content.join("")));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
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

/** A test case. The schema of Jenkins has no attributes for a file and a line: the text of a failure begins with them. */
function testCase(
  { name, problems, result }: Group,
  suite: string,
  steps: ReadonlyMap<string | null, ReportedStep>,
): string {
  const { errors, warnings } = splitBySeverity(problems);
  const [first] = errors;
  const error = first === undefined ? result?.error : undefined;
  const step = steps.get(result?.id ?? null);
  const changed = step && `${step.action}: ${escapeLine(changedFields(step.fields).join(", "))}\n`;
  const attributes = {
    name: escapeLine(name),
    // GitLab shows only the class.
    classname: suite,
    // The schema allows milliseconds.
    time: Number((result?.seconds ?? 0).toFixed(3)),
  };
  const failure =
    first === undefined
      ? error && xml("failure", { message: escapeLine(error.message), type: error.kind })
      : xml(
          "failure",
          { message: escapeLine(problemText(first)), type: first.rule },
          xmlText(problemLines(problems)),
        );
  const isSkipped = failure === undefined && result?.status === "skipped";
  return xml(
    "testcase",
    attributes,
    [
      failure ?? (isSkipped ? "<skipped/>" : ""),
      output((changed ?? "") + problemLines(warnings)),
    ].join(""),
  );
}

/** The test case of a failure of the run. */
function failureCase(failure: CatalogError, suite: string): string {
  const { message, kind } = failure;
  const text = xmlText(failureText(failure, plain));
  const error = xml("error", { message: escapeLine(message), type: kind }, text);
  return xml("testcase", { name: suite, classname: suite, time: 0 }, error);
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
  return text
    .replace(
      SPECIAL,
      (character) => ENTITIES.get(character) ?? `\\u${character.charCodeAt(0).toString(16)}`,
    )
    .replaceAll("[[ATTACHMENT|", "[[ATTACHMENT\\x7c");
}
