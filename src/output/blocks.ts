/** Lays rows out as readable blocks, as `get` does on a terminal (cli.md section 11). */
import { escapeText } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { FIELD_NAMES, isTimeField } from "../course/field-names.ts";
import { shownCell } from "./cell.ts";
import type { Formatter, RenderOptions } from "./formatter.ts";
import { hanging, outline } from "./outline.ts";
import { columnsNamed } from "./select.ts";
import { loadTextMeasure, type TextMeasure } from "./text-measure.ts";
import { wholeTime } from "./time.ts";

const TITLE = "name";
const SIGNS = new Set(["published", "approval_status"]);
const NARROWEST = 24;

/**
 * The name as a title, then each field that is set, in the document's order, unknown ones last; a
 * blank line between rows. Text is wrapped to the terminal.
 */
export async function blocksFormatter(options: RenderOptions): Promise<Formatter> {
  const ruler = await loadTextMeasure();
  let first = true;
  return {
    rows: (rows) =>
      rows
        .map((row) => {
          const before = first ? "" : "\n";
          first = false;
          return `${before}${block(row, options, ruler).join("\n")}\n`;
        })
        .join(""),
    end: () => "",
  };
}

function block(row: PlainObject, options: RenderOptions, ruler: TextMeasure): string[] {
  const { fields, out, paint } = options;
  const room = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
  const set = columnsNamed(fields ?? namesOf(row))
    .map(({ name, read }) => ({ name, value: read(row) }))
    .filter(({ value }) => value !== null && value !== undefined);
  const title = set.find(({ name, value }) => name === TITLE && typeof value === "string");
  const others = set
    .filter((entry) => entry !== title)
    .map((entry) => ({
      ...entry,
      label: escapeText(entry.name).replaceAll("\n", "\\n"),
    }));
  // A service may give more fields, and longer texts, than a call can take arguments.
  const widest = others.reduce((most, { label }) => Math.max(most, ruler.width(label)), 0);
  const isWide = room - widest - 2 >= NARROWEST;
  const indent = isWide ? widest + 2 : 2;

  const head = title === undefined ? [] : ruler.wrap(escapeText(String(title.value)), room);
  const body = others.flatMap(({ name, label, value }) => {
    const text = linesOf(name, value);
    if (!isWide) {
      return [...ruler.wrap(label, room).map(paint.cyan), ...hanging(" ".repeat(indent), text)];
    }
    const mark = paint.cyan(label) + " ".repeat(indent - ruler.width(label));
    return hanging(mark, text, indent);
  });
  return [...head.map(paint.bold), ...body];

  function linesOf(name: string, value: unknown): string[] {
    const width = room - indent;
    if (!SIGNS.has(name)) return outline(timeAt(name, value) ?? value, width, { ruler, paint });
    const { text, style } = shownCell(name, value);
    const wrapped = ruler.wrap(text, width);
    return style === undefined ? wrapped : wrapped.map(paint[style]);
  }

  function timeAt(name: string, value: unknown): string | undefined {
    const isTold = typeof value === "string" && out.isTerminal && isTimeField(name);
    return isTold && options.now !== undefined ? wholeTime(value, options.now) : undefined;
  }
}

function namesOf(row: PlainObject): string[] {
  const known: string[] = FIELD_NAMES.filter((name) => Object.hasOwn(row, name));
  return [...known, ...Object.keys(row).filter((name) => !known.includes(name))];
}
