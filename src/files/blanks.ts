/** Steps over what stands between two values of a YAML text and means nothing. */

/**
 * The offset of what is next, blanks, line ends and comments left out. Character by character, as a
 * regular expression would run out of stack on what a hostile file can hold.
 *
 * @param marks characters that are stepped over, too
 * @param tags whether anchors and tags are stepped over, too
 */
export function pastBlanks(text: string, from: number, marks = "", tags = false): number {
  let at = from;
  for (;;) {
    const character = text[at];
    if (character === undefined) return at;
    if (character === "#") at = pastAll(text, at, isWithinLine);
    else if (tags && (character === "&" || character === "!")) at = pastAll(text, at, isWord);
    else if (/\s/.test(character) || marks.includes(character)) at++;
    else return at;
  }
}

/** Whether a character, if there is one, begins or ends a line. */
export function isLineEnd(character: string | undefined): boolean {
  return character === "\n" || character === "\r";
}

function pastAll(text: string, from: number, belongs: (character: string) => boolean): number {
  let at = from;
  while (at < text.length && belongs(text[at] ?? "")) at++;
  return at;
}

function isWithinLine(character: string): boolean {
  return !isLineEnd(character);
}

function isWord(character: string): boolean {
  return !/[\s,[\]{}]/.test(character);
}
