/** Parses JSON with `JSON.parse`, within limits. */
import { attempt } from "../base/errors.ts";
import { type Scanned, scanJson } from "../base/scan-json.ts";
import { isList, isObject } from "../base/values.ts";
import { MAX_DEPTH, MAX_KEYS, MAX_PLACED_VALUES, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import { type Parsed, type Positions, positionsOf, unparsed } from "./parsed.ts";

export interface JsonValue {
  readonly value: unknown;
}

/** Reads a JSON text; undefined if `parseJson` reports a problem. */
export function readJson(text: string, budget = newBudget()): JsonValue | undefined {
  const { deep, many, wide, keys } = scan(text, budget);
  const isLarge = (deep ?? many ?? wide) !== undefined;
  const parsed = isLarge ? undefined : tryParse(text);
  return parsed !== undefined && keys === countKeys(parsed.value) ? parsed : undefined;
}

function tryParse(text: string): JsonValue | undefined {
  return attempt(() => ({ value: JSON.parse(text) }));
}

/** How many values may follow in a file. */
export interface ValueBudget {
  left: number;
}

export function newBudget(): ValueBudget {
  return { left: MAX_VALUES };
}

function scan(text: string, budget: ValueBudget): Scanned {
  const scanned = scanJson(text, { depth: MAX_DEPTH, values: budget.left, keys: MAX_KEYS });
  budget.left -= scanned.values;
  return scanned;
}

/** Parses a JSON text. Never throws: errors are among the problems. @param budget reduced by its values */
export async function parseJson(text: string, budget = newBudget()): Promise<Parsed> {
  if (/^[ \n\r\t]*$/.test(text)) {
    return { documents: [], problems: [], positions: async () => positionsOf([]) };
  }
  const { deep, many, wide, keys, values } = scan(text, budget);
  const positions = async (): Promise<Positions> => {
    if (values > MAX_PLACED_VALUES) return positionsOf([]);
    const { placeJson } = await import("./json-positions.ts");
    return positionsOf([placeJson(text)]);
  };
  if (deep !== undefined) return unparsed(tooDeep(deep));
  if (many !== undefined) return unparsed(tooMany("values", many));
  if (wide !== undefined) return unparsed(tooMany("keys", wide));
  const parsed = tryParse(text);
  if (parsed === undefined) {
    const { describeJsonError } = await import("./json-positions.ts");
    return unparsed(describeJsonError(text));
  }
  const { value } = parsed;
  const documents = [value];
  // JSON.parse drops duplicate keys, so it leaves fewer keys than are written.
  if (keys === countKeys(value)) {
    return { documents, problems: [], positions, start: text.search(/\S/) };
  }
  const { findDuplicateKeys } = await import("./json-positions.ts");
  return { documents, problems: findDuplicateKeys(text), positions };
}

function countKeys(value: unknown): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isObject(value)) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + countKeys(item), inner.length);
}
