/** Writes a value of any depth as lines that people can read. */
import { escapeLine, escapeText } from "../base/text.ts";
import { isList, isObject } from "../base/values.ts";
import { isAddress, isWord, plainCell } from "./cell.ts";
import type { Styles } from "./color.ts";
import type { TextMeasure } from "./text-measure.ts";

const NARROWEST = 16;

/** What lines are made with. */
interface Pens {
  readonly ruler: TextMeasure;
  readonly paint: Styles;
}

/**
 * The lines of a value, each at most `columns` wide: text wrapped, lists of words on one line, other
 * lists with a dash an item, mappings with a key a line. Null inside mappings is left out. Where
 * nesting leaves too little room, the rest is JSON.
 */
export function outline(value: unknown, columns: number, pens: Pens): string[] {
  const { ruler, paint } = pens;
  if (typeof value === "string" && isAddress(value)) {
    return ruler.wrap(escapeLine(value), columns).map((line) => paint.link(line, value));
  }
  if (typeof value !== "object" || value === null || columns < NARROWEST) {
    return ruler.wrap(escapeText(plainCell(value)), columns);
  }
  if (isList(value)) {
    if (value.length === 0) return ["[]"];
    if (value.every(isWord)) return ruler.wrap(escapeLine(value.join(", ")), columns);
    return value.flatMap((item) => hanging("- ", outline(item, columns - 2, pens)));
  }
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return entries.length === 0
    ? ["{}"]
    : entries.flatMap(([key, inner]) => entry(escapeLine(key), inner, columns, pens));
}

function entry(key: string, value: unknown, columns: number, pens: Pens): string[] {
  const { ruler } = pens;
  const label = `${key}: `;
  const room = columns - ruler.width(label);
  const inner = outline(value, columns - 2, pens);
  const beside = isPlain(value) || (isList(value) && value.every(isWord)) || inner.length === 1;
  if (!beside || room < NARROWEST)
    return [...ruler.wrap(`${key}:`, columns), ...hanging("  ", inner)];
  return hanging(label, outline(value, room, pens));
}

/** The lines with a mark before the first, and as many blanks before the others. */
export function hanging(mark: string, lines: readonly string[], width = mark.length): string[] {
  return lines.map((line, index) => {
    if (index === 0) return mark + line;
    return line === "" ? "" : " ".repeat(width) + line;
  });
}

function isPlain(value: unknown): boolean {
  return !isList(value) && !isObject(value);
}
