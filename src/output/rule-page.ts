/** Shows what is told about the rules of a course file: one on a terminal, all as a page. */
import { paragraph } from "../base/paragraph.ts";
import type { RuleGuide } from "../course/problem.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import type { Styles } from "./color.ts";

const COLUMNS = 80;
const INDENT = "    ";

/**
 * One rule as `check --explain` prints it, ending its line: id and severity, what it asks for, why,
 * and an example of each kind where there is one. Colored only by `paint`.
 */
export function rulePageText(id: RuleId, guide: RuleGuide, paint: Styles): string {
  const { severity, summary, explanation } = guide;
  const tint = severity === "error" ? paint.red : paint.yellow;
  const parts = [
    `${paint.bold(id)} (${tint(severity)})`,
    paragraph(summary, COLUMNS),
    paragraph(explanation, COLUMNS),
    ...examplesOf(guide).flatMap(({ heading, text }) => [paint.bold(heading), indented(text)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

interface Example {
  readonly heading: string;
  readonly text: string;
}

function examplesOf({ wrong, right }: RuleGuide): Example[] {
  return [
    ...(wrong === undefined ? [] : [{ heading: "Wrong", text: wrong }]),
    ...(right === undefined ? [] : [{ heading: "Right", text: right }]),
  ];
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, INDENT);
}

const INTRODUCTION = `<!-- Written by tools/scripts/generate-documents.mjs from src/course/rule-guide.ts. -->

# The rules of course files

\`catalog courses check\` names the rule that a finding is about at the end of its line, as in
\`[choice]\`. This page tells what each rule asks for and why, and how to put right what breaks it;
\`catalog courses check --explain choice\` prints the same on a terminal. An error keeps every command
from sending anything; a warning does not, and counts as an error only in \`check --strict\`. The
examples show only the part of a course that a rule is about.`;

/** Every rule on one page of Markdown, with headings that are the ids, so that `#choice` leads there. */
export function rulePageMarkdown(all: Readonly<Record<RuleId, RuleGuide>>): string {
  const contents = RULES.map((id) => {
    const { severity, summary } = all[id];
    return `- [${id}](#${id}) (${severity}): ${escaped(summary)}`;
  });
  const sections = RULES.flatMap((id) => sectionOf(id, all[id]));
  return `${[INTRODUCTION, "## Contents", contents.join("\n"), ...sections].join("\n\n")}\n`;
}

function sectionOf(id: RuleId, guide: RuleGuide): string[] {
  const { severity, summary, explanation } = guide;
  return [
    `## ${id}`,
    `${severity === "error" ? "Error" : "Warning"}. **${escaped(summary)}**`,
    escaped(explanation),
    ...examplesOf(guide).flatMap(({ heading, text }) => [
      `${heading}:`,
      `\`\`\`yaml\n${text}\n\`\`\``,
    ]),
  ];
}

/** Plain text as Markdown that shows it unchanged; an underscore inside a word means nothing there. */
function escaped(text: string): string {
  return text.replace(/[\\`*<[\]]|&(?=#?\w+;)|(?<!\w)_|_(?!\w)/g, "\\$&");
}
