/** Measures, cuts and wraps text by the columns it takes on a terminal. */

/** Works on text without control characters. Wide characters (CJK, emoji) take two columns. */
export interface Ruler {
  /** The columns that a text takes; escape sequences of colours take none. */
  width(text: string): number;
  /** The text in at most that many columns, ending in `…` where it was cut. */
  cut(text: string, columns: number): string;
  /** The end of the text that takes at most that many columns. */
  tail(text: string, columns: number): string;
  /** The text's lines, broken at blanks, or anywhere in words that are longer than a line. */
  wrap(text: string, columns: number): string[];
}

/** Loads what measuring needs, which costs more than most commands. */
export async function loadRuler(): Promise<Ruler> {
  const { default: width } = await import("string-width");
  const segmenter = new Intl.Segmenter();

  /** The index after the last character that still fits. */
  const fitting = (text: string, columns: number): number => {
    if (columns === Number.POSITIVE_INFINITY) return text.length;
    if (/^[ -~]*$/.test(text)) return Math.min(text.length, columns);
    let used = 0;
    for (const { segment, index } of segmenter.segment(text)) {
      used += width(segment);
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
    for (const { segment, index } of [...segmenter.segment(text)].reverse()) {
      used += width(segment);
      if (used > columns) break;
      start = index;
    }
    return text.slice(start);
  };

  const wrapLine = (line: string, columns: number): string[] => {
    const lines: string[] = [];
    let current: string | undefined;
    for (const word of line.split(" ")) {
      const longer: string = current === undefined ? word : `${current} ${word}`;
      if (width(longer) <= columns) {
        current = longer;
        continue;
      }
      if (current !== undefined) lines.push(current);
      let rest = word;
      while (width(rest) > columns) {
        // A character wider than the line must not stop the work.
        const end = Math.max(fitting(rest, columns), firstLength(rest));
        if (end >= rest.length) break;
        lines.push(rest.slice(0, end));
        rest = rest.slice(end);
      }
      current = rest;
    }
    if (current !== undefined) lines.push(current);
    return lines;
  };

  const firstLength = (text: string): number => {
    for (const { segment } of segmenter.segment(text)) return segment.length;
    return 0;
  };

  return {
    width: (text) => width(text),
    cut,
    tail,
    wrap: (text, columns) => {
      const lines = text.split("\n");
      if (columns === Number.POSITIVE_INFINITY) return lines;
      return lines.flatMap((line) => wrapLine(line, columns));
    },
  };
}
