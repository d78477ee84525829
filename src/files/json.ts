/** Parses JSON and NDJSON with `JSON.parse`, within limits; positions and errors come from jsonc-parser. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { attempt } from "../base/errors.ts";
import { isList, isObject } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import { MAX_COURSES, MAX_DEPTH, MAX_FINDINGS, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import { type CoursePlace, type Parsed, rememberLast } from "./parsed.ts";
import { oneAt, type PlacedNode, type Span, skipWhitespace } from "./position.ts";
import { addDuplicates, syntaxProblem, UNCLEAR, UNPLACED_DUPLICATE } from "./text-problems.ts";

/** What is known of a text, which need not be valid JSON: `[{"a":1}]` has 1 key and 2 values. */
interface Scanned {
  /** The problem of more levels or values than allowed. */
  readonly problem?: Problem;
  /** The number of keys, which are strings before a colon. */
  readonly keys: number;
  readonly values: number;
  /** Of a list, the offsets after which the items begin. */
  readonly items: readonly number[];
  /** The offsets of the brackets that are never closed. */
  readonly open: readonly number[];
}

/** @param most how many values the text may have */
function scan(text: string, from: number, most: number): Scanned {
  let [keys, values] = [0, 0];
  let isString = false;
  const items: number[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isString && character === "\\") at++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    // Outside of strings, a colon only follows keys.
    else if (character === ":") keys++;
    else if (character === "]" || character === "}") open.pop();
    else if (character === "," || character === "[" || character === "{") {
      if (character !== ",") open.push(from + at);
      const problem =
        open.length > MAX_DEPTH
          ? tooDeep(from + at)
          : ++values > most
            ? tooMany("values", from + at)
            : undefined;
      if (problem !== undefined) return { problem, keys, values, items, open };
      if (open.length === 1) items.push(from + at + 1);
    }
  }
  return { keys, values, items, open };
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
  const { problem, keys, values, items, open } = scan(part, start, budget.left);
  budget.left -= values;
  if (problem !== undefined) return { problems: [problem], courses: [] };
  const listed = items.map((item, index) => ({
    start: item,
    end: (items[index + 1] ?? end + 1) - 1,
  }));
  const parsed = attempt(() => ({ value: JSON.parse(part) as unknown }));
  if (parsed === undefined) {
    const isLong = part.length > LONG && part.trimStart().startsWith("[");
    const courses = isLong ? listed : [{ start, end }];
    return { problems: [describeError(text, courses, open.at(-1))], courses: [] };
  }
  const courses = isList(parsed.value) ? listed : [{ start, end }];
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
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    yield { start, end: stop };
    start = stop + 1;
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
    problems.push(...read.problems);
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

/** Characters that jsonc-parser reads at once: for each, it may need 34 bytes. */
const LONG = 10_000_000;

/**
 * Finds the positions in valid JSON: `{"a": 7}` is an object at 0 to 8, with the key `a` at 1 to 4 and the value at 6 to
 * 7. If the text is too long for the parser, only the position of the complete value is known.
 */
function placeJson(text: string, { start, end }: Span): PlacedNode {
  const root = end - start > LONG ? undefined : parseTree(text.slice(start, end));
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

/** Describes the first error of a text, of which `JSON.parse` refuses one of the courses. */
function describeError(text: string, courses: readonly Span[], open: number | undefined): Problem {
  const isValid = ({ start, end }: Span) =>
    attempt(() => JSON.parse(text.slice(start, end))) !== undefined;
  const { start, end } = courses.find((course) => !isValid(course)) ?? { start: 0, end: 0 };
  const errors: ParseError[] = [];
  if (end - start < LONG) parseTree(text.slice(start, end), errors, { disallowComments: true });
  const [{ error, offset } = { error: 0, offset: 0 }] = errors;
  const at = start + offset;
  const code = printParseErrorCode(error);
  if (open !== undefined && code !== "UnexpectedEndOfString" && text.slice(at, end).trim() === "")
    return syntaxProblem("JSON", `this ${text[open]} is never closed`, oneAt(open));
  return syntaxProblem("JSON", SENTENCES[code] ?? UNCLEAR, oneAt(at));
}

const ESCAPE = "invalid escape: write a backslash as \\\\";

const SENTENCES: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  InvalidSymbol: 'unexpected text; names and strings need straight double quotes (")',
  PropertyNameExpected:
    "expected a name in double quotes; remove the comma before a closing bracket",
  ValueExpected: "expected a value; remove the comma before a closing bracket",
  ColonExpected: "a colon is missing before this",
  CommaExpected: "a comma is missing before this",
  EndOfFileExpected: "unexpected text after the end of the value",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfString: "this quote is never closed",
  InvalidUnicode: ESCAPE,
  InvalidEscapeCharacter: ESCAPE,
  InvalidCharacter: "write a control character in a string as an escape, such as \\n or \\t",
};
