/** Describes fields and rules in words: for `catalog explain`, the tables in docs/, reports and the terminal. */

import { type RuleId, SEVERITIES } from "./problem.ts";
import rulesPage from "./rule-guide.md?raw";
import { describeShape, type Key, type Shape } from "./shape.ts";
import { FORMATS } from "./string-formats.ts";

/** The keys of a value, or of each item of a list. */
export function keysIn(shape: Shape): readonly Key[] {
  if (shape.kind === "list") return keysIn(shape.of);
  return shape.kind === "object" ? shape.keys : [];
}

/** What a value of this shape is, in more detail than `describeShape`: `a list of objects`. */
export function typeText(shape: Shape): string {
  const text = describeShape(shape);
  switch (shape.kind) {
    case "list":
      return shape.of.kind === "object"
        ? "a list of objects"
        : `a list; each item is ${typeText(shape.of)}`;
    case "paragraphs":
      return "a string, or a list of strings with one paragraph each";
    case "any":
      return "set by the service";
    case "number":
      return shape.probably === undefined ? text : `${text} of at least ${shape.probably.minimum}`;
    case "string":
      return shape.format === undefined ? text : FORMATS[shape.format].text;
    default:
      return text;
  }
}

/**
 * A section of rule-guide.md, from its heading to the end of its explanation or examples:
 * `## choice`, `Error. **The value must be …**`, and a paragraph, with a blank line after each.
 */
const SECTION = new RegExp(
  "^## (?<id>.+)\n\n(?:Error|Warning)[.] " +
    "(?<markdown>[*]{2}(?<summary>.+)[*]{2}\n\n(?<explanation>.+)\n" +
    "(?:\nWrong:\n\n```yaml\n(?<wrong>[^]+?)\n```\n\n```text\n(?<message>[^]+?)\n```\n" +
    "\nRight:\n\n```yaml\n(?<right>[^]+?)\n```\n)?)",
  "gm",
);

/** What rule-guide.md says about a rule; it has no examples if no short text breaks the rule. */
function readSection({ id = "", ...section }: Readonly<Record<string, string | undefined>>) {
  const { markdown = "", wrong, message, right } = section;
  return {
    /** `warning` means content that is valid, but probably not intended. */
    severity: SEVERITIES[id as RuleId],
    /** What the rule requires: one sentence. */
    summary: unescaped(section.summary),
    /** The reason and the fix: one paragraph of plain text. */
    explanation: unescaped(section.explanation),
    /** Part of a YAML file that, with the required fields added, breaks only this rule. */
    wrong,
    /** The messages of `check` about `wrong`, one per line. */
    message,
    /** The text of `wrong` with the problem fixed. */
    right,
    /** The complete section as Markdown, without the severity. */
    markdown,
  };
}

/** The guide of every rule, from rule-guide.md. */
export const RULE_GUIDE = Object.fromEntries(
  Array.from(rulesPage.matchAll(SECTION), ({ groups = {} }) => [groups.id, readSection(groups)]),
) as Readonly<Record<RuleId, ReturnType<typeof readSection>>>;

/** Markdown text without its escapes, as a terminal shows it. */
function unescaped(text = ""): string {
  return text.replace(/\\(\W|_)/g, "$1");
}
