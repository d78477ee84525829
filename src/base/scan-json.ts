/** Measures a JSON text before recursive code reads it, which could overflow the stack. */

/** The offset at which a JSON text nests deeper than `depth`; undefined if it does not. */
export function findTooDeep(text: string, depth: number): number | undefined {
  return measureJson(text, { depth, values: Number.POSITIVE_INFINITY }).deep;
}

interface Measured {
  /** The offset at which objects and lists nest deeper than allowed. */
  readonly deep?: number;
  /** The offset at which there are more values than allowed. */
  readonly many?: number;
  /** The number of keys, which are strings before a colon. */
  readonly keys: number;
  readonly values: number;
  /** Of a list, the offsets after which the items begin. */
  readonly items: readonly number[];
}

/** Measures a string, which need not be valid JSON: `[{"a":1}]` has 1 key and 2 values. */
export function measureJson(
  text: string,
  most: { readonly depth: number; readonly values: number },
): Measured {
  let [depth, keys, values] = [0, 0, 0];
  const items: number[] = [];
  const isList = /^\s*\[/.test(text);
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = findStringEnd(text, at);
    // Outside of strings, a colon only follows keys.
    else if (character === ":") keys++;
    else if (character === "]" || character === "}") depth = Math.max(0, depth - 1);
    else if (character === "," || character === "[" || character === "{") {
      if (character !== "," && ++depth > most.depth) return { deep: at, keys, values, items };
      if (++values > most.values) return { many: at, keys, values, items };
      if (depth === 1 && isList) items.push(at + 1);
    }
  }
  return { keys, values, items };
}

/** The offset of the quotation mark that ends the string that begins at `start`, or of the end of the text. */
function findStringEnd(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let from = end - 1;
    while (from > start && text[from] === "\\") from--;
    // An odd number of backslashes escapes the mark.
    if ((end - from) % 2 === 1) return end;
  }
}
