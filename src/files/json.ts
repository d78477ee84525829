/** Parses JSON and NDJSON with `JSON.parse`, within limits; positions and errors come from jsonc-parser. */

import { type JSONVisitor, type Node, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import { attempt } from "../base/errors.ts";
import { isList, isObject } from "../base/values.ts";
import { MAX_COURSES, MAX_DEPTH, MAX_FINDINGS, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import { type Parsed, positionsBy, positionsOf, type TextProblem } from "./parsed.ts";
import { oneAt, type PlacedNode, type Span, skipWhitespace } from "./position.ts";
import { findDuplicateKeys, syntaxProblem, UNPLACED_DUPLICATE } from "./text-problems.ts";

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
function measureJson(
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

/**
 * Finds the positions in valid JSON: `{"a": 7}` is an object at 0 to 8, with the key `a` at 1 to 4 and the value at 6 to
 * 7. If the text is too long for the parser, only the position of the complete value is known.
 *
 * @param from the offset of the text in its file
 */
function placeJson(text: string, from = 0): PlacedNode {
  const root = isTooLong(text) ? undefined : parseTree(text);
  return root === undefined
    ? { span: { start: from, end: from + text.length } }
    : place(root, from);
}

function place({ type, offset, length, children = [] }: Node, from: number): PlacedNode {
  const span = { start: from + offset, end: from + offset + length };
  if (type === "array") return { span, items: children.map((item) => place(item, from)) };
  if (type !== "object") return { span };
  const entries = children.flatMap(({ children: [key, value] = [] }) => {
    if (key === undefined || value === undefined) return [];
    return { name: String(key.value), key: place(key, from).span, value: place(value, from) };
  });
  return { span, entries };
}

/** Ends a visit at the first error: a hostile text may have millions. */
class Stop extends Error {}

/**
 * Describes the first error of a text that `JSON.parse` refuses. For `[1,]`, the message is
 * `not valid JSON: expected a value; remove the comma before a closing bracket`, at offset 3.
 */
function describeJsonError(text: string): TextProblem {
  let found = syntaxProblem("JSON", "check the quotes, brackets and commas", { start: 0, end: 0 });
  const open: number[] = [];
  let closed: number | undefined;
  // jsonc-parser calls this before it reports a missing end.
  const close = (): void => {
    closed = open.pop();
  };
  const visitor: JSONVisitor = {
    onObjectBegin: (offset) => void open.push(offset),
    onArrayBegin: (offset) => void open.push(offset),
    onObjectEnd: close,
    onArrayEnd: close,
    onError: (error, offset, length) => {
      const code = printParseErrorCode(error);
      const isUnclosed = text.slice(offset).trim() === "" && code !== "UnexpectedEndOfString";
      const bracket = isUnclosed ? (code.startsWith("Close") ? closed : open.at(-1)) : undefined;
      const at = offset + findWrong(code, text.slice(offset, offset + length));
      found =
        bracket === undefined
          ? syntaxProblem("JSON", SENTENCES[code], oneAt(at))
          : syntaxProblem("JSON", `this ${text[bracket]} is never closed`, oneAt(bracket));
      throw new Stop();
    },
  };
  try {
    if (!isTooLong(text)) visit(text, visitor, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  return found;
}

const COMMENT = "comments are not allowed";
const ESCAPE = "invalid escape: write a backslash as \\\\";
const NUMBER = "this is not a number";
const TEXT = 'unexpected text; names and strings need straight double quotes (")';

const SENTENCES: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: TEXT,
  InvalidNumberFormat: NUMBER,
  PropertyNameExpected:
    "expected a name in double quotes; remove the comma before a closing bracket",
  ValueExpected: "expected a value; remove the comma before a closing bracket",
  ColonExpected: "a colon is missing before this",
  CommaExpected: "a comma is missing before this",
  CloseBraceExpected: "a } is missing before this",
  CloseBracketExpected: "a ] is missing before this",
  EndOfFileExpected: "unexpected text after the end of the value",
  InvalidCommentToken: COMMENT,
  UnexpectedEndOfComment: COMMENT,
  UnexpectedEndOfString: "this quote is never closed",
  UnexpectedEndOfNumber: NUMBER,
  InvalidUnicode: ESCAPE,
  InvalidEscapeCharacter: ESCAPE,
  InvalidCharacter: "write a control character in a string as an escape, such as \\n or \\t",
  "<unknown ParseErrorCode>": TEXT,
};

/** The character at which an error is: of an error in a string, not its quotation mark. */
function findWrong(code: keyof typeof SENTENCES, written: string): number {
  if (code === "InvalidCharacter") return Math.max(0, written.search(CONTROL));
  if (SENTENCES[code] !== ESCAPE) return 0;
  const escapes = [...written.matchAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})?/g)];
  return escapes.find(([each]) => each === "\\")?.index ?? 0;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f]/;

/** How many escapes in a string, or spaces in a row, jsonc-parser reads: it joins them one by one. */
const MAX_JOINED = 2_000_000;

/** Whether a text has so many spaces or escapes in a row that jsonc-parser would run out of memory. */
function isTooLong(text: string): boolean {
  if (text.length < MAX_JOINED) return false;
  let [spaces, escapes] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    spaces = character === " " || character === "\t" ? spaces + 1 : 0;
    if (character === '"') escapes = 0;
    else if (character === "\\") {
      escapes++;
      index++;
    }
    if (spaces > MAX_JOINED || escapes > MAX_JOINED) return true;
  }
  return false;
}
