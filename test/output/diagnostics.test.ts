import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import { type DiagnosticOutput, diagnosticText } from "../../src/output/diagnostic-text.ts";
import { type CheckReport, jsonReport, summaryText } from "../../src/output/diagnostics.ts";
import { githubAnnotations } from "../../src/output/github-annotations.ts";
import { plain, type Styles, stylesFor } from "../../src/output/text-measure.ts";
import { COLORS, HOSTILE, UNSAFE } from "./rig.ts";

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

  test("diagnosticText wraps notes on a terminal", async () => {
    const repeated = about("url: https://a.example/", "https://a.example/", {
      notes: [`The keys of a price are ${"currency, ".repeat(12)}and type.`],
    });
    const lines = await human([repeated]);
    expect(lines[3]).toMatch(/^ {4}note: The keys of a price are currency, /);
    expect(lines[4]).toMatch(/^ {4}currency, /);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
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

  test.each([
    [[], "5 files, 12 courses: no problems"],
    [["a"], "1 error in 1 of 5 files"],
    [["a", "a", "b"], "3 errors in 2 of 5 files"],
  ])("diagnosticText ends with a summary for the files %j", async (files, summary) => {
    const lines = await human(
      files.map((file) => ({ ...TYPO, file })),
      { isTerminal: false, columns: 80 },
    );
    expect(lines.at(-1)).toBe(summary);
  });

  test('diagnosticText ends with a summary of warnings, or with "no problems"', async () => {
    const diagnostics = [{ ...TYPO, severity: "warning" as const }];
    const report = { files: names(1, [TYPO]), courses: 1, diagnostics };
    const text = await humanDiagnostics(report, plain, { isTerminal: false, columns: 80 });
    expect(text).toMatch(/\n1 warning in 1 file\n$/);
    expect(await humanDiagnostics({ ...report, diagnostics: [] }, plain, ON_TERMINAL)).toBe(
      "1 file, 1 course: no problems\n",
    );
  });

  test("diagnosticText prints the same text with and without color", async () => {
    const report = {
      files: names(1, [TYPO]),
      courses: 1,
      diagnostics: [TYPO, { ...TYPO, severity: "warning" as const }],
    };
    const colored = await humanDiagnostics(report, await stylesFor(true), ON_TERMINAL);
    expect(colored).toContain("\u001b[31merror:\u001b[39m");
    expect(colored).toContain("\u001b[33m^^^^^^^\u001b[39m");
    expect(colored.replaceAll(COLORS, "")).toBe(await humanDiagnostics(report, plain, ON_TERMINAL));
  });

  test("diagnosticText escapes control characters in every part", async () => {
    const hostile = about(HOSTILE.replaceAll("\n", ""), "title", {
      file: HOSTILE,
      message: HOSTILE,
      suggestion: HOSTILE,
    });
    for (const isTerminal of [true, false]) {
      const lines = await human([hostile], { isTerminal, columns: 60 });
      expect(lines.join("\n")).not.toMatch(UNSAFE);
      if (!isTerminal) expect(lines).toHaveLength(2);
    }
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

  test("the mark of a problem is visible after a line that fills the terminal", async () => {
    const full = about("x".repeat(33), "", { column: 34, endColumn: 34 });
    const [line, mark] = await snippetOf(full, { isTerminal: true, columns: 40 });
    expect([line.length, mark.length]).toEqual([line.lastIndexOf("x") + 1, line.length + 1]);
    expect(mark.length).toBeLessThanOrEqual(40);
  });

  test("the mark of a problem fills the line if the range is longer", async () => {
    const long = about(`a: ${"x".repeat(500)}`, "x".repeat(500));
    const [line, mark] = await snippetOf(long, { isTerminal: true, columns: 60 });
    expect(line).toMatch(/x…$/);
    expect([line.length, mark.length]).toEqual([60, 60]);
  });

  test("the mark of a problem is omitted if the source line is unknown", async () => {
    const { source: _, ...bare } = TYPO;
    expect(await human([bare])).toEqual([
      "courses/a.yaml:12:5: error: curency is no key of a price [unknown-key]",
      '    Did you mean "currency"?',
      "",
      "1 error in 1 of 5 files",
    ]);
  });
});

test("jsonReport has the documented keys in the documented order", () => {
  const report = jsonReport({
    files: names(5, []),
    courses: 12,
    diagnostics: [TYPO, about("x", "x", { severity: "warning", path: [] })],
  });
  expect(JSON.stringify(report)).toBe(
    '{"files":5,"courses":12,"errors":1,"warnings":1,"problems":[' +
      '{"file":"courses/a.yaml","line":12,"column":5,"endLine":12,"endColumn":12,"severity":"error",' +
      '"rule":"unknown-key","message":"curency is no key of a price","suggestion":"currency","path":["prices",0,"curency"]},' +
      '{"file":"courses/a.yaml","line":12,"column":1,"endLine":12,"endColumn":2,"severity":"warning",' +
      '"rule":"unknown-key","message":"curency is no key of a price","path":[]}]}',
  );
});

describe("githubAnnotations", () => {
  const annotate = (...diagnostics: Diagnostic[]) =>
    githubAnnotations({ files: names(1, [TYPO]), courses: 1, diagnostics });

  test("githubAnnotations prints one workflow command per line", () => {
    expect(annotate(TYPO, { ...TYPO, severity: "warning" })).toBe(
      "::error file=courses/a.yaml,line=12,col=5,endLine=12,endColumn=12,title=unknown-key" +
        '::curency is no key of a price. Did you mean "currency"?\n' +
        "::warning file=courses/a.yaml,line=12,col=5,endLine=12,endColumn=12,title=unknown-key" +
        '::curency is no key of a price. Did you mean "currency"?\n',
    );
    expect(annotate()).toBe("");
  });

  test("githubAnnotations escapes text so that no message can forge a workflow command", () => {
    const { suggestion: _, ...forged } = {
      ...TYPO,
      file: "a,b:c%\n.yaml",
      message: "100%\r\n::error::x, y: z",
    };
    expect(annotate(forged)).toBe(
      "::error file=a%2Cb%3Ac%25%0A.yaml,line=12,col=5,endLine=12,endColumn=12,title=unknown-key" +
        "::100%25%0D%0A::error::x, y: z\n",
    );
    expect(annotate({ ...TYPO, file: HOSTILE, message: HOSTILE })).not.toMatch(UNSAFE);
  });
});
