/** Texts for people: blocks, problems with their source lines, errors, colors and summaries. */
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { UNGUARDED } from "../../src/base/io.ts";
import type { Diagnostic } from "../../src/files/diagnostic.ts";
import { diagnosticText } from "../../src/output/diagnostic-text.ts";
import { failureFacts, failureJson, failureText } from "../../src/output/failure.ts";
import { Messages } from "../../src/output/messages.ts";
import { summarize } from "../../src/output/plan-text.ts";
import { hasColor, loadTextMeasure, plain, wrapMessage } from "../../src/output/text-measure.ts";
import { Memory, render } from "./rig.ts";

test("blocks indent nested values, omit null inside them, and wrap long text below its field", async () => {
  const row = {
    prices: [{ type: "single_course", price: "49.90", currency: null }],
    audio: ["en", "pt-BR"],
    published: false,
    short_description: `${"word ".repeat(20).trim()}\nsecond`,
  };
  expect(await render([row], { layout: "blocks", terminal: 50 })).toBe(
    [
      "short_description: |-",
      "  word word word word word word word word word",
      "  word word word word word word word word word",
      "  word word",
      "  second",
      "audio: [en, pt-BR]",
      "published: false",
      "prices:",
      "  - type: single_course",
      '    price: "49.90"',
      "",
    ].join("\n"),
  );
});

