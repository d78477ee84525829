/** Writes the result of a run as a GitLab Code Quality report, which merge requests show at the lines. */
import { createHash } from "node:crypto";
import { relative, resolve, sep } from "node:path";
import { escapeLine } from "../base/text.ts";
import { type CheckReport, commandOf, findingText } from "./diagnostics.ts";
import { failureSummary } from "./failure.ts";

/** One entry of the report, with the keys that GitLab requires. */
interface Issue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: "blocker" | "major" | "minor";
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

/** One issue per finding and failure, with a fingerprint that does not depend on the line. */
export function codeQualityReport(report: CheckReport, folder: string): Issue[] {
  const seen = new Map<string, number>();
  const fingerprint = (...parts: readonly string[]): string => {
    const text = parts.join("\0");
    const count = seen.get(text) ?? 0;
    seen.set(text, count + 1);
    return createHash("sha256").update(`${text}\0${count}`).digest("hex");
  };
  const { diagnostics, failures = [], files } = report;
  return [
    ...failures.map((failure): Issue => {
      const { kind, facts } = failure;
      const summary = escapeLine(failureSummary(failure));
      const path = pathIn(folder, facts.file ?? files[0] ?? ".");
      const begin = facts.line ?? 1;
      return {
        description: `${commandOf(report)}: ${summary}`,
        check_name: kind,
        fingerprint: fingerprint(path, kind, summary),
        severity: "blocker",
        location: { path, lines: { begin } },
      };
    }),
    ...diagnostics.map((diagnostic): Issue => {
      const { file, line, rule, severity } = diagnostic;
      const path = pathIn(folder, file);
      const description = findingText(diagnostic);
      return {
        description,
        check_name: rule,
        fingerprint: fingerprint(path, rule, description),
        severity: severity === "error" ? "major" : "minor",
        location: { path, lines: { begin: line } },
      };
    }),
  ];
}

/** The path as GitLab expects it: relative to the repository, with slashes, without `./`. */
function pathIn(folder: string, file: string): string {
  return relative(folder, resolve(folder, file)).replaceAll(sep, "/") || ".";
}
