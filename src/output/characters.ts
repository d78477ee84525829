/** Walks through a text by what people call characters. */

/** A character, which may be many code points, and where it starts. */
export interface Character {
  readonly segment: string;
  readonly index: number;
}

const WINDOW = 1024;

/**
 * The characters of a text, in order. The text is given to the segmenter piece by piece: the time of
 * `Intl.Segmenter` grows with the square of the length.
 */
export function* charactersOf(text: string, segmenter: Intl.Segmenter): Generator<Character> {
  let start = 0;
  let size = WINDOW;
  while (start < text.length) {
    const end = pieceEnd(text, start + size);
    let last: Character | undefined;
    for (const { segment, index } of segmenter.segment(text.slice(start, end))) {
      if (last !== undefined) yield last;
      last = { segment, index: start + index };
    }
    if (last === undefined) return;
    if (end === text.length) {
      yield last;
      return;
    }
    // The last one may go on behind the piece, so the next piece starts with it.
    size = last.index === start ? size * 2 : WINDOW;
    start = last.index;
  }
}

/** The end of a piece, never between the halves of a code point. */
function pieceEnd(text: string, end: number): number {
  if (end >= text.length) return text.length;
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
}
