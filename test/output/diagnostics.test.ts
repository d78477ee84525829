import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import { type DiagnosticOutput, diagnosticText } from "../../src/output/diagnostic-text.ts";
import { type CheckReport, summaryText } from "../../src/output/diagnostics.ts";
import { plain, type Styles } from "../../src/output/text-measure.ts";

/** A diagnostic about `mark` in the source line. */
function about(source: string, mark: string, changes: Partial<Diagnostic> = {}): Diagnostic {
  const column = source.indexOf(mark) + 1;
  return {
    file: "courses/a.yaml",
    line: 12,
    column,
    endLine: 12,
    endColumn: column + mark.length,
    severity: "error",
    rule: "unknown-key",
    message: "curency is no key of a price",
    path: ["prices", 0, "curency"],
    source,
    ...changes,
  };
}

/** The names of files: those of the diagnostics, and others. */
function names(count: number, diagnostics: readonly Diagnostic[]): string[] {
  const others = Array.from({ length: count }, (_, index) => `courses/${index}.yaml`);
  return [...new Set([...diagnostics.map(({ file }) => file), ...others])].slice(0, count);
}

/** The findings and the summary as text. */
async function humanDiagnostics(
  report: CheckReport,
  styles: Styles,
  options: DiagnosticOutput,
): Promise<string> {
  const found = await diagnosticText(report.diagnostics, styles, options);
  return `${found}${summaryText(report, styles)}\n`;
}

const TYPO = about("  - curency: EUR", "curency", { suggestion: "currency" });
const ON_TERMINAL: DiagnosticOutput = { isTerminal: true, columns: 80 };

async function human(diagnostics: readonly Diagnostic[], options = ON_TERMINAL): Promise<string[]> {
  const text = await humanDiagnostics(
    { files: names(5, diagnostics), courses: 12, diagnostics },
    plain,
    options,
  );
  expect(text.endsWith("\n")).toBe(true);
  return text.slice(0, -1).split("\n");
}

describe("diagnosticText", () => {
  test("diagnosticText prints position, message, rule, source line, mark and suggestion on a terminal", async () => {
    expect(await human([TYPO])).toEqual([
      "courses/a.yaml:12:5: error: curency is no key of a price [unknown-key]",
      "  12 |   - curency: EUR",
      "     |     ^^^^^^^",
      '    Did you mean "currency"?',
      "",
      "1 error in 1 of 5 files",
    ]);
  });

  test("diagnosticText prints one line per diagnostic off a terminal", async () => {
    expect(
      await human([TYPO, { ...TYPO, severity: "warning" }], { isTerminal: false, columns: 80 }),
    ).toEqual([
      'courses/a.yaml:12:5: error: curency is no key of a price. Did you mean "currency"? [unknown-key]',
      'courses/a.yaml:12:5: warning: curency is no key of a price. Did you mean "currency"? [unknown-key]',
      "1 error and 1 warning in 1 of 5 files",
    ]);
  });
});

/** The lines of the snippet: the source line and the marker. */
async function snippetOf(
  diagnostic: Diagnostic,
  options: DiagnosticOutput = ON_TERMINAL,
): Promise<[line: string, mark: string]> {
  const [line = "", mark = ""] = (await human([diagnostic], options)).filter((text) =>
    /^ +\d* +\|/.test(text),
  );
  return [line, mark];
}

/** The part of the source line above the marker. */
async function marked(diagnostic: Diagnostic, columns = 80): Promise<string> {
  const [line, mark] = await snippetOf(diagnostic, { isTerminal: true, columns });
  expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  expect(stringWidth(mark)).toBeLessThanOrEqual(columns);
  const start = mark.indexOf("^");
  let column = 0;
  let above = "";
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (column >= start && column < mark.length) above += segment;
    column += stringWidth(segment);
  }
  return above;
}

describe("the mark", () => {
  test.each([
    ["name: 编程入门 curency", "curency"],
    ["name: 编程入门", "程入"],
    ["{name: 👩‍👩‍👧‍👦, slug: x}", "slug"],
    ["name: หลักสูตร x", "x"],
    ["name: हिन्दी y", "y"],
    ["{a: מבוא, b: c}", "b: c"],
    ["{a: \u001b[31m, b: c}", "b: c"],
  ])("the mark of a problem is below the affected text in %j", async (source, mark) => {
    expect(await marked(about(source, mark))).toBe(mark);
  });

  test("the mark of a problem counts a tab as the spaces that are shown for the tab", async () => {
    expect(await human([about('\t"a":\t1', "1")])).toContain('  12 |   "a":  1');
    expect(await marked(about('\t"a":\t1', "1"))).toBe("1");
  });

  test("the mark of a problem extends to the end of the line if the range ends on a later line", async () => {
    expect(await marked(about("text: |", "|", { endLine: 15, endColumn: 2 }))).toBe("|");
  });

  test("the mark of a problem is one column wide for an empty range, which may be after the end of the line", async () => {
    const at = { column: 4, endColumn: 4 };
    expect((await human([about("abc", "", at)])).slice(1, 3)).toEqual([
      "  12 | abc",
      "     |    ^",
    ]);
    expect((await human([about("", "", { column: 9, endColumn: 12 })])).slice(1, 3)).toEqual([
      "  12 |",
      "     | ^",
    ]);
  });

  test.each([40, 60, 80])("the mark is visible in a long line at %i columns", async (columns) => {
    const filler = '"编程":"x", '.repeat(400);
    const start = about(`{"bad":1, ${filler}}`, '"bad"', { line: 1, endLine: 1 });
    const middle = about(`{${filler}"bad":1, ${filler}}`, '"bad"', { line: 1, endLine: 1 });
    const end = about(`{${filler}"bad":1}`, '"bad"', { line: 1, endLine: 1 });
    for (const diagnostic of [start, middle, end]) {
      expect(await marked(diagnostic, columns)).toBe('"bad"');
    }
    expect((await snippetOf(middle, { isTerminal: true, columns }))[0]).toMatch(/^ {2}1 \| ….*…$/);
    expect((await snippetOf(start, { isTerminal: true, columns }))[0]).toMatch(
      /^ {2}1 \| \{"bad".*…$/,
    );
    expect((await snippetOf(end, { isTerminal: true, columns }))[0]).toMatch(
      /^ {2}1 \| ….*"bad":1\}$/,
    );
  });
});
