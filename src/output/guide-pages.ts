/** Prints the guides of rules and fields, on a terminal or as Markdown. */
import { paragraph } from "../base/text.ts";
import type { FieldGuide } from "../course/field-guide.ts";
import type { RuleGuide, RuleId } from "../course/problem.ts";
import type { Styles } from "./color.ts";

const COLUMNS = 80;
const INDENT = "    ";

/** One rule as `check --explain` prints it: id, severity, requirement, reason and examples. */
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

/** One field as `catalog explain` prints it, ending its line. */
export function fieldPageText(guide: FieldGuide, styles: Styles): string {
  const { field, description, example, keys } = guide;
  const parts = [
    `${styles.bold(field)} (${statusText(guide)})`,
    paragraph(description, COLUMNS),
    paragraph(detailSentences(guide).join(" "), COLUMNS),
    ...(keys.length === 0 ? [] : [styles.bold("Keys"), keyLines(keys)]),
    styles.bold("Example"),
    indent(example.trimEnd()),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** `required`, `optional` or `set by the service`. */
export function statusText({ required, readOnly }: FieldGuide): string {
  if (readOnly) return "set by the service";
  return required ? "required" : "optional";
}

/** Its type, its default and its flag, one sentence each. */
export function detailSentences({ type, readOnly, flag, ...guide }: FieldGuide): string[] {
  return [
    ...(readOnly ? ["A course file may contain it; it is not sent."] : [`Its value is ${type}.`]),
    ...(guide.default === undefined
      ? []
      : [`Without it, the value is ${JSON.stringify(guide.default)}.`]),
    ...(flag === undefined ? [] : [`The flag ${flag} of create and update sets it.`]),
  ];
}

function keyLines(keys: readonly FieldGuide[]): string {
  return keys
    .map((key) => {
      const text = `${key.description} ${detailSentences(key).join(" ")}`;
      return `  ${key.field} (${statusText(key)})\n${paragraph(text, COLUMNS, "      ")}`;
    })
    .join("\n");
}
