/** Colors, measures, truncates and wraps text by the columns it takes on a terminal. */
import type { Output } from "../base/io.ts";
import type { Environment } from "../base/process.ts";

/** Measures text without control characters except the codes of styles. Wide characters (CJK, emoji) take two columns. */
export interface TextMeasure {
  readonly width: (text: string) => number;
  /** The text in at most `columns` columns, ending in `…` if it was cut. */
  readonly cut: (text: string, columns: number) => string;
  /**
   * The text's lines, broken at spaces, and inside words that are longer than a line, because some languages have
   * no spaces. Words of ASCII, such as paths and URLs, stay whole, so that they can be copied.
   */
  readonly wrap: (text: string, columns: number, firstColumns?: number) => string[];
}

/** Matches text of characters that take one column each: ASCII, and symbols that `catalog` prints. */
const NARROW = /^[\n -~·–…→●✓✗]*$/;

const STYLE = "\\u001b\\[[\\d;]*m";
/** Separates a text into text and style codes, in turn. */
const STYLE_CODE = new RegExp(`(${STYLE})`);
/** Words that are not broken. */
const WHOLE_WORD = new RegExp(`^(?:[!-~]|${STYLE})*$`);

/**
 * Runs of ASCII, which need no segmenter, and pieces of at most 1,000 other characters. A run of ASCII ends
 * one character before other text, because other text may combine with the last character. A piece of other
 * text ends with an ASCII character where possible, so that no combined character is split.
 */
const PIECES = /[ -~]+(?![^ -~])|.{1,999}?[ -~](?=[ -~])|.{1,1000}/gsu;

/** Limits the memory of the cache: a service may send any character. */
const MAX_CACHED = 10_000;

/** Loads `string-width`, which the build delays further until text needs it. */
export async function loadTextMeasure(): Promise<TextMeasure> {
  const { default: measureCharacter } = await import("string-width");
  const segmenter = new Intl.Segmenter();
  // Measuring one character takes microseconds, and strings consist of few different characters.
  const cache = new Map<string, number>();

  const widthOf = (character: string): number => {
    const cached = cache.get(character);
    if (cached !== undefined) return cached;
    const width = measureCharacter(character);
    if (cache.size < MAX_CACHED) cache.set(character, width);
    return width;
  };

  /** Each character with its width. Works piece by piece, because the segmenter's time grows with the square of the length. */
  function* charactersOf(text: string): Generator<readonly [character: string, width: number]> {
    for (const [index, part] of text.split(STYLE_CODE).entries()) {
      if (index % 2 === 1) yield [part, 0];
      else if (NARROW.test(part)) for (const character of part) yield [character, 1];
      else
        for (const [piece] of part.matchAll(PIECES))
          for (const { segment } of segmenter.segment(piece)) yield [segment, widthOf(segment)];
    }
  }

  const width = (text: string): number => {
    if (NARROW.test(text)) return text.length;
    let used = 0;
    for (const [, columns] of charactersOf(text)) used += columns;
    return used;
  };

  /** The length of the longest beginning that fits. */
  const fittingLength = (text: string, columns: number): number => {
    if (columns === Number.POSITIVE_INFINITY) return text.length;
    let used = 0;
    let length = 0;
    for (const [character, wide] of charactersOf(text)) {
      used += wide;
      if (used > columns) break;
      length += character.length;
    }
    return length;
  };

  const cut = (text: string, columns: number): string => {
    if (fittingLength(text, columns) === text.length) return text;
    return columns < 1 ? "" : `${text.slice(0, fittingLength(text, columns - 1))}…`;
  };

  /** The word in parts that fit; a character wider than the line is a part by itself. */
  const breakWord = (word: string, columns: number): string[] => {
    if (WHOLE_WORD.test(word)) return [word];
    const parts: string[] = [];
    let part = "";
    let used = 0;
    for (const [character, wide] of charactersOf(word)) {
      if (used + wide > columns && part !== "") {
        parts.push(part);
        part = "";
        used = 0;
      }
      part += character;
      used += wide;
    }
    return [...parts, part];
  };

  return {
    width,
    cut,
    wrap: (text, columns, firstColumns = columns) =>
      wrapText(text, columns, { width, breakWord, firstColumns }),
  };
}

