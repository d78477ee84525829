/** Measures a JSON text before anything recursive reads it. */
import { MAX_DEPTH, MAX_JSON_VALUES } from "./parsed.ts";

/** The size and depth of a JSON text; meaningless after its first syntax error. */
interface Scanned {
  /** The offset at which objects and arrays nest deeper than allowed. */
  readonly deep?: number;
  /** The offset at which there are more values than allowed. */
  readonly many?: number;
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

/** Scans a text that may be anything. */
export function scanJson(text: string, maxDepth = MAX_DEPTH, maxValues = MAX_JSON_VALUES): Scanned {
  let depth = 0;
  let keys = 0;
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = scanString(text, index);
    // Outside of strings, a colon only follows keys.
    else if (code === COLON) keys++;
    else if (code === COMMA) {
      if (++values > maxValues) return { many: index, keys, values };
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > maxDepth) return { deep: index, keys, values };
      if (++values > maxValues) return { many: index, keys, values };
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
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
