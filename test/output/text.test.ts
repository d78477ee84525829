/** Texts for people: blocks, problems with their source lines, errors, colors and summaries. */
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { CatalogError } from "../../src/base/errors.ts";
import { UNGUARDED } from "../../src/base/io.ts";
import type { Summary } from "../../src/core/apply.ts";
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
  expect(cut("编程入门", 7)).toBe("编程入…");
  expect(cut("编程入门", 6)).toBe("编程…");
  expect(cut("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3)).toBe("👩‍👩‍👧‍👦…");
  expect(cut("abc", 1)).toBe("…");
  expect(cut("abc", 0)).toBe("");
  expect(cut("", 0)).toBe("");
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
  [terminal, { TERM: "xterm-256color" }, true, true],
  [terminal, { TERM: "dumb" }, true, false],
  [pipe, { TERM: "xterm-256color" }, true, false],
  [terminal, { TERM: "xterm" }, false, false],
  [terminal, { FORCE_COLOR: "3" }, false, false],
  [terminal, { NO_COLOR: "1" }, true, false],
  [terminal, { NO_COLOR: "" }, true, true],
  [terminal, { NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
  [pipe, { FORCE_COLOR: "" }, true, false],
  [terminal, { FORCE_COLOR: "" }, true, true],
  [pipe, { FORCE_COLOR: "1" }, true, true],
  [pipe, { FORCE_COLOR: "true" }, true, true],
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

const TYPO = about("  - curency: EUR", "curency", { suggestion: "currency" });
const ON_TERMINAL = { isTerminal: true, columns: 80 };

async function human(diagnostics: readonly Diagnostic[], options = ON_TERMINAL): Promise<string[]> {
  const text = await diagnosticText(diagnostics, plain, { ...UNGUARDED, ...options });
  return text.trimEnd().split("\n");
}

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
  expect((await human([about("abc", "", at)])).slice(1, 3)).toEqual(["  12 | abc", "     |    ^"]);
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
    expect((await snippetOf(middle, { isTerminal: true, columns }))[0]).toMatch(/^ {2}1 \| ….*…$/);
    expect((await snippetOf(start, { isTerminal: true, columns }))[0]).toMatch(
      /^ {2}1 \| \{"bad".*…$/,
    );
    expect((await snippetOf(end, { isTerminal: true, columns }))[0]).toMatch(
      /^ {2}1 \| ….*"bad":1\}$/,
    );
  },
);

function createMessages(
  options: Partial<{ json: boolean; quiet: boolean; verbose: boolean }> = {},
) {
  const err = new Memory({ isTerminal: true });
  const messages = new Messages({
    err,
    json: false,
    quiet: false,
    verbose: false,
    styles: plain,
    ...options,
  });
  return { err, messages };
}

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

test("failureText prints a position once", () => {
  const position = { file: "a.yaml", line: 2, column: 1 };
  expect(failureText(new CatalogError("file", "invalid", position), plain)).toBe(
    "a.yaml:2:1: error: invalid",
  );
  expect(
    failureText(new CatalogError("file", "could not read a.yaml", { file: "a.yaml" }), plain),
  ).toBe("error: could not read a.yaml");
  expect(
    failureText(new CatalogError("file", "bad", { ...position, rule: "service" }), plain),
  ).toBe("a.yaml:2:1: error: bad [service]");
});

test("failureJson contains the known facts in the documented order", () => {
  expect(JSON.parse(failureJson(REFUSED))).toEqual({ error: failureFacts(REFUSED) });
  expect(Object.keys(failureFacts(REFUSED))).toEqual(
    "kind message hint details status code file line column next".split(" "),
  );
  expect(failureFacts(new CatalogError("usage", "no"))).toEqual({ kind: "usage", message: "no" });
});

test("Messages prints traces and causes as text with verbose, even with json, and stacks only of bugs", async () => {
  const { err, messages } = createMessages({ json: true, verbose: true });
  await messages.trace("GET /courses");
  const cause = new Error("deep", { cause: new Error("deeper") });
  await messages.fail(new CatalogError("unreachable", "far", { cause }));
  const [trace, error, ...causes] = err.text.split("\n");
  expect(trace).toBe("GET /courses");
  expect(JSON.parse(error ?? "")).toEqual({ error: { kind: "unreachable", message: "far" } });
  expect(causes).toEqual(["caused by: Error: deep", "caused by: Error: deeper", ""]);
  const bug = createMessages({ verbose: true });
  await bug.messages.fail(new CatalogError("internal", "broken", { cause }));
  expect(bug.err.text).toMatch(
    /\nCatalogError: broken\n +at [\s\S]*caused by: Error: deep\n +at [\s\S]*caused by: Error: deeper\n/,
  );
});

const LONG = new CatalogError(
  "rejected",
  "cannot create the course because the service rejected it",
  {
    hint: "the audio languages of a course must be language codes such as en or pt-BR",
    advice: "Correct the field audio in the file and push the folder again",
  },
);

test("Messages indents the continued lines of an error", async () => {
  const err = new Memory({ isTerminal: true, columns: 40 });
  const options = { err, json: false, quiet: false, verbose: false, styles: plain };
  await new Messages(options).fail(LONG);
  expect(err.text).toBe(
    [
      "error: cannot create the course",
      "    because the service rejected it",
      "  service: the audio languages of a",
      "    course must be language codes such",
      "    as en or pt-BR",
      "  Correct the field audio in the file",
      "    and push the folder again.",
      "",
    ].join("\n"),
  );
});

const NONE: Summary = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  skipped: 0,
  unknown: 0,
};

test.each([
  [{ created: 1, updated: 3 }, "Created 1 course and updated 3."],
  [
    { created: 1, updated: 3, deleted: 2, unchanged: 10 },
    "Created 1 course, updated 3 and deleted 2. 10 were up to date.",
  ],
  [
    { updated: 2, unchanged: 1, failed: 1, unknown: 1, skipped: 1 },
    "Updated 2 courses. 1 was up to date. 1 failed. 1 may have been changed. 1 was not sent.",
  ],
  [{ unchanged: 14 }, "Already up to date: 14 courses."],
  [{}, "Already up to date."],
  [{ failed: 1, unchanged: 2 }, "Nothing was changed. 2 courses were up to date. 1 failed."],
  [{ unknown: 1 }, "1 course may have been changed."],
  [{ created: 1200, skipped: 297 }, "Created 1,200 courses. 297 were not sent."],
])("the summary of %j is %j", (counts, summary) => {
  expect(summarize({ ...NONE, ...counts })).toBe(summary);
});
