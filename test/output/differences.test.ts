import stringWidth from "string-width";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { UNGUARDED } from "../../src/base/io.ts";
import { differencesText } from "../../src/output/plan-text.ts";
import { plain, stylesFor } from "../../src/output/text-measure.ts";

/** An output that wraps nothing, and terminals. */
const PIPE = { ...UNGUARDED, isTerminal: false, columns: 80 };
const terminal = (columns: number) => ({ ...UNGUARDED, isTerminal: true, columns });

const entry = (old: unknown, value: unknown) => ({
  action: "update" as const,
  id: "1",
  name: "Knitting",
  changes: [{ path: ["long_description"], old, new: value }],
});

test.each([
  ["added", null, "One.\n\nTwo.\n", "+"],
  ["removed", "One.\n\nTwo.", null, "-"],
])(
  "differencesText shows text of several lines that was %s line by line",
  async (_, old, value, sign) => {
    expect((await differencesText([entry(old, value)], plain, PIPE)).split("\n")).toEqual([
      "~ Knitting (1)",
      "    long_description:",
      `      ${sign} One.`,
      `      ${sign} `,
      `      ${sign} Two.`,
      "",
    ]);
  },
);

test("differencesText shows two texts in full that take longer than half a second to compare", async () => {
  let time = 0;
  onTestFinished(() => void vi.restoreAllMocks());
  // The package looks at this clock in each step.
  vi.spyOn(Date, "now").mockImplementation(() => (time += 600));
  const text = await differencesText([entry("a\nb", "a\nc")], plain, PIPE);
  expect(text).toContain('"a\\nb" → "a\\nc"');
});

test("differencesText lets signals be handled between long texts, so that Ctrl-C stops a diff", async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await differencesText(new Array(20).fill(entry("a\nb", "a\nc")), plain, PIPE);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(20);
});

const WORDS = "one two three four five six seven eight nine ten eleven twelve ".repeat(6);

test("differences: of a long text, only the words around each change are shown, and both texts on one line if they fit", async () => {
  const old = `${WORDS}They learn to knit. ${WORDS}It costs little. ${WORDS}`;
  const value = old.replace("learn", "want").replace("little.", "much today.");
  expect((await differencesText([entry(old, value)], plain, PIPE)).split("\n").slice(1)).toEqual([
    "    long_description:",
    "      - …nine ten eleven twelve They learn to knit. one two three four…ten eleven twelve It costs little. one two three four five six…",
    "      + …nine ten eleven twelve They want to knit. one two three four…ten eleven twelve It costs much today. one two three four five six…",
    "",
  ]);
  const short = await differencesText([entry("They learn.", "They want.")], plain, terminal(80));
  expect(short).toContain('    long_description: "They learn." → "They want."\n');
});

test("differences with colors color only the words that change, even on one line", async () => {
  const styles = await stylesFor(true);
  const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
  const green = (text: string) => `\u001b[32m${text}\u001b[39m`;
  const [old, value] = ["They learn to knit.", "They want to knit and sew."];
  const one = await differencesText([entry(old, value)], styles, PIPE);
  expect(one).toContain(
    `"They ${red("learn")} to knit." → "They ${green("want")} to knit${green(" and sew")}."`,
  );
  const lines = await differencesText([entry(`${old}\na`, `${value}\na`)], styles, PIPE);
  expect(lines).toContain(`      ${red("-")} They ${red("learn")} to knit.\n`);
  expect(lines).toContain(
    `      ${green("+")} They ${green("want")} to knit${green(" and sew")}.\n`,
  );
});

test("differences: a change of spaces alone is visible", async () => {
  const changes = [
    ["a  b", "a b", '"a··b" → "a·b"'],
    ["a\nb ", "a\nb", "      - b·\n      + b\n"],
    ["a \nb", "a\nb", "      - a·\n      + a\n"],
    ["a b\r\nc", "a b\nc", "      - a b\\r\n      + a b\n"],
  ];
  for (const [old, value, shown] of changes) {
    expect(await differencesText([entry(old, value)], plain, PIPE)).toContain(shown);
  }
});

describe.each([80, 40])("differences on a terminal of %i columns", (columns) => {
  const shown = async (old: unknown, value: unknown) =>
    (await differencesText([entry(old, value)], plain, terminal(columns))).split("\n");
  const expectFit = (lines: readonly string[]): void => {
    for (const line of lines) {
      // A word of ASCII, such as an id, is not broken.
      const rest = line.replace(/(?<= |^)[!-~]+$/, "");
      expect(stringWidth(rest), line).toBeLessThanOrEqual(columns);
    }
  };
  const id = "c740a52b-3bab-5d3a-a5ed-9acbd6c2c648";

  test("differences wrap values between words, indented further than the name of the field", async () => {
    const lines = await shown(`${WORDS}end`, null);
    expectFit(lines);
    expect(lines.slice(2).every((line) => /^ {6}\S|^$/.test(line))).toBe(true);
    expect(lines.slice(1).join(" ").replace(/ +/g, " ")).toContain(`${WORDS}end" → none`);
  });

  test("differences break no id, and lists only between their values", async () => {
    const list = Array.from({ length: 5 }, (_, index) => ({ name: `N${index}`, id }));
    const lines = await shown(null, list);
    expectFit(lines);
    expect(lines.filter((line) => line.includes(`"${id}"`))).toHaveLength(5);
  });
});
