/** Parses JSON with `JSON.parse`, within limits. */
import { isList, isObject } from "../base/values.ts";
import {
  MAX_JSON_VALUES,
  MAX_PLACED_VALUES,
  type Parsed,
  type Positions,
  tooDeep,
  tooManyValues,
  unparsed,
} from "./parsed.ts";
import { scanJson } from "./scan-json.ts";

/** The value of a JSON text. */
export interface JsonValue {
  readonly value: unknown;
}

/** Reads a JSON text; undefined if `parseJson` reports a problem. */
export function readJson(text: string): JsonValue | undefined {
  const { deep, many, keys } = scanJson(text);
  const parsed = deep === undefined && many === undefined ? tryParse(text) : undefined;
  return parsed !== undefined && keys === countKeys(parsed.value) ? parsed : undefined;
}

function tryParse(text: string): JsonValue | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

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
  const parsed = tryParse(text);
  if (parsed === undefined) {
    const { describeJsonError } = await import("./json-positions.ts");
    return unparsed(describeJsonError(text));
  }
  const { value } = parsed;
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
