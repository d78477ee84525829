/** Describes the rules of course files as SARIF has them. */
import type { ReportingDescriptor } from "sarif";
import { RULES, type RuleId } from "../course/problem.ts";
import { RULE_GUIDE } from "../course/rule-guide.ts";
import { plain } from "./color.ts";
import { rulePageText } from "./rule-page.ts";

/** Every rule, in the order of `RULES`: what a log says of rules does not depend on its findings. */
export function sarifRules(): ReportingDescriptor[] {
  return RULES.map(descriptorOf);
}

function descriptorOf(id: RuleId): ReportingDescriptor {
  const guide = RULE_GUIDE[id];
  const { severity, summary, explanation } = guide;
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: explanation },
    help: { text: rulePageText(id, guide, plain), markdown: helpOf(id) },
    defaultConfiguration: { level: severity },
    // GitHub shows by default, and first, what is certain.
    properties: { precision: "very-high", "problem.severity": severity },
  };
}

function helpOf(id: RuleId): string {
  const { summary, explanation, wrong, right } = RULE_GUIDE[id];
  const parts = [`**${escaped(summary)}**`, escaped(explanation)];
  if (wrong !== undefined) parts.push("Wrong:", yaml(wrong));
  if (right !== undefined) parts.push("Right:", yaml(right));
  return `${parts.join("\n\n")}\n`;
}

function yaml(example: string): string {
  return `\`\`\`yaml\n${example}\n\`\`\``;
}

/** Plain text as Markdown that shows it unchanged. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>&|~]/g, "\\$&");
}
