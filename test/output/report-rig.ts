/** Shared by the tests of reports: findings, and strings that could break a report. */
import fc from "fast-check";
import { RULES } from "../../src/course/problem.ts";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import type { CheckReport } from "../../src/output/diagnostics.ts";
import { tricky } from "./rig.ts";

/** A finding about `curency` in `courses/a.yaml`. */
export function finding(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    file: "courses/a.yaml",
    line: 12,
    column: 5,
    endLine: 12,
    endColumn: 12,
    severity: "error",
    rule: "unknown-field",
    message: "prices[0].curency is not a key of a price",
    path: ["prices", 0, "curency"],
    source: "  - curency: EUR",
    ...changes,
  };
}

/** A report with these findings, and with files without findings. */
export function reportOf(
  diagnostics: readonly Diagnostic[],
  good: readonly string[] = [],
): CheckReport {
  const files = [...new Set([...diagnostics.map(({ file }) => file), ...good])];
  return { files, courses: files.length, diagnostics };
}

/** Strings with a meaning in some format. */
const MARKUP = [
  ...`]]> <![CDATA[ <!-- &amp; &#0; <b> "'>< true [[ATTACHMENT|/etc/passwd]]`.split(" "),
  ..."| \\| \\\\| ` a`|`b @someone #1 [x](https://evil.example) ![x](y) {0} {{0}} }".split(" "),
  ..."{ a](1) [ \\ \\[ javascript:alert(1) //host/a /a/b C:\\a.yaml ../a ./a//b ?q#f %41".split(
    " ",
  ),
  ...["``` |", " ", "  ", "` ", "<img src=x onerror=y>", "[x]: y", "\r\n", "\t", "😀"],
  ...["\ud800", "\udfff\ud800", "\ufffe", "\uffff", "\u0000", "\u0085", "\u{1fffe}"],
];

/** Any string, including lone surrogates. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...MARKUP), { maxLength: 4 }).map((parts) => parts.join("")),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  tricky(),
);

const place = fc.record({
  file: anyText,
  line: fc.integer({ min: 1, max: 9999 }),
  column: fc.integer({ min: 1, max: 9999 }),
  endLine: fc.integer({ min: 1, max: 9999 }),
  endColumn: fc.integer({ min: 1, max: 9999 }),
});

/** A finding with random strings in every text field. */
const anyFinding: fc.Arbitrary<Diagnostic> = fc
  .record(
    {
      place,
      severity: fc.constantFrom("error" as const, "warning" as const),
      rule: fc.constantFrom(...RULES),
      message: anyText,
      suggestion: anyText,
      notes: fc.array(anyText, { maxLength: 2 }),
      source: anyText,
    },
    { requiredKeys: ["place", "severity", "rule", "message"] },
  )
  .map(({ place: where, ...words }) => ({ ...where, path: [], ...words }));

/** A report with random strings in every text field. */
export const anyReport: fc.Arbitrary<CheckReport> = fc
  .record({
    diagnostics: fc.array(anyFinding, { maxLength: 5 }),
    good: fc.array(anyText, { maxLength: 2 }),
  })
  .map(({ diagnostics, good }) => reportOf(diagnostics, good));
