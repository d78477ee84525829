/** How a rule is shown on a terminal, and how docs/rules.md shows all rules. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RULE_GUIDE } from "../../src/course/guide.ts";
import { RULES } from "../../src/course/problem.ts";
import { rulePageText } from "../../src/output/guide-pages.ts";
import { plain, stylesFor } from "../../src/output/text-measure.ts";

const SAMPLE = {
  severity: "warning" as const,
  summary: "A price is small.",
  explanation: `Everyone who pays ${"a great deal ".repeat(12)}buys little.`,
  wrong: "prices:\n  - price: much\n\n  - price: more",
  right: "prices: []",
};

describe("rulePageText", () => {
  test("rulePageText prints the id, severity, summary, explanation and both examples in this order", () => {
    const text = rulePageText("same-descriptions", SAMPLE, plain);
    expect(
      text.startsWith("same-descriptions (warning)\n\nA price is small.\n\nEveryone who pays"),
    ).toBe(true);
    expect(text.endsWith("\n\nRight\n\n    prices: []\n")).toBe(true);
    const wrong = "    prices:\n      - price: much\n\n      - price: more\n";
    expect(text).toContain(`buys little.\n\nWrong\n\n${wrong}`);
  });

  test("rulePageText ends with the explanation if a rule has no examples", () => {
    const { severity, summary, explanation } = SAMPLE;
    const text = rulePageText("encoding", { severity, summary, explanation }, plain);
    expect(text).toMatch(/buys little\.\n$/);
  });

  test("rulePageText wraps at 80 columns without losing a word", () => {
    const text = rulePageText("same-descriptions", SAMPLE, plain);
    expect(text.replace(/\s+/g, " ")).toContain(SAMPLE.explanation);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text).toMatch(/^Everyone who pays .{55,}\n\w/m);
  });

  test("rulePageText prints headings bold, errors red and warnings yellow", async () => {
    const styles = await stylesFor(true);
    const warning = rulePageText("same-descriptions", SAMPLE, styles);
    for (const colored of [
      styles.bold("same-descriptions"),
      styles.yellow("warning"),
      styles.bold("Wrong"),
    ]) {
      expect(warning).toContain(colored);
    }
    const error = rulePageText("choice", { ...SAMPLE, severity: "error" }, styles);
    expect(error).toContain(styles.red("error"));
    expect(rulePageText("choice", SAMPLE, plain)).not.toContain("\x1b");
  });

  test.each(RULES)("rulePageText prints the rule %s in at most 80 columns", (id) => {
    const lines = rulePageText(id, RULE_GUIDE[id], plain).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("docs/rules.md", () => {
  const page = readFileSync(new URL("../../docs/rules.md", import.meta.url), "utf8");

  test("docs/rules.md has one section per rule, in the order of the rules", () => {
    const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(["Contents", ...RULES]);
    expect(Object.keys(RULE_GUIDE)).toEqual(RULES);
  });

  test("docs/rules.md consists of the contents and the guides only", () => {
    const sections = RULES.map((id) => {
      const { severity, markdown } = RULE_GUIDE[id];
      return `## ${id}\n\n${severity === "error" ? "Error" : "Warning"}. ${markdown}`;
    });
    expect(page.endsWith(`\n\n${sections.join("\n")}`)).toBe(true);
  });

  test("docs/rules.md shows a guide's text as the terminal does, without escapes", () => {
    expect(RULE_GUIDE.syntax.markdown).toContain("such as @, \\*, & or \\[. Indent");
    expect(RULE_GUIDE.syntax.explanation).toContain("such as @, *, & or [. Indent");
    expect(RULE_GUIDE["unknown-key"].explanation).toContain("(<<)");
    for (const { summary, explanation } of Object.values(RULE_GUIDE)) {
      expect(summary + explanation).not.toMatch(/\\[^u]/);
    }
  });
});