test("TextMeasure cuts between characters, never inside a character", async () => {
  const { cut } = await loadTextMeasure();
  expect(cut("编程入门", 8)).toBe("编程入门");
  expect(cut("编程入门", 6)).toBe("编程…");
  expect(cut("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3)).toBe("👩‍👩‍👧‍👦…");
  expect(cut("abc", 0)).toBe("");
});

test("wrapMessage breaks a text at spaces, and no word, so that a URL can be copied", () => {
  expect(wrapMessage("one two three", 7)).toBe("one two\nthree");
  expect(wrapMessage("https://a.example ij", 3)).toBe("https://a.example\nij");
  expect(wrapMessage("编程 入门", 5)).toBe("编程\n入门");
  expect(wrapMessage("- one two", 5, 4)).toBe("- one\n    two");
  expect(wrapMessage("a\n\nb", 5)).toBe("a\n\nb");
});

const terminal = { isTerminal: true };
const pipe = { isTerminal: false };

test.each([
  [terminal, {}, true, true],
  [terminal, { TERM: "dumb" }, true, false],
  [pipe, { TERM: "xterm-256color" }, true, false],
  [terminal, { FORCE_COLOR: "3" }, false, false],
  [terminal, { NO_COLOR: "1" }, true, false],
  [terminal, { NO_COLOR: "" }, true, true],
  [terminal, { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  [pipe, { FORCE_COLOR: "" }, true, false],
  [pipe, { FORCE_COLOR: "1" }, true, true],
  [pipe, { FORCE_COLOR: "3", TERM: "dumb" }, true, true],
  [terminal, { FORCE_COLOR: "0" }, true, false],
  [terminal, { FORCE_COLOR: "false" }, true, false],
] as const)(
  "the output %o with %o, allowed %o, has color: %o",
  (output, environment, allowed, expected) => {
    expect(hasColor(output, environment, allowed)).toBe(expected);
  },
);

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

/** The lines that a terminal shows of a diagnostic. */
async function shown(diagnostic: Diagnostic, columns = 80): Promise<string[]> {
  const output = { ...UNGUARDED, isTerminal: true, columns };
  return (await diagnosticText([diagnostic], plain, output)).trimEnd().split("\n");
}

/** The source line of a diagnostic, and the line with the marker. */
async function snippetOf(diagnostic: Diagnostic, columns?: number): Promise<string[]> {
  return (await shown(diagnostic, columns)).filter((line) => /^ +\d* +\|/.test(line));
}

test("a problem has position, message, rule, source line, mark and suggestion on a terminal", async () => {
  const typo = about("  - curency: EUR", "curency", { suggestion: "currency" });
  expect(await shown(typo)).toEqual([
    "courses/a.yaml:12:5: error: curency is no key of a price [unknown-field]",
    "  12 |   - curency: EUR",
    "     |     ^^^^^^^",
    '    Did you mean "currency"?',
  ]);
});

/** The part of the source line above the marker. */
async function marked(diagnostic: Diagnostic, columns = 80): Promise<string> {
  const [line = "", mark = ""] = await snippetOf(diagnostic, columns);
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

test.each([
  ["name: 编程入门 curency", "curency"],
  ["name: 编程入门", "程入"],
  ["{name: 👩‍👩‍👧‍👦, slug: x}", "slug"],
  ["name: หลักสูตร x", "x"],
  ["name: हिन्दी y", "y"],
  ["{a: מבוא, b: c}", "b: c"],
  ['\t"a":\t1', "1"],
  ["{a: \u001b[31m, b: c}", "b: c"],
])("the mark of a problem is below the affected text in %j", async (source, mark) => {
  expect(await marked(about(source, mark))).toBe(mark);
});

test("a tab in the line of a problem is shown as spaces", async () => {
  expect(await snippetOf(about('\t"a":\t1', "1"))).toContain('  12 |   "a":  1');
});

test("the mark of a problem extends to the end of the line if the range ends on a later line", async () => {
  expect(await marked(about("text: |", "|", { endLine: 15, endColumn: 2 }))).toBe("|");
});

test("the mark of a problem is one column wide for an empty range, which may be after the end of the line", async () => {
  const at = { column: 4, endColumn: 4 };
  expect(await snippetOf(about("abc", "", at))).toEqual(["  12 | abc", "     |    ^"]);
  const beyond = about("", "", { column: 9, endColumn: 12 });
  expect(await snippetOf(beyond)).toEqual(["  12 |", "     | ^"]);
});

test.each([40, 80])(
  "the mark of a problem is visible in a long line at %i columns",
  async (columns) => {
    const filler = '"编程":"x", '.repeat(100);
    const start = about(`{"bad":1, ${filler}}`, '"bad"', { line: 1, endLine: 1 });
    const middle = about(`{${filler}"bad":1, ${filler}}`, '"bad"', { line: 1, endLine: 1 });
    const end = about(`{${filler}"bad":1}`, '"bad"', { line: 1, endLine: 1 });
    for (const [diagnostic, shown] of [
      [start, /^ {2}1 \| \{"bad".*…$/],
      [middle, /^ {2}1 \| ….*…$/],
      [end, /^ {2}1 \| ….*"bad":1\}$/],
    ] as const) {
      expect(await marked(diagnostic, columns)).toBe('"bad"');
      expect((await snippetOf(diagnostic, columns))[0]).toMatch(shown);
    }
  },
);

const REFUSED = new CatalogError(
  "rejected",
  "could not create the course: the service rejected the request",
  {
    status: 400,
    code: "23514",
    hint: "audio must not be empty",
    details: "Failing row.",
    file: "courses/a.yaml",
    line: 3,
    column: 8,
    advice: "Correct the file and push again",
  },
);

test("failureText prints what failed, where, why, and what to do", () => {
  expect(failureText(REFUSED, plain)).toBe(
    [
      "courses/a.yaml:3:8: error: could not create the course: the service rejected the request",
      "  service: audio must not be empty. Failing row.",
      "  Correct the file and push again.",
    ].join("\n"),
  );
});

test("failureText begins with a position only if the line is known, and ends with the rule", () => {
  const unread = new CatalogError("file", "could not read a.yaml", { file: "a.yaml" });
  expect(failureText(unread, plain)).toBe("error: could not read a.yaml");
  const bad = new CatalogError("file", "bad", { file: "a.yaml", line: 2, rule: "service" });
  expect(failureText(bad, plain)).toBe("a.yaml:2: error: bad [service]");
});

test("failureJson contains the known facts in the documented order", () => {
  expect(JSON.parse(failureJson(REFUSED))).toEqual({ error: failureFacts(REFUSED) });
  expect(Object.keys(failureFacts(REFUSED))).toEqual(
    "kind message hint details status code file line column next".split(" "),
  );
  expect(failureFacts(new CatalogError("usage", "no"))).toEqual({ kind: "usage", message: "no" });
});

test("Messages prints traces and causes as text with verbose, even with json, and stacks only of bugs", async () => {
  const err = new Memory({ isTerminal: true });
  const options = { err, json: true, quiet: false, verbose: true, styles: plain };
  const messages = new Messages(options);
  await messages.trace("GET /courses");
  const cause = new Error("deep", { cause: new Error("deeper") });
  await messages.fail(new CatalogError("unreachable", "far", { cause }));
  const [trace, error, ...causes] = err.text.split("\n");
  expect(trace).toBe("GET /courses");
  expect(JSON.parse(error ?? "")).toEqual({ error: { kind: "unreachable", message: "far" } });
  expect(causes).toEqual(["caused by: Error: deep", "caused by: Error: deeper", ""]);
  await messages.fail(new CatalogError("internal", "broken", { cause }));
  expect(err.text).toMatch(
    /\nCatalogError: broken\n +at [\s\S]*caused by: Error: deep\n +at [\s\S]*caused by: Error: deeper\n/,
  );
});

test("Messages indents the continued lines of an error", async () => {
  const err = new Memory({ isTerminal: true, columns: 40 });
  const options = { err, json: false, quiet: false, verbose: false, styles: plain };
  await new Messages(options).fail(REFUSED);
  const [, second = "", third = ""] = err.text.split("\n");
  expect([second, third]).toEqual(Array(2).fill(expect.stringMatching(/^ {4}\S/)));
});

test.each([
  [{ unknown: 1 }, "1 course may have been changed."],
  [{ created: 1, unchanged: 1297 }, "Created 1 course. 1,297 were up to date."],
])("the summary of %j is %j", (counts, summary) => {
  const none = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
  const rest = { failed: 0, skipped: 0, unknown: 0 };
  expect(summarize({ ...none, ...rest, ...counts })).toBe(summary);
});
