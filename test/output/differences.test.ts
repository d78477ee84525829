import { expect, onTestFinished, test, vi } from "vitest";
import { plain, stylesFor } from "../../src/output/color.ts";
import { differencesText } from "../../src/output/plan.ts";
import { COLORS, HOSTILE, UNSAFE } from "./rig.ts";

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
    expect((await differencesText([entry(old, value)], plain, () => 0)).split("\n")).toEqual([
      "~ Knitting (1)",
      "    long_description:",
      `      ${sign} One.`,
      `      ${sign} `,
      `      ${sign} Two.`,
      "",
    ]);
  },
);

test("differencesText escapes control characters", async () => {
  const text = await differencesText(
    [entry(null, `${HOSTILE}\n${HOSTILE}`)],
    await stylesFor(1),
    () => 0,
  );
  expect(text.replace(COLORS, "")).not.toMatch(UNSAFE);
});

test("differencesText compares all texts together for a limited time, then shows texts in full", async () => {
  let time = 0;
  // Each look at the clock takes half a second.
  const now = (): number => (time += 500);
  const entries = Array.from({ length: 40 }, () => entry("a\nb", "a\nc"));
  const text = await differencesText(entries, plain, now);
  expect(text.match(/^ {6}\+ c$/gm)).toHaveLength(6);
  expect(text.match(/"a\\nb" → "a\\nc"/g)).toHaveLength(34);
});

test("differencesText shows two texts in full that take longer than half a second to compare", async () => {
  let time = 0;
  onTestFinished(() => void vi.restoreAllMocks());
  // The package looks at this clock in each step.
  vi.spyOn(Date, "now").mockImplementation(() => (time += 600));
  const text = await differencesText([entry("a\nb", "a\nc")], plain);
  expect(text).toContain('"a\\nb" → "a\\nc"');
});

test("differencesText lets signals be handled between long texts, so that Ctrl-C stops a diff", async () => {
  let turns = 0;
  const count = (): void => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await differencesText(new Array(20).fill(entry("a\nb", "a\nc")), plain);
  clearImmediate(next);
  expect(turns).toBeGreaterThanOrEqual(20);
});

test("differencesText prints deletions as a list, and an empty line between courses with fields", async () => {
  const deletion = (name: string) => ({ action: "delete" as const, id: name, name, changes: [] });
  const entries = [deletion("a"), deletion("b"), entry(null, 1), deletion("c")];
  expect((await differencesText(entries, plain)).split("\n")).toEqual([
    ...["- a (a)", "- b (b)", "", "~ Knitting (1)", "    long_description: 1", "", "- c (c)", ""],
  ]);
});
