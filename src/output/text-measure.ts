/** Measures, truncates and wraps text by the columns it takes on a terminal. */
import type { Output } from "../base/io.ts";
import { splitWords, wrapText } from "../base/text.ts";

/** Measures text without control characters. Wide characters (CJK, emoji) take two columns. */
export interface TextMeasure {
  readonly width: (text: string) => number;
  /** The text in at most `columns` columns, ending in `…` if it was cut. */
  readonly cut: (text: string, columns: number) => string;
  /** The end of the text that takes at most `columns` columns. */
  readonly tail: (text: string, columns: number) => string;
  /** The text's lines, broken at spaces, and inside words that are longer than a line. */
  readonly wrap: (text: string, columns: number) => string[];
}

/** Matches text of characters that take one column each: ASCII, and symbols that `catalog` prints. */
const NARROW = /^[\n -~·–…→●✓✗]*$/;

/**
 * Runs of ASCII, which need no segmenter, and pieces of at most 1,000 other characters. A run of ASCII ends
 * one character before other text, because other text may combine with the last character. A piece of other
 * text ends with an ASCII character where possible, so that no combined character is split.
 */
const PIECES = /[ -~]+(?![^ -~])|.{1,999}?[ -~](?=[ -~])|.{1,1000}/gsu;

const STYLE = "\\u001b\\[[\\d;]*m";
const STYLE_CODES = new RegExp(STYLE, "g");
/** Separates a text into text and style codes, in turn. */
const STYLE_CODE = new RegExp(`(${STYLE})`);
/** What a line begins with: spaces, and the sign of a list or a difference. */
const LINE_START = new RegExp(`^(?:${STYLE}| )*(?:[-+~](?:${STYLE})* )?`);

/** Limits the memory of the cache: a service may send any character. */
const MAX_CACHED = 10_000;

/** Loads `string-width`, which the build delays further until text needs it. */
export async function loadTextMeasure(): Promise<TextMeasure> {
  return measureWith((await import("string-width")).default);
}

function measureWith(measureCharacter: (character: string) => number): TextMeasure {
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
    for (const [piece] of text.matchAll(PIECES)) {
      if (NARROW.test(piece)) for (const character of piece) yield [character, 1];
      else for (const { segment } of segmenter.segment(piece)) yield [segment, widthOf(segment)];
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

  const tail = (text: string, columns: number): string => {
    let used = 0;
    let start = text.length;
    for (const [character, wide] of [...charactersOf(text)].reverse()) {
      used += wide;
      if (used > columns) break;
      start -= character.length;
    }
    return text.slice(start);
  };

  /** The word in parts that fit; a character wider than the line is a part by itself. */
  const breakWord = (word: string, columns: number): string[] => {
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
    tail,
    wrap: (text, columns) => wrapText(text, columns, { width, breakWord }),
  };
}

/** Advice with a command: `To undo this run: catalog undo 20260131-120000000-000001`. */
const COMMAND_AT_END = /^( *)(.+:) (catalog [^()]*)$/;

/**
 * Text for a terminal of that width, broken between words. Where a line continues in the next one, that is
 * indented by `indent`, or like the text of the line if that is more; by less if a word, such as an id, fits
 * only then. Words that are longer than a line, such as paths and URLs, stay whole, so that they can be
 * copied, and so does a command at the end: it gets its own line. In languages without spaces, lines end between words
 * anyway. Style codes take no columns.
 */
export function wrapMessage(
  text: string,
  columns: number,
  measure: TextMeasure,
  indent = 0,
): string {
  const width = (part: string): number => measure.width(part.replace(STYLE_CODES, ""));
  return text
    .split("\n")
    .map((line) => {
      if (width(line) <= columns) return line;
      const [, margin = "", advice, command] = COMMAND_AT_END.exec(line) ?? [];
      if (command !== undefined) {
        return `${wrapMessage(`${margin}${advice}`, columns, measure, indent)}\n${margin}${command}`;
      }
      const [start = ""] = LINE_START.exec(line) ?? [];
      const rest = line.slice(start.length);
      const widest = rest.split(" ").reduce((most, word) => {
        const wide = width(word);
        return wide > columns ? most : Math.max(most, wide);
      }, 0);
      const hanging = Math.min(Math.max(width(start), indent), columns - widest);
      const lines = wrapText(rest, Math.max(1, columns - hanging), {
        width,
        firstColumns: columns - width(start),
        breakWord: (word, most) => (width(word) > most ? breakBetweenWords(word) : [word]),
      });
      return closeStyles([start + lines[0], ...lines.slice(1)]).join(`\n${" ".repeat(hanging)}`);
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

/** The parts of a word that is longer than a line, each with the punctuation after it; one of ASCII stays whole. */
function breakBetweenWords(word: string): readonly string[] {
  if (NARROW.test(word.replace(STYLE_CODES, ""))) return [word];
  const parts: string[] = [];
  for (const [index, text] of word.split(STYLE_CODE).entries()) {
    for (const piece of index % 2 === 1 ? [text] : splitWords(text)) {
      const isWord = index % 2 === 0 && /[\p{L}\p{N}]/u.test(piece);
      parts.push(isWord ? piece : `${parts.pop() ?? ""}${piece}`);
    }
  }
  return parts;
}

/** The lines of a styled text, each of which ends its styles, because less shows lines one by one. */
function closeStyles(lines: readonly string[]): string[] {
  const endOf = (code: string): string => (/\[[12]m$/.test(code) ? "\u001b[22m" : "\u001b[39m");
  let open: readonly string[] = [];
  return lines.map((line) => {
    const begun = open.join("") + line;
    for (const [code] of line.matchAll(STYLE_CODES)) {
      open = /\[(?:22|39)m$/.test(code)
        ? open.filter((other) => endOf(other) !== code)
        : [...open, code];
    }
    return begun + open.toReversed().map(endOf).join("");
  });
}
