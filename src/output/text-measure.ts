/** Colors, measures, truncates and wraps text by the columns it takes on a terminal. */
import { stripVTControlCharacters } from "node:util";
import { wrapAnsi } from "fast-wrap-ansi";
import type { Environment, Output } from "../base/io.ts";

/** Measures text without control characters except the codes of styles. Wide characters (CJK, emoji) take two columns. */
export interface TextMeasure {
  readonly width: (text: string) => number;
  /** The text in at most `columns` columns, ending in `…` if it was cut. */
  readonly cut: (text: string, columns: number) => string;
}

/** Matches text of characters that take one column each: ASCII, and symbols that `catalog` prints. */
const NARROW = /^[\n -~·–…→●✓✗]*$/;

/** The time of `Intl.Segmenter` grows with the square of the length. */
const PIECE = /.{1,1000}/gsu;

/** Characters that a column combines at most, apart from rare ones, with which a text is cut earlier. */
const COMBINED = 4;

/** Loads `string-width`, which the build delays further until text needs it. */
export async function loadTextMeasure(): Promise<TextMeasure> {
  const { default: stringWidth } = await import("string-width");
  const segmenter = new Intl.Segmenter();

  const width = (text: string): number => {
    if (NARROW.test(text)) return text.length;
    const pieces = text.match(PIECE) ?? [];
    return pieces.reduce((sum, piece) => sum + stringWidth(piece), 0);
  };

  const cut = (text: string, columns: number): string => {
    if (text.length * 2 <= columns || (NARROW.test(text) && text.length <= columns)) return text;
    let used = 0;
    let length = 0;
    let fitting = 0;
    const start = text.slice(0, columns * COMBINED).replace(/[\ud800-\udbff]$/, "");
    for (const { segment } of segmenter.segment(start)) {
      used += stringWidth(segment);
      if (used > columns) break;
      length += segment.length;
      if (used < columns) fitting = length;
    }
    if (length === text.length) return text;
    return columns < 1 ? "" : `${text.slice(0, fitting)}…`;
  };

  return { width, cut };
}

/** The text as lines that are at most `columns` wide where words allow it, and begin with `indent`. */
export function paragraph(text: string, columns: number, indent = ""): string {
  const lines = wrapAnsi(text, columns - indent.length).split("\n");
  return lines.map((line) => indent + line).join("\n");
}

/** What a line begins with: spaces, and the sign of a list or a difference. */
const STYLE = "\\u001b\\[[\\d;]*m";
const LINE_START = new RegExp(`^(?:${STYLE}| )*(?:[-+~](?:${STYLE})* )?`);

/**
 * Text for a terminal of that width, broken between words. Where a line continues in the next one, that is
 * indented by `indent`, or like the text of the line if that is more.
 */
export function wrapMessage(text: string, columns: number, indent = 0): string {
  return text
    .split("\n")
    .map((line) => {
      const [start = ""] = LINE_START.exec(line) ?? [];
      const width = stripVTControlCharacters(start).length;
      const rest = line.slice(start.length);
      if (!wrapAnsi(rest, Math.max(1, columns - width)).includes("\n")) return line;
      const hanging = Math.max(width, indent);
      const lines = wrapAnsi(rest, Math.max(1, columns - hanging));
      return start + lines.replaceAll("\n", `\n${" ".repeat(hanging)}`);
    })
    .join("\n");
}

/** Wraps lines as `wrapMessage` does; without a terminal, it leaves them as they are. */
export function messageWrapper({
  isTerminal,
  columns,
}: Pick<Output, "isTerminal" | "columns">): (text: string, indent?: number) => string {
  return isTerminal ? (text, indent) => wrapMessage(text, columns, indent) : (text) => text;
}

/**
 * Whether an output has color. In order of precedence: `--no-color` (not `allowed`), `NO_COLOR`,
 * `FORCE_COLOR`, and whether the output is a terminal that is not dumb.
 */
export function hasColor(
  output: { readonly isTerminal: boolean },
  { NO_COLOR = "", FORCE_COLOR = "", TERM }: Environment,
  allowed: boolean,
): boolean {
  if (!allowed || NO_COLOR !== "") return false;
  if (FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return output.isTerminal && TERM !== "dumb";
}

const STYLES = ["red", "green", "yellow", "cyan", "dim", "bold"] as const;

export type Style = (typeof STYLES)[number];

/** Functions that style text, which must already be safe to show. */
export type Styles = Readonly<Record<Style, (text: string) => string>>;

function createStyles(paint: (style: Style, text: string) => string): Styles {
  const entries = STYLES.map((style) => [style, (text: string) => paint(style, text)]);
  return Object.fromEntries(entries) as Styles;
}

/** Styles that leave every text unchanged. */
export const plain = createStyles((_, text) => text);

/** The styles of an output. Loads chalk only if there is color. */
export async function stylesFor(isColored: boolean): Promise<Styles> {
  if (!isColored) return plain;
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  return createStyles((style, text) => chalk[style](text));
}
