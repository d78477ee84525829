/** Parses JSON with `JSON.parse`, within limits. */
import { isList, isObject } from "../base/values.ts";
import {
  MAX_DEPTH,
  MAX_JSON_VALUES,
  MAX_PLACED_VALUES,
  type Parsed,
  type Positions,
  tooDeep,
  tooManyValues,
  unparsed,
} from "./parsed.ts";

/** Parses a JSON text. Never throws: errors are among the problems. */
export async function parseJson(text: string): Promise<Parsed> {
  if (/^[ \n\r\t]*$/.test(text)) {
    return { documents: [], problems: [], positions: async () => ({ places: [] }) };
  }
  const { deep, many, keys, values } = scanJson(text);
  const positions = async (): Promise<Positions> => {
    if (values > MAX_PLACED_VALUES) return { places: [] };
    const { placeJson } = await import("./json-positions.ts");
    return { places: [placeJson(text)] };
  };
  if (deep !== undefined) return unparsed(tooDeep(deep));
  if (many !== undefined) return unparsed(tooManyValues(MAX_JSON_VALUES, many));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { describeJsonError } = await import("./json-positions.ts");
    return unparsed(describeJsonError(text));
  }
  const documents = [value];
  // JSON.parse drops duplicate keys, so it leaves fewer keys than are written.
  if (keys === countKeys(value)) return { documents, problems: [], positions };
  const { findDuplicateKeys } = await import("./json-positions.ts");
  return { documents, problems: findDuplicateKeys(text), positions };
}

function countKeys(value: unknown): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isObject(value)) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + countKeys(item), inner.length);
}

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
