/** Parses JSON and NDJSON with `JSON.parse`, within limits; positions and errors come from jsonc-parser. */

import { type JSONVisitor, type Node, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import { attempt } from "../base/errors.ts";
import { isList, isObject } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import { MAX_COURSES, MAX_DEPTH, MAX_FINDINGS, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import { type CoursePlace, type Parsed, rememberLast } from "./parsed.ts";
import { oneAt, type PlacedNode, type Span, skipWhitespace } from "./position.ts";
import { addDuplicates, syntaxProblem, UNPLACED_DUPLICATE } from "./text-problems.ts";

/** Whether a JSON text nests deeper than `depth`. */
export function isTooDeep(text: string, depth: number): boolean {
  return measureJson(text, { depth, values: Number.POSITIVE_INFINITY }).problem !== undefined;
}

interface Measured {
  /** The problem of more levels or values than allowed. */
  readonly problem?: Problem;
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
  from = 0,
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
      if (character !== "," && ++depth > most.depth) {
        return { problem: tooDeep(from + at), keys, values, items };
      }
      if (++values > most.values) {
        return { problem: tooMany("values", from + at), keys, values, items };
      }
      if (depth === 1 && isList) items.push(from + at + 1);
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

/** How many values the rest of a file may have. */
interface ValueBudget {
  left: number;
}

function newBudget(): ValueBudget {
  return { left: MAX_VALUES };
}

/** The value of a JSON text; a text without a value has a problem. */
export interface ParsedValue {
  readonly value?: unknown;
  readonly problems: readonly Problem[];
}

/**
 * Parses JSON, within limits. Never throws: `{"a": 1}` gives `{ value: { a: 1 }, problems: [] }`, and `{"a": }` gives only
 * a problem. @param budget reduced by the number of values
 */
export function parseValue(text: string, budget = newBudget()): ParsedValue {
  return parsePart(text, { start: 0, end: text.length }, budget);
}

interface ParsedPart extends ParsedValue {
  /** The spans of the value or, if it is a list, of its items, each with what precedes and follows it. */
  readonly courses: readonly Span[];
}

function parsePart(text: string, { start, end }: Span, budget: ValueBudget): ParsedPart {
  const part = text.slice(start, end);
  const most = { depth: MAX_DEPTH, values: budget.left };
  const { problem, keys, values, items } = measureJson(part, most, start);
  budget.left -= values;
  if (problem !== undefined) return { problems: [problem], courses: [] };
  const parsed = attempt(() => ({ value: JSON.parse(part) as unknown }));
  if (parsed === undefined) return { problems: [describeJsonError(part, start)], courses: [] };
  const courses = isList(parsed.value)
    ? items.map((item, index) => ({ start: item, end: (items[index + 1] ?? end + 1) - 1 }))
    : [{ start, end }];
  const problems: Problem[] = [];
  // JSON.parse drops duplicate keys, so it leaves fewer keys than are written.
  if (keys !== countKeys(parsed.value)) {
    for (const course of courses) addDuplicates(problems, placeJson(text, course));
    if (problems.length === 0) problems.push(UNPLACED_DUPLICATE);
  }
  return { ...parsed, problems, courses };
}

function countKeys(value: unknown): number {
  if (isList(value)) return value.reduce<number>((sum, item) => sum + countKeys(item), 0);
  if (!isObject(value)) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, item) => sum + countKeys(item), inner.length);
}

/** Parses a JSON file: `[{"name": "Knitting"}]` is one document. Never throws: errors are among the problems. */
export async function parseJson(text: string): Promise<Parsed> {
  return parseParts(text, [{ start: 0, end: text.length }]);
}

/** Parses NDJSON: each line, such as `{"name": "Knitting"}`, is one document. Never throws, like `parseJson`. */
export async function parseNdjson(text: string): Promise<Parsed> {
  return parseParts(text, linesOf(text));
}

function* linesOf(text: string): Generator<Span> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    yield { start, end: end === -1 ? text.length : end };
    start = end === -1 ? text.length : end + 1;
  }
}

/** Parses the parts of a text: each is a document, if it is not blank. */
function parseParts(text: string, parts: Iterable<Span>): Parsed {
  const documents: unknown[] = [];
  const problems: Problem[] = [];
  const spans: { readonly part: Span; readonly courses: readonly Span[] }[] = [];
  const budget = newBudget();
  for (const part of parts) {
    if (text.slice(part.start, part.end).trim() === "") continue;
    const read = parsePart(text, part, budget);
    for (const problem of read.problems) problems.push(problem);
    if (problems.length > MAX_FINDINGS || documents.length > MAX_COURSES) break;
    if (problems.at(-1)?.rule === "too-large") break;
    if (!("value" in read)) continue;
    documents.push(read.value);
    spans.push({ part, courses: read.courses });
  }
  const spanOf = ({ document, item }: CoursePlace): Span => {
    const found = spans[document];
    return (item === undefined ? found?.part : found?.courses[item]) ?? { start: 0, end: 0 };
  };
  return {
    documents,
    problems,
    place: rememberLast(async (of) => placeJson(text, spanOf(of))),
    startOf: (of) => skipWhitespace(text, spanOf(of).start),
  };
}

/**
 * Finds the positions in valid JSON: `{"a": 7}` is an object at 0 to 8, with the key `a` at 1 to 4 and the value at 6 to
 * 7. If the text is too long for the parser, only the position of the complete value is known.
 */
function placeJson(text: string, { start, end }: Span): PlacedNode {
  const part = text.slice(start, end);
  const root = isTooLong(part) ? undefined : parseTree(part);
  return root === undefined ? { span: oneAt(skipWhitespace(text, start)) } : place(root, start);
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
function describeJsonError(text: string, from: number): Problem {
  let found = syntaxProblem("JSON", "check the quotes, brackets and commas", oneAt(from));
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
          ? syntaxProblem("JSON", SENTENCES[code] ?? TEXT, oneAt(from + at))
          : syntaxProblem("JSON", `this ${text[bracket]} is never closed`, oneAt(from + bracket));
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

const ESCAPE = "invalid escape: write a backslash as \\\\";
const NUMBER = "this is not a number";
const TEXT = 'unexpected text; names and strings need straight double quotes (")';

const SENTENCES: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  InvalidNumberFormat: NUMBER,
  PropertyNameExpected:
    "expected a name in double quotes; remove the comma before a closing bracket",
  ValueExpected: "expected a value; remove the comma before a closing bracket",
  ColonExpected: "a colon is missing before this",
  CommaExpected: "a comma is missing before this",
  CloseBraceExpected: "a } is missing before this",
  CloseBracketExpected: "a ] is missing before this",
  EndOfFileExpected: "unexpected text after the end of the value",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfString: "this quote is never closed",
  UnexpectedEndOfNumber: NUMBER,
  InvalidUnicode: ESCAPE,
  InvalidEscapeCharacter: ESCAPE,
  InvalidCharacter: "write a control character in a string as an escape, such as \\n or \\t",
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