/** How `wrapText` measures text, and how it breaks a word that is longer than a line. */
interface WrapOptions {
  /** The columns that a string takes; its length if omitted. */
  readonly width?: (text: string) => number;
  /** The parts of a word, between which it may be broken; words are never broken if omitted. */
  readonly breakWord?: (word: string, columns: number) => readonly string[];
  /** The width of the first line; `columns` if omitted. */
  readonly firstColumns?: number;
}

/** The text's lines, broken at spaces so that each is at most `columns` wide where words allow it. */
function wrapText(text: string, columns: number, options: WrapOptions = {}): string[] {
  const lines = text.split("\n");
  return columns === Number.POSITIVE_INFINITY
    ? lines
    : lines.flatMap((line) => wrapLine(line, columns, options));
}

function wrapLine(
  line: string,
  columns: number,
  { width = (text) => text.length, breakWord, firstColumns = columns }: WrapOptions,
): string[] {
  const lines: string[] = [];
  let current: string | undefined;
  let used = 0;
  for (const word of line.split(" ")) {
    for (const [index, part] of (breakWord?.(word, columns) ?? [word]).entries()) {
      const separator = index === 0 ? " " : "";
      const added = separator.length + width(part);
      if (current !== undefined && used + added <= (lines.length === 0 ? firstColumns : columns)) {
        current += separator + part;
        used += added;
        continue;
      }
      if (current !== undefined) lines.push(current);
      current = part;
      used = width(part);
    }
  }
  return [...lines, current ?? ""];
}

/** The text as one string of lines that are at most `columns` wide and begin with `indent`. */
export function paragraph(text: string, columns: number, indent = ""): string {
  return wrapText(text, columns - indent.length)
    .map((line) => indent + line)
    .join("\n");
}

/** What a line begins with: spaces, and the sign of a list or a difference. */
const LINE_START = new RegExp(`^(?:${STYLE}| )*(?:[-+~](?:${STYLE})* )?`);

/** Advice with a command: `To undo this run: catalog undo 20260131-120000000-000001`. */
const COMMAND_AT_END = /^( *)(.+:) (catalog [^()]*)$/;

/**
 * Text for a terminal of that width, broken between words. Where a line continues in the next one, that is
 * indented by `indent`, or like the text of the line if that is more. A command at the end gets its own line,
 * so that it can be copied.
 */
export function wrapMessage(
  text: string,
  columns: number,
  measure: TextMeasure,
  indent = 0,
): string {
  return text
    .split("\n")
    .map((line) => {
      if (measure.width(line) <= columns) return line;
      const [, margin = "", advice, command] = COMMAND_AT_END.exec(line) ?? [];
      if (command !== undefined) {
        return `${wrapMessage(`${margin}${advice}`, columns, measure, indent)}\n${margin}${command}`;
      }
      const [start = ""] = LINE_START.exec(line) ?? [];
      const width = measure.width(start);
      const hanging = Math.max(width, indent);
      const rest = line.slice(start.length);
      const lines = measure.wrap(rest, Math.max(1, columns - hanging), columns - width);
      return start + lines.join(`\n${" ".repeat(hanging)}`);
    })
    .join("\n");
}

/** Wraps lines as `wrapMessage` does; off a terminal, it leaves them as they are. */
export async function messageWrapper({
  isTerminal,
  columns,
}: Pick<Output, "isTerminal" | "columns">): Promise<(text: string, indent?: number) => string> {
  if (!isTerminal) return (text) => text;
  const measure = await loadTextMeasure();
  return (text, indent) => wrapMessage(text, columns, measure, indent);
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
