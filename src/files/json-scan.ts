/** Looks over a JSON text once, before it is parsed, for what its parser does not tell. */

/** What a JSON text shows at a glance; meaningless beyond its first syntax error. */
export interface Scanned {
  /** The offset at which its mappings and lists pass the depth allowed. */
  readonly tooDeep?: number;
  /** The offset at which it has written more values than allowed. */
  readonly tooMany?: number;
  /** How many keys it writes: strings that a colon follows. */
  readonly keys: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_MAPPING, CLOSE_MAPPING] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Scans a text that may be anything. */
export function scanJson(text: string, depthAllowed: number, valuesAllowed: number): Scanned {
  let depth = 0;
  let keys = 0;
  let values = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = scanString(text, index);
    // Outside of strings, a colon stands behind keys alone.
    else if (code === COLON) keys++;
    else if (code === COMMA) {
      if (++values > valuesAllowed) return { tooMany: index, keys };
    } else if (code === OPEN_LIST || code === OPEN_MAPPING) {
      if (++depth > depthAllowed) return { tooDeep: index, keys };
      if (++values > valuesAllowed) return { tooMany: index, keys };
    } else if (code === CLOSE_LIST || code === CLOSE_MAPPING) depth--;
  }
  return { keys };
}

/** The offset of the quotation mark that ends the string begun at `start`; the text's end without. */
export function scanString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes stands before it. */
function isEscaped(text: string, start: number, end: number): boolean {
  let from = end - 1;
  while (from > start && text.charCodeAt(from) === BACKSLASH) from--;
  return (end - 1 - from) % 2 === 1;
}

/** Whether a character's code is one of the four blanks of JSON. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
