/** Prints the guides of rules and fields for `explain`. */
import type { FieldGuide, RuleGuide } from "../course/guide.ts";
import type { RuleId } from "../course/problem.ts";
import { paragraph, type Styles } from "./text-measure.ts";

const INDENT = "    ";

/** The page of a rule: id, severity, requirement, reason and examples. Ends its last line. */
export function rulePageText(
  id: RuleId,
  guide: Omit<RuleGuide, "markdown">,
  styles: Styles,
  width: number,
): string {
  const { severity, summary, explanation, wrong, message, right } = guide;
  const levelStyle = severity === "error" ? styles.red : styles.yellow;
  const parts = [
    `${styles.bold(id)} (${levelStyle(severity)})`,
    paragraph(summary, width),
    paragraph(explanation, width),
    ...(wrong === undefined ? [] : [styles.bold("Wrong"), indent(wrong)]),
    ...(message === undefined
      ? []
      : [paragraph(message, width, INDENT).replace(/\S.*/g, (line) => levelStyle(line))]),
    ...(right === undefined ? [] : [styles.bold("Right"), indent(right)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, INDENT);
}

/** The page of a field: description, type, default, flag, inner fields and an example. Ends its last line. */
export function fieldPageText(guide: FieldGuide, styles: Styles, width: number): string {
  const { field, description, example, keys } = guide;
  const parts = [
    `${styles.bold(field)} (${statusText(guide)})`,
    paragraph(description, width),
    paragraph(detailSentences(guide).join(" "), width),
    ...(keys.length === 0 ? [] : [styles.bold("Fields"), keyLines(keys, width)]),
    styles.bold("Example"),
    indent(example.trimEnd()),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** `required`, `optional` or `set by the service`. */
export function statusText({ required, replacedBy, readOnly }: FieldGuide): string {
  if (readOnly) return "set by the service";
  if (replacedBy !== undefined) return `required, unless ${replacedBy} is given`;
  return required ? "required" : "optional";
}

/** The type, the default and the flag of a field: `Type: string. Flag: --name.` */
function detailSentences({ type, readOnly, flag, ...guide }: FieldGuide): string[] {
  return [
    readOnly
      ? "A course file may contain the field, but it is never sent."
      : `Type: ${type.replace(/^an? /, "")}.`,
    ...(guide.default === undefined ? [] : [`Default: ${JSON.stringify(guide.default)}.`]),
    ...(flag === undefined ? [] : [`Flag: ${flag}.`]),
  ];
}

function keyLines(keys: readonly FieldGuide[], width: number): string {
  return keys
    .map((key) => {
      const text = `${key.description} ${detailSentences(key).join(" ")}`;
      return `${paragraph(`${key.field} (${statusText(key)})`, width, "  ")}\n${paragraph(text, width, "      ")}`;
    })
    .join("\n");
}
