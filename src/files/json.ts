/** Parses JSON and NDJSON with `JSON.parse`, within limits. */
import { attempt } from "../base/errors.ts";
import { type Scanned, scanJson } from "../base/scan-json.ts";
import { isList, isObject } from "../base/values.ts";
import {
  MAX_COURSES,
  MAX_DEPTH,
  MAX_FINDINGS,
  MAX_KEYS,
  MAX_PLACED_VALUES,
  MAX_VALUES,
  tooDeep,
  tooMany,
} from "./limits.ts";
import {
  type Parsed,
  type Positions,
  positionsBy,
  positionsOf,
  type TextProblem,
  unparsed,
} from "./parsed.ts";
import type { PlacedNode, Span } from "./position.ts";

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
    return { documents, problems: [], positions, start: () => text.search(/\S/) };
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

/** Parses an NDJSON text. Never throws: errors are among the problems. */
export async function parseNdjson(text: string): Promise<Parsed> {
  const documents: unknown[] = [];
  const problems: TextProblem[] = [];
  /** The line of each document. */
  const lines: Span[] = [];
  const budget = newBudget();
  for (const line of linesOf(text)) {
    const written = text.slice(line.start, line.end);
    if (written.trim() === "") continue;
    const parsed = await parseJson(written, budget);
    for (const problem of parsed.problems) problems.push(moveProblem(problem, line.start));
    if (problems.length > MAX_FINDINGS || documents.length > MAX_COURSES) break;
    if (problems.at(-1)?.rule === "too-large") break;
    for (const document of parsed.documents) {
      documents.push(document);
      lines.push(line);
    }
  }
  const positions: Parsed["positions"] = async () => {
    const { placeJson } = await import("./json-positions.ts");
    const placeLine = positionsBy(({ document }) => {
      const { start, end } = lines[document] ?? { start: 0, end: 0 };
      return moveNode(placeJson(text.slice(start, end)), start);
    }).place;
    return {
      place: ({ document, item }) => {
        const line = placeLine({ document });
        return item === undefined ? line : line?.items?.[item];
      },
    };
  };
  return { documents, problems, positions };
}

function* linesOf(text: string): Generator<Span> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    yield { start, end: end === -1 ? text.length : end };
    start = end === -1 ? text.length : end + 1;
  }
}

function move({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

function moveProblem({ span, earlier, ...problem }: TextProblem, by: number): TextProblem {
  const moved = { ...problem, span: move(span, by) };
  return earlier === undefined ? moved : { ...moved, earlier: move(earlier, by) };
}

function moveNode(node: PlacedNode, by: number): PlacedNode {
  return {
    span: move(node.span, by),
    ...(node.items && { items: node.items.map((item) => moveNode(item, by)) }),
    ...(node.entries && {
      entries: node.entries.map(({ name, key, value }) => ({
        name,
        key: move(key, by),
        value: moveNode(value, by),
      })),
    }),
  };
}
