/** Prints the guides of rules and fields for `explain`. */
import { formatPath, type Path } from "../base/values.ts";
import { yamlText } from "../base/yaml-text.ts";
import { keysIn, RULE_GUIDE, typeText } from "../course/guide.ts";
import type { RuleId } from "../course/problem.ts";
import type { Key } from "../course/shape.ts";
import { paragraph, type Styles } from "./text-measure.ts";

const INDENT = "    ";

/** The page of a rule: id, severity, requirement, reason and examples. Ends its last line. */
export function rulePageText(id: RuleId, styles: Styles, width: number): string {
  const { severity, summary, explanation, wrong, message, right } = RULE_GUIDE[id];
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

/** The page of the field at a path: description, type, default, flag, inner fields and an example. Ends its last line. */
export function fieldPageText(key: Key, path: Path, styles: Styles, width: number): string {
  const { name, shape, description, example } = key;
  const inside = shape.kind === "list" ? [...path, 0] : path;
  const keys = keysIn(shape).flatMap((each) => [
    paragraph(`${formatPath([...inside, each.name])} (${statusText(each)})`, width, "  "),
    paragraph(`${each.description} ${detailsOf(each)}`, width, "      "),
  ]);
  const parts = [
    `${styles.bold(formatPath(path))} (${statusText(key)})`,
    paragraph(description, width),
    paragraph(detailsOf(key), width),
    ...(keys.length === 0 ? [] : [styles.bold("Fields"), keys.join("\n")]),
    styles.bold("Example"),
    indent(yamlText({ [name]: example }).trimEnd()),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** `required`, `optional` or `set by the service`. */
export function statusText({ required, replacedBy, readOnly }: Key): string {
  if (readOnly) return "set by the service";
  if (replacedBy !== undefined) return `required, unless ${replacedBy} is given`;
  return required ? "required" : "optional";
}

/** The type, the default and the flag of a field: `Type: string. Flag: --name.` */
function detailsOf({ shape, readOnly, flag, default: fallback }: Key): string {
  const sentences = [
    readOnly
      ? "A course file may contain the field, but it is never sent."
      : `Type: ${typeText(shape).replace(/^an? /, "")}.`,
    ...(fallback === undefined ? [] : [`Default: ${JSON.stringify(fallback)}.`]),
    ...(flag === undefined ? [] : [`Flag: --${flag}.`]),
  ];
  return sentences.join(" ");
}
