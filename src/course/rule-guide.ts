/** Reads the guides of the rules from docs/rules.md, for the terminal and SARIF reports. */
import rulesPage from "../../docs/rules.md?raw";
import type { RuleGuide, RuleId } from "./problem.ts";

/** A section of the page: from its heading to the end of its explanation or examples. */
const SECTION = new RegExp(
  "^## (?<id>.+)\n\n(?<level>Error|Warning)[.] " +
    "(?<markdown>[*]{2}(?<summary>.+)[*]{2}\n\n(?<explanation>.+)\n" +
    "(?:\nWrong:\n\n```yaml\n(?<wrong>[^]+?)\n```\n\nRight:\n\n```yaml\n(?<right>[^]+?)\n```\n)?)",
  "gm",
);

/** The explanation of every rule that a course file can break. */
export const RULE_GUIDE = Object.fromEntries(
  Array.from(rulesPage.matchAll(SECTION), ({ groups = {} }) => [groups.id, guideOf(groups)]),
) as Readonly<Record<RuleId, RuleGuide>>;

function guideOf(section: Readonly<Record<string, string>>): RuleGuide {
  const { level, summary = "", explanation = "", wrong, right, markdown = "" } = section;
  return {
    severity: level === "Error" ? "error" : "warning",
    summary: unescaped(summary),
    explanation: unescaped(explanation),
    wrong,
    right,
    markdown,
  };
}

/** Markdown text without its escapes, as a terminal shows it. */
function unescaped(text: string): string {
  return text.replace(/\\(\W|_)/g, "$1");
}
