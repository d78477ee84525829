/** Prints the documentation of the rules of course files: one on a terminal, all as a page. */
import { paragraph } from "../base/text.ts";
import { RULES, type RuleGuide, type RuleId } from "../course/problem.ts";
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

const INTRODUCTION = `<!-- Written by tools/scripts/generate-documents.mjs from src/course/rule-guide.ts. -->

# The rules of course files

\`catalog courses check\` names the rule that a finding is about at the end of its line, as in
\`[choice]\`. This page explains each rule, why it exists and how to fix violations;
\`catalog courses check --explain choice\` prints the same on a terminal. Errors stop any command from
sending; warnings do not, unless you run \`check --strict\`. The examples show only the part of a
course that a rule is about.`;

/** All rules on one page of Markdown; each heading is an id, so that `#choice` links to it. */
export function rulePageMarkdown(all: Readonly<Record<RuleId, RuleGuide>>): string {
  const contents = RULES.map((id) => {
    const { severity, summary } = all[id];
    return `- [${id}](#${id}) (${severity}): ${escapeMarkdown(summary)}`;
  });
  const sections = RULES.flatMap((id) => formatSection(id, all[id]));
  return `${[INTRODUCTION, "## Contents", contents.join("\n"), ...sections].join("\n\n")}\n`;
}

function formatSection(id: RuleId, guide: RuleGuide): string[] {
  const { severity, summary } = guide;
  const level = severity === "error" ? "Error" : "Warning";
  return [`## ${id}`, `${level}. **${escapeMarkdown(summary)}**`, explanationMarkdown(guide)];
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
