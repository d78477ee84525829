/** How rules are shown: one on a terminal, and all in docs/rules.md. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { RULES, type RuleGuide } from "../../src/course/problem.ts";
import { RULE_GUIDE } from "../../src/course/rule-guide.ts";
import { plain, stylesFor } from "../../src/output/color.ts";
import { rulePageText } from "../../src/output/guide-pages.ts";
import { rulePageMarkdown } from "../../tools/documents/markdown.ts";

const SAMPLE: RuleGuide = {
  severity: "warning",
  summary: "A price is small.",
  explanation: `Everyone who pays ${"a great deal ".repeat(12)}buys little.`,
  wrong: "prices:\n  - price: much\n\n  - price: more",
  right: "prices: []",
};

describe("rulePageText", () => {
  test("prints the id, severity, summary, explanation and both examples in this order", () => {
    const text = rulePageText("paid-content", SAMPLE, plain);
    expect(
      text.startsWith("paid-content (warning)\n\nA price is small.\n\nEveryone who pays"),
    ).toBe(true);
    expect(text.endsWith("\n\nRight\n\n    prices: []\n")).toBe(true);
    const wrong = "    prices:\n      - price: much\n\n      - price: more\n";
    expect(text).toContain(`buys little.\n\nWrong\n\n${wrong}`);
  });

  test("ends with the explanation if a rule has no examples", () => {
    const { severity, summary, explanation } = SAMPLE;
    const text = rulePageText("encoding", { severity, summary, explanation }, plain);
    expect(text).toMatch(/buys little\.\n$/);
  });

  test("wraps at 80 columns without losing a word", () => {
    const text = rulePageText("paid-content", SAMPLE, plain);
    expect(text.replace(/\s+/g, " ")).toContain(SAMPLE.explanation);
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(text).toMatch(/^Everyone who pays .{55,}\n\w/m);
  });

  test("prints headings bold, errors red and warnings yellow", async () => {
    const styles = await stylesFor(1);
    const warning = rulePageText("paid-content", SAMPLE, styles);
    for (const colored of [
      styles.bold("paid-content"),
      styles.yellow("warning"),
      styles.bold("Wrong"),
    ]) {
      expect(warning).toContain(colored);
    }
    const error = rulePageText("choice", { ...SAMPLE, severity: "error" }, styles);
    expect(error).toContain(styles.red("error"));
    expect(rulePageText("choice", SAMPLE, plain)).not.toContain("\x1b");
  });

  test.each(RULES)("prints the rule %s in at most 80 columns", (id) => {
    const lines = rulePageText(id, RULE_GUIDE[id], plain).split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("rulePageMarkdown", () => {
  const page = rulePageMarkdown(RULE_GUIDE);

  test("writes one section per rule, with a link in the contents", () => {
    const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(headings).toEqual(["Contents", ...RULES]);
    const links = Array.from(page.matchAll(/^- \[(.+)\]\(#(.+)\) /gm), ([, id, to]) => [id, to]);
    expect(links).toEqual(RULES.map((id) => [id, id]));
  });

  test("writes each example as a YAML block", () => {
    for (const { wrong, right } of Object.values(RULE_GUIDE)) {
      if (wrong === undefined) continue;
      const blocks = [
        `Wrong:\n\n\`\`\`yaml\n${wrong}\n\`\`\``,
        `Right:\n\n\`\`\`yaml\n${right}\n\`\`\``,
      ];
      expect(page).toContain(blocks.join("\n\n"));
    }
  });

  test("escapes Markdown in explanations", () => {
    const summary = "*a* <b> [c](d) &amp; `e` _f_ self_paced.";
    const page = rulePageMarkdown({ ...RULE_GUIDE, markup: { ...RULE_GUIDE.markup, summary } });
    expect(page).toContain("\\*a\\* \\<b> \\[c\\](d) \\&amp; \\`e\\` \\_f\\_ self_paced.");
  });

  test("writes docs/rules.md as it is in the repository", () => {
    const file = fileURLToPath(new URL("../../docs/rules.md", import.meta.url));
    expect(readFileSync(file, "utf8")).toBe(page);
  });
});
