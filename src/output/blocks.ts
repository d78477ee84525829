/** Prints rows as readable blocks, the form of `get` on a terminal. */
import { escapeLine, escapeText } from "../base/text.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { FIELD_NAMES } from "../course/field-names.ts";
import { columnsNamed, isWord, plainCell, styledCell } from "./cells.ts";
import type { Styles } from "./color.ts";
import { type Formatter, type RenderOptions, rowFormatter } from "./renderer.ts";
import { loadTextMeasure, type TextMeasure } from "./text-measure.ts";

const TITLE = "name";
/** The columns that are shown as in a table, with their symbol and style. */
const SYMBOL_COLUMNS = new Set(["published", "approval_status"]);
/** If values would have fewer columns, they begin below their labels. */
const MIN_VALUE_WIDTH = 24;
/** If nesting leaves fewer columns, the rest of a value is printed as JSON. */
const MIN_NESTED_WIDTH = 16;

interface RenderTools {
  readonly measure: TextMeasure;
  readonly styles: Styles;
}

/**
 * Prints the name of each row as a title, then each field that is set: known fields in their documented
 * order, then unknown fields. Rows are separated by an empty line. Text is wrapped to the terminal.
 */
export async function blocksFormatter(options: RenderOptions): Promise<Formatter> {
  const tools = { measure: await loadTextMeasure(), styles: options.styles };
  let separator = "";
  return rowFormatter((row) => {
    const text = `${separator}${formatBlock(row, options, tools).join("\n")}\n`;
    separator = "\n";
    return text;
  });
}

function formatBlock(row: PlainObject, options: RenderOptions, tools: RenderTools): string[] {
  const { fields, out } = options;
  const { measure, styles } = tools;
  const columns = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  const entries = columnsNamed(fields ?? orderKeys(row))
    .map(({ name, read }) => ({ name, value: read(row), label: escapeLine(name) }))
    .filter(({ value }) => value !== null && value !== undefined);
  const title = entries.find(({ name, value }) => name === TITLE && typeof value === "string");
  const others = entries.filter((entry) => entry !== title);
  // A loop, because a service may send more fields than a call can have arguments.
  const labelWidth = others.reduce((most, { label }) => Math.max(most, measure.width(label)), 0);
  const isWide = columns - labelWidth - 2 >= MIN_VALUE_WIDTH;
  const indent = isWide ? labelWidth + 2 : 2;

  const valueLines = (name: string, value: unknown): string[] => {
    const width = columns - indent;
    if (SYMBOL_COLUMNS.has(name)) {
      const { text, style } = styledCell(name, value);
      const lines = measure.wrap(text, width);
      return style === undefined ? lines : lines.map(styles[style]);
    }
    return outline(value, width, tools);
  };

  const head = title === undefined ? [] : measure.wrap(escapeText(String(title.value)), columns);
  const body = others.flatMap(({ name, label, value }) => {
    const lines = valueLines(name, value);
    if (!isWide) {
      return [...measure.wrap(label, columns).map(styles.cyan), ...hang(" ".repeat(indent), lines)];
    }
    const mark = styles.cyan(label) + " ".repeat(indent - measure.width(label));
    return hang(mark, lines, indent);
  });
  return [...head.map(styles.bold), ...body];
}

function orderKeys(row: PlainObject): string[] {
  const known: string[] = FIELD_NAMES.filter((name) => Object.hasOwn(row, name));
  return [...known, ...Object.keys(row).filter((name) => !known.includes(name))];
}

/**
 * The lines of a value, each at most `columns` wide: text wrapped, lists of words on one line, other
 * lists with one dash per item, objects with one key per line. Null inside objects is omitted.
 */
function outline(value: unknown, columns: number, tools: RenderTools): string[] {
  const { measure } = tools;
  if (typeof value !== "object" || value === null || columns < MIN_NESTED_WIDTH) {
    return measure.wrap(escapeText(plainCell(value)), columns);
  }
  if (isList(value)) {
    if (value.length === 0) return ["[]"];
    if (value.every(isWord)) return measure.wrap(escapeLine(value.join(", ")), columns);
    return value.flatMap((item) => hang("- ", outline(item, columns - 2, tools)));
  }
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return entries.length === 0
    ? ["{}"]
    : entries.flatMap(([key, inner]) => outlineEntry(escapeLine(key), inner, columns, tools));
}

function outlineEntry(key: string, value: unknown, columns: number, tools: RenderTools): string[] {
  const { measure } = tools;
  const label = `${key}: `;
  const available = columns - measure.width(label);
  const inner = outline(value, columns - 2, tools);
  const isInline = (isList(value) ? value.every(isWord) : !isObject(value)) || inner.length === 1;
  if (!isInline || available < MIN_NESTED_WIDTH) {
    return [...measure.wrap(`${key}:`, columns), ...hang("  ", inner)];
  }
  return hang(label, outline(value, available, tools));
}

/** The lines, the first one after a mark, the others indented by the width of the mark. */
function hang(mark: string, lines: readonly string[], width = mark.length): string[] {
  return lines.map((line, index) => {
    if (index === 0) return mark + line;
    return line === "" ? "" : " ".repeat(width) + line;
  });
}
