/** Prints the guide of a field. */
import { paragraph } from "../base/text.ts";
import type { FieldGuide } from "../course/field-guide.ts";
import type { Styles } from "./color.ts";

const COLUMNS = 80;

/** One field as `catalog explain` prints it, ending its line. */
export function fieldPageText(guide: FieldGuide, styles: Styles): string {
  const { field, description, example, keys } = guide;
  const parts = [
    `${styles.bold(field)} (${statusText(guide)})`,
    paragraph(description, COLUMNS),
    paragraph(detailSentences(guide).join(" "), COLUMNS),
    ...(keys.length === 0 ? [] : [styles.bold("Keys"), keyLines(keys)]),
    styles.bold("Example"),
    example.trimEnd().replace(/^(?=.)/gm, "    "),
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
