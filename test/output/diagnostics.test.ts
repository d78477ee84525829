import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { UNGUARDED } from "../../src/base/io.ts";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import { diagnosticText } from "../../src/output/diagnostic-text.ts";
import { plain } from "../../src/output/text-measure.ts";

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
    rule: "unknown-field",
    message: "curency is no key of a price",
    path: ["prices", 0, "curency"],
    source,
    ...changes,
  };
}

const TYPO = about("  - curency: EUR", "curency", { suggestion: "currency" });
const ON_TERMINAL = { isTerminal: true, columns: 80 };

async function human(diagnostics: readonly Diagnostic[], options = ON_TERMINAL): Promise<string[]> {
  const text = await diagnosticText(diagnostics, plain, { ...UNGUARDED, ...options });
  return text.trimEnd().split("\n");
}

describe("diagnosticText", () => {
  test("diagnosticText prints position, message, rule, source line, mark and suggestion on a terminal", async () => {
    expect(await human([TYPO])).toEqual([
      "courses/a.yaml:12:5: error: curency is no key of a price [unknown-field]",
      "  12 |   - curency: EUR",
      "     |     ^^^^^^^",
      '    Did you mean "currency"?',
    ]);
  });

  test("diagnosticText prints one line per diagnostic without a terminal", async () => {
    expect(
      await human([TYPO, { ...TYPO, severity: "warning" }], { isTerminal: false, columns: 80 }),
    ).toEqual([
      'courses/a.yaml:12:5: error: curency is no key of a price. Did you mean "currency"? [unknown-field]',
      'courses/a.yaml:12:5: warning: curency is no key of a price. Did you mean "currency"? [unknown-field]',
    ]);
  });
});

/** The lines of the snippet: the source line and the marker. */
async function snippetOf(
  diagnostic: Diagnostic,
  options = ON_TERMINAL,
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

  test.each([40, 60, 80])(
    "the mark of a problem is visible in a long line at %i columns",
    async (columns) => {
      const filler = '"编程":"x", '.repeat(400);
      const start = about(`{"bad":1, ${filler}}`, '"bad"', { line: 1, endLine: 1 });
      const middle = about(`{${filler}"bad":1, ${filler}}`, '"bad"', { line: 1, endLine: 1 });
      const end = about(`{${filler}"bad":1}`, '"bad"', { line: 1, endLine: 1 });
      for (const diagnostic of [start, middle, end]) {
        expect(await marked(diagnostic, columns)).toBe('"bad"');
      }
      expect((await snippetOf(middle, { isTerminal: true, columns }))[0]).toMatch(
        /^ {2}1 \| ….*…$/,
      );
      expect((await snippetOf(start, { isTerminal: true, columns }))[0]).toMatch(
        /^ {2}1 \| \{"bad".*…$/,
      );
      expect((await snippetOf(end, { isTerminal: true, columns }))[0]).toMatch(
        /^ {2}1 \| ….*"bad":1\}$/,
      );
    },
  );
});
