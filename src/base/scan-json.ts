/** Measures a JSON text before anything recursive reads it. */

/** The size and depth of a JSON text; meaningless after its first syntax error. */
export interface Scanned {
  /** The offset at which objects and arrays nest deeper than allowed. */
  readonly deep?: number;
  /** The offset at which there are more values than allowed. */
  readonly many?: number;
  /** The offset at which one object has more keys than allowed. */
  readonly wide?: number;
  /** How many keys are written: strings before a colon. */
  readonly keys: number;
  /** How many values are written, about. */
  readonly values: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The offset at which a string that may be anything nests deeper than that; undefined if it does not. */
export function findTooDeep(text: string, depth: number): number | undefined {
  return scanJson(text, { depth, values: Number.POSITIVE_INFINITY, keys: Number.POSITIVE_INFINITY })
    .deep;
}

/** Scans a string that may be anything. @param most how much of each it may have */
export function scanJson(
  text: string,
  most: { readonly depth: number; readonly values: number; readonly keys: number },
): Scanned {
  let depth = 0;
  let keys = 0;
  let values = 0;
  /** How many keys each open object has so far, by depth. */
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

/** The offset of the quotation mark that ends the string begun at `start`; the text's end without. */
function scanString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes precedes it. */
function isEscaped(text: string, start: number, end: number): boolean {
  let from = end - 1;
  while (from > start && text.charCodeAt(from) === BACKSLASH) from--;
  return (end - 1 - from) % 2 === 1;
}
