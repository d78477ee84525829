/**
 * Measures, cuts and wraps text by the columns that it takes on a terminal: wide characters (CJK, emoji)
 * take two. The text has no control characters.
 */
import stringWidth from "string-width";
import { wrapText } from "../base/text.ts";

/** Matches text of characters that take one column each: ASCII, and the symbols of our own output. */
const NARROW = /^[\n -~·–…→●✓✗]*$/;

/**
 * Runs of ASCII, which need no segmenter, and pieces of at most 1,000 other characters. A run ends one
 * character before other text, which may combine with that character. A piece ends with an ASCII
 * character where possible, so that no combined character is split.
 */
const PIECES = /[ -~]+(?![^ -~])|.{1,999}?[ -~](?=[ -~])|.{1,1000}/gsu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: styles begin with an escape character
const STYLE_CODES = /\u001b\[[\d;]*m/g;

const segmenter = new Intl.Segmenter();

/** Each character with its width. Piece by piece: the segmenter's time grows quadratically. */
function* charactersOf(text: string): Generator<readonly [character: string, width: number]> {
  for (const [piece] of text.matchAll(PIECES)) {
    if (NARROW.test(piece)) for (const character of piece) yield [character, 1];
    else for (const { segment } of segmenter.segment(piece)) yield [segment, stringWidth(segment)];
  }
}

/** The columns that a text takes, or `most` if it takes more. */
export function textWidth(text: string, most = Number.POSITIVE_INFINITY): number {
  if (NARROW.test(text)) return Math.min(text.length, most);
  let used = 0;
  for (const [, wide] of charactersOf(text)) {
    used += wide;
    if (used >= most) return most;
  }
  return used;
}

/** The text in at most `columns` columns, ending in `…` if it was cut. */
export function cutToWidth(text: string, columns: number): string {
  if (columns === Number.POSITIVE_INFINITY) return text;
  let used = 0;
  let length = 0;
  let lengthBeforeEllipsis = 0;
  for (const [character, wide] of charactersOf(text)) {
    used += wide;
    if (used > columns) return columns < 1 ? "" : `${text.slice(0, lengthBeforeEllipsis)}…`;
    length += character.length;
    if (used < columns) lengthBeforeEllipsis = length;
  }
  return text;
}

/** The end of the text that takes at most `columns` columns. */
export function endOfText(text: string, columns: number): string {
  let used = 0;
  let start = text.length;
  for (const [character, wide] of [...charactersOf(text)].reverse()) {
    used += wide;
    if (used > columns) break;
    start -= character.length;
  }
  return text.slice(start);
}

/** The text's lines, broken at spaces, and inside words that are longer than a line. */
export function wrapToWidth(text: string, columns: number): string[] {
  return wrapText(text, columns, { width: textWidth, breakWord });
}

/** The word in parts that fit; a character wider than the line is a part by itself. */
function breakWord(word: string, columns: number): string[] {
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
}

/**
 * A message for a terminal of that width, broken only between words. Where a line continues in the
 * next one, that is indented like the line itself, or by `indent` if that is more. Styled text is
 * measured without its style codes.
 */
export function wrapMessage(text: string, columns: number, indent = 0): string {
  const width = (part: string): number => textWidth(part.replace(STYLE_CODES, ""));
  return text
    .split("\n")
    .map((line) => {
      if (width(line) <= columns) return line;
      const [leading = ""] = /^ */.exec(line) ?? [];
      const hanging = " ".repeat(Math.max(leading.length, indent));
      const available = Math.max(1, columns - hanging.length);
      const lines = wrapText(line.slice(leading.length), available, { width });
      return leading + lines.join(`\n${hanging}`);
    })
    .join("\n");
}
