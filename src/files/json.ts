/** Parses JSON and NDJSON with `JSON.parse`, within limits. */
import { attempt } from "../base/errors.ts";
import { measureJson } from "../base/scan-json.ts";
import { isList, isObject } from "../base/values.ts";
import { describeJsonError, placeJson } from "./json-places.ts";
import { MAX_COURSES, MAX_DEPTH, MAX_FINDINGS, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import { type Parsed, positionsBy, positionsOf, type TextProblem } from "./parsed.ts";
import type { Span } from "./position.ts";
import { skipWhitespace } from "./text-edit.ts";
import { findDuplicateKeys, UNPLACED_DUPLICATE } from "./text-problems.ts";

/** The value of a JSON text; a text without a value has a problem. */
export interface ParsedValue {
  readonly value?: unknown;
  readonly problems: readonly TextProblem[];
  /** Of a list, the offsets after which the items begin. */
  readonly items?: readonly number[];
}

/** How many values the rest of a file may have. */
export interface ValueBudget {
  left: number;
}

export function newBudget(): ValueBudget {
  return { left: MAX_VALUES };
}

/**
 * Parses JSON, within limits. Never throws: `{"a": 1}` gives `{ value: { a: 1 }, problems: [] }`, and `{"a": }` gives only
 * a problem. @param budget reduced by the number of values
 */
export function parseValue(text: string, budget = newBudget()): ParsedValue {
  const { deep, many, keys, values, items } = measureJson(text, {
    depth: MAX_DEPTH,
    values: budget.left,
  });
  budget.left -= values;
  if (deep !== undefined) return { problems: [tooDeep(deep)] };
  if (many !== undefined) return { problems: [tooMany("values", many)] };
  const parsed = attempt(() => ({ value: JSON.parse(text) as unknown }));
  if (parsed === undefined) return { problems: [describeJsonError(text)] };
  // JSON.parse drops duplicate keys, so it leaves fewer keys than are written.
  if (keys === countKeys(parsed.value)) return { ...parsed, items, problems: [] };
  const problems = findDuplicateKeys({ documents: [parsed.value] }, positionsOf([placeJson(text)]));
  return { ...parsed, problems: problems.length > 0 ? problems : [UNPLACED_DUPLICATE] };
}

/** Parses a JSON file: `[{"name": "Knitting"}]` is one document. Never throws: errors are among the problems. */
export async function parseJson(text: string): Promise<Parsed> {
  if (/^[ \n\r\t]*$/.test(text)) {
    return {
      documents: [],
      problems: [],
      positions: async () => positionsOf([]),
      startOf: () => 0,
    };
  }
  const read = parseValue(text);
  return {
    documents: "value" in read ? [read.value] : [],
    problems: read.problems,
    positions: async () => positionsOf("value" in read ? [placeJson(text)] : []),
    startOf: ({ item }) => skipWhitespace(text, read.items?.[item ?? -1] ?? 0),
  };
}

function countKeys(value: unknown): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isObject(value)) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + countKeys(item), inner.length);
}

/** Parses NDJSON: each line, such as `{"name": "Knitting"}`, is one document. Never throws, like `parseJson`. */
export async function parseNdjson(text: string): Promise<Parsed> {
  const documents: unknown[] = [];
  const problems: TextProblem[] = [];
  /** For each document, the span of its line. */
  const lines: Span[] = [];
  const budget = newBudget();
  for (const line of linesOf(text)) {
    const written = text.slice(line.start, line.end);
    if (written.trim() === "") continue;
    const read = parseValue(written, budget);
    for (const problem of read.problems) problems.push(moveProblem(problem, line.start));
    if (problems.length > MAX_FINDINGS || documents.length > MAX_COURSES) break;
    if (problems.at(-1)?.rule === "too-large") break;
    if (!("value" in read)) continue;
    documents.push(read.value);
    lines.push(line);
  }
  const positions: Parsed["positions"] = async () => {
    const placeLine = positionsBy(({ document }) => {
      const { start, end } = lines[document] ?? { start: 0, end: 0 };
      return placeJson(text.slice(start, end), start);
    }).place;
    return {
      place: ({ document, item }) => {
        const line = placeLine({ document });
        return item === undefined ? line : line?.items?.[item];
      },
    };
  };
  const startOf: Parsed["startOf"] = ({ document }) =>
    skipWhitespace(text, lines[document]?.start ?? 0);
  return { documents, problems, positions, startOf };
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
