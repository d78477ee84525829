/** Measures a JSON text before recursive code reads it, which could overflow the stack. */

/** The size and depth of a JSON text up to its first syntax error. */
export interface Scanned {
  /** The offset at which objects and arrays nest deeper than allowed. */
  readonly deep?: number;
  /** The offset at which there are more values than allowed. */
  readonly many?: number;
  /** The offset at which one object has more keys than allowed. */
  readonly wide?: number;
  /** The number of keys, which are strings before a colon. */
  readonly keys: number;
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The offset at which a JSON text nests deeper than `depth`; undefined if it does not. */
export function findTooDeep(text: string, depth: number): number | undefined {
  return scanJson(text, { depth, values: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY })
    .deep;
}

/**
 * Measures a string, which need not be valid JSON. For example, `[{"a":1}]` gives `{keys: 1, values: 2}`, and with
 * the limit `depth: 1` it gives `{deep: 1, keys: 0, values: 1}`.
 */
export function scanJson(
  text: string,
  most: { readonly depth: number; readonly values: number; readonly keys: number },
): Scanned {
  let depth = 0;
  let keys = 0;
  let values = 0;
  /** The number of keys in each open object so far, by depth. */
  const counts: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = scanString(text, index);
    // Outside of strings, a colon only follows keys.
    else if (code === COLON) {
      keys++;
      const count = (counts[depth] ?? 0) + 1;
      if (count > most.keys) return { wide: index, keys, values };
      counts[depth] = count;
    } else if (code === COMMA) {
      if (++values > most.values) return { many: index, keys, values };
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > most.depth) return { deep: index, keys, values };
      if (++values > most.values) return { many: index, keys, values };
      counts[depth] = 0;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth = Math.max(0, depth - 1);
  }
  return { keys, values };
}

/** The offset of the quotation mark that ends the string that begins at `start`, or of the end of the text. */
function scanString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether the character at `end` is escaped: an odd number of backslashes precedes it. */
function isEscaped(text: string, start: number, end: number): boolean {
  let from = end - 1;
  while (from > start && text.charCodeAt(from) === BACKSLASH) from--;
  return (end - 1 - from) % 2 === 1;
}
