/** Quotes values of settings in messages, except those that may be a key in the wrong place. */

/** The separators around a key in a longer text, as in `Bearer one.two` or `apiKey=one.two`. */
const SEPARATORS = /[\s:;,='"`/@?&#{}[\]()<>]+/;
/** Shorter second parts are those of host names and file names. */
const SHORTEST_SECRET = 8;
/** Longer second parts need no digit to count as a secret. */
const LONG_SECRET = 16;

/** Whether a text contains something like a key: two parts joined by one dot, the second one a secret. */
export function looksLikeKey(text: string): boolean {
  return text.split(SEPARATORS).some((word) => {
    const [first = "", second = "", ...others] = word.split(".");
    if (first === "" || others.length > 0 || second.length < SHORTEST_SECRET) return false;
    return /\d/.test(second) || second.length >= LONG_SECRET;
  });
}

/** `: value` for the end of a message; nothing if the value may be a key. */
export function quoted(value: string): string {
  return looksLikeKey(value) ? "" : `: ${value}`;
}
