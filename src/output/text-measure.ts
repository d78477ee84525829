/** Measures, cuts and wraps text by the columns it takes on a terminal. */

import { charactersOf } from "./characters.ts";

/** Works on text without control characters. Wide characters (CJK, emoji) take two columns. */
export interface TextMeasure {
  /** The columns that a text takes. */
  width(text: string): number;
  /** The text in at most that many columns, ending in `…` where it was cut. */
  cut(text: string, columns: number): string;
  /** The end of the text that takes at most that many columns. */
  tail(text: string, columns: number): string;
  /** The text's lines, broken at blanks, or anywhere in words that are longer than a line. */
  wrap(text: string, columns: number): string[];
}

const ASCII = /^[ -~]*$/;
const MOST_KNOWN = 10_000;

/** Loads what measuring needs, which costs more than most commands. */
export async function loadTextMeasure(): Promise<TextMeasure> {
  const { default: measured } = await import("string-width");
  const segmenter = new Intl.Segmenter();
  // Measuring is slow, and texts are made of few different characters.
  const known = new Map<string, number>();

  const widthOf = (character: string): number => {
    const before = known.get(character);
    if (before !== undefined) return before;
    const width = measured(character);
    if (known.size < MOST_KNOWN) known.set(character, width);
    return width;
  };

  const width = (text: string): number => {
    if (ASCII.test(text)) return text.length;
    let used = 0;
    for (const { segment } of charactersOf(text, segmenter)) used += widthOf(segment);
    return used;
  };

  /** The index after the last character that still fits. */
  const fitting = (text: string, columns: number): number => {
    if (columns === Number.POSITIVE_INFINITY) return text.length;
    if (ASCII.test(text)) return Math.min(text.length, columns);
    let used = 0;
    for (const { segment, index } of charactersOf(text, segmenter)) {
      used += widthOf(segment);
      if (used > columns) return index;
    }
    return text.length;
  };

  const cut = (text: string, columns: number): string => {
    if (fitting(text, columns) === text.length) return text;
    return columns < 1 ? "" : `${text.slice(0, fitting(text, columns - 1))}…`;
  };

  const tail = (text: string, columns: number): string => {
    let used = 0;
    let start = text.length;
    for (const { segment, index } of [...charactersOf(text, segmenter)].reverse()) {
      used += widthOf(segment);
      if (used > columns) break;
      start = index;
    }
    return text.slice(start);
  };

  /** A word in pieces that fit; a character wider than the line is a piece of its own. */
  const pieces = (word: string, columns: number): string[] => {
    // Measured sign by sign, a megabyte in one word would take seconds.
    const line = new RegExp(`.{1,${Math.max(1, columns)}}`, "g");
    if (ASCII.test(word)) return word.match(line) ?? [word];
    const found: string[] = [];
    let used = 0;
    let start = 0;
    for (const { segment, index } of charactersOf(word, segmenter)) {
      if (used + widthOf(segment) > columns && index > start) {
        found.push(word.slice(start, index));
        start = index;
        used = 0;
      }
      used += widthOf(segment);
    }
    return [...found, word.slice(start)];
  };

  const wrapLine = (line: string, columns: number): string[] => {
    const lines: string[] = [];
    let current: string | undefined;
    for (const word of line.split(" ")) {
      const longer: string = current === undefined ? word : `${current} ${word}`;
      if (fitting(longer, columns) === longer.length) {
        current = longer;
        continue;
      }
      if (current !== undefined) lines.push(current);
      const parts = pieces(word, columns);
      current = parts.pop();
      for (const part of parts) lines.push(part);
    }
    if (current !== undefined) lines.push(current);
    return lines;
  };

  return {
    width,
    cut,
    tail,
    wrap: (text, columns) => {
      const lines = text.split("\n");
      if (columns === Number.POSITIVE_INFINITY) return lines;
      return lines.flatMap((line) => wrapLine(line, columns));
    },
  };
}
