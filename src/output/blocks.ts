/** Prints rows as YAML for people, the form of `get` on a terminal. */
import type { PlainObject } from "../base/values.ts";
import { FIELD_NAMES } from "../course/field-names.ts";
import { projector } from "./cells.ts";
import { type Formatter, type RenderOptions, rowFormatter } from "./renderer.ts";
import { messageWrapper } from "./text-measure.ts";

/** The indentation of a value that continues below its field. */
const INDENT = 4;

/**
 * Prints each field that is set: known fields in their documented order, then unknown fields. Rows are separated by
 * an empty line. Lines are wrapped to the terminal.
 */
export async function blocksFormatter({ out, styles, fields }: RenderOptions): Promise<Formatter> {
  const { yamlText } = await import("../base/yaml-text.ts");
  const wrap = await messageWrapper(out);
  let separator = "";
  return rowFormatter((row) => {
    const selected = projector(fields ?? orderKeys(row))(row);
    const set: unknown = JSON.parse(JSON.stringify(selected, (_, value) => value ?? undefined));
    const lines = yamlText(set).trimEnd().split("\n");
    const shown = lines.map((line) => {
      const styled = line.replace(/^[^\s:"]+(?=:)/, (name) => styles.cyan(name));
      return wrap(styled, /^[ -]/.test(line) ? 0 : INDENT);
    });
    const text = `${separator}${shown.join("\n")}\n`;
    separator = "\n";
    return text;
  });
}

function orderKeys(row: PlainObject): string[] {
  const known: string[] = FIELD_NAMES.filter((name) => Object.hasOwn(row, name));
  return [...known, ...Object.keys(row).filter((name) => !known.includes(name))];
}
