/** Prints the documentation of a rule of course files, on a terminal or as Markdown. */
import { paragraph } from "../base/text.ts";
import type { RuleGuide, RuleId } from "../course/problem.ts";
import type { Styles } from "./color.ts";

const COLUMNS = 80;
const INDENT = "    ";

/**
 * One rule as `check --explain` prints it, ending its line: id, severity, what the rule requires and
 * why, and examples if there are any.
 */
export function rulePageText(id: RuleId, guide: RuleGuide, styles: Styles): string {
  const { severity, summary, explanation } = guide;
  const levelStyle = severity === "error" ? styles.red : styles.yellow;
  const parts = [
    `${styles.bold(id)} (${levelStyle(severity)})`,
    paragraph(summary, COLUMNS),
    paragraph(explanation, COLUMNS),
    ...listExamples(guide).flatMap(({ heading, text }) => [styles.bold(heading), indent(text)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

interface Example {
  readonly heading: string;
  readonly text: string;
}

function listExamples({ wrong, right }: RuleGuide): Example[] {
  return [
    ...(wrong === undefined ? [] : [{ heading: "Wrong", text: wrong }]),
    ...(right === undefined ? [] : [{ heading: "Right", text: right }]),
  ];
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, INDENT);
}

/** What a rule requires and why, with its examples, as Markdown without a final line break. */
export function explanationMarkdown(guide: RuleGuide): string {
  const examples = listExamples(guide).map(
    ({ heading, text }) => `${heading}:\n\n\`\`\`yaml\n${text}\n\`\`\``,
  );
  return [escapeMarkdown(guide.explanation), ...examples].join("\n\n");
}

/** Plain text as Markdown that shows it unchanged; an underscore inside a word needs no escape. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*<[\]]|&(?=#?\w+;)|(?<!\w)_|_(?!\w)/g, "\\$&");
}
