/** Parses JSON and NDJSON with `JSON.parse`, within limits; positions and errors come from jsonc-parser. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { attempt } from "../base/errors.ts";
import { isList, isObject } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import { MAX_COURSES, MAX_DEPTH, MAX_FINDINGS, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import { type Parsed, type Part, rememberLast, spanIn } from "./parsed.ts";
import { oneAt, type PlacedNode, type Span, skipWhitespace } from "./position.ts";
import { DUPLICATE, findDuplicates, syntaxProblem, UNCLEAR } from "./text-problems.ts";

/**
 * What is known of a text, which need not be valid JSON, up to the first problem of more levels or values than allowed:
 * `[{"a":1}]` has 1 key and 2 values. Of a list, the items begin after the offsets.
 */
function scan(text: string, from: number, most: number) {
  const isList = /^\s*\[/.test(text);
  const found = { keys: 0, values: 0, items: [] as number[] };
  const open: number[] = [];
  let problem: Problem | undefined;
  let isString = false;
  for (let at = 0; at < text.length && problem === undefined; at++) {
    const character = text[at];
    if (isString && character === "\\") at++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    // Outside of strings, a colon only follows keys.
    else if (character === ":") found.keys++;
    else if (character === "]" || character === "}") open.pop();
    else if (character === "," || character === "[" || character === "{") {
      if (character !== ",") open.push(at);
      if (open.length > MAX_DEPTH) problem = tooDeep(from + at);
      else if (++found.values > most) problem = tooMany("values", from + at);
      else if (isList && open.length === 1) found.items.push(from + at + 1);
    }
  }
  return { ...found, problem, unclosed: open.at(-1) };
}

interface ParsedPart {
  readonly value?: unknown;
  readonly problem?: Problem;
  readonly hasDuplicate?: boolean;
  readonly values: number;
  readonly items: readonly number[];
}

/** @param from the offset of the part in its text @param most how many values the part may have */
function parsePart(part: string, from: number, most: number): ParsedPart {
  const { keys, problem, unclosed, ...found } = scan(part, from, most);
  if (problem !== undefined) return { ...found, problem };
  const value = attempt((): unknown => JSON.parse(part));
  if (value === undefined) {
    const starts = part.length > LONG ? found.items.map((item) => item - from) : [];
    return { ...found, problem: describeError(part, from, starts, unclosed) };
  }
  // JSON.parse drops duplicate keys, so it leaves fewer keys than are written.
  return { ...found, value, hasDuplicate: keys !== countKeys(value) };
}

function countKeys(value: unknown): number {
  const isNamed = isObject(value);
  if (!isNamed && !isList(value)) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((sum, part) => sum + countKeys(part), isNamed ? inner.length : 0);
}

/** The value of a JSON text; a text without a value has a problem. */
export interface ParsedValue {
  readonly value?: unknown;
  readonly problems: readonly Problem[];
}

/** Parses JSON, within limits. Never throws: `{"a": 1}` gives `{ value: { a: 1 }, problems: [] }`. */
export function parseValue(text: string): ParsedValue {
  const { value, problem, hasDuplicate } = parsePart(text, 0, MAX_VALUES);
  if (problem !== undefined) return { problems: [problem] };
  return { value, problems: hasDuplicate === true ? [DUPLICATE] : [] };
}

/** Parses a JSON file: `[{"name": "Knitting"}]` is one document. Never throws: errors are among the problems. */
export async function parseJson(text: string): Promise<Parsed> {
  return await parseParts(text, /[\s\S]+/g);
}

/** Parses NDJSON: each line, such as `{"name": "Knitting"}`, is one document. Never throws, like `parseJson`. */
export async function parseNdjson(text: string): Promise<Parsed> {
  return await parseParts(text, /[^\n]+/g);
}

/** Parses the parts of a text: each is a document, if it is not blank. */
async function parseParts(text: string, pattern: RegExp): Promise<Parsed> {
  const documents: unknown[] = [];
  const problems: Problem[] = [];
  const parts: Part[] = [];
  let left = MAX_VALUES;
  let hasDuplicates = false;
  for (const { 0: part, index: start } of text.matchAll(pattern)) {
    if (part.trim() === "") continue;
    const { value, problem, hasDuplicate = false, values, items } = parsePart(part, start, left);
    left -= values;
    hasDuplicates ||= hasDuplicate;
    if (problem !== undefined) problems.push(problem);
    else {
      documents.push(value);
      parts.push({ start, end: start + part.length, items });
    }
    if (problems.length > MAX_FINDINGS || documents.length > MAX_COURSES || left < 0) break;
  }
  const place = rememberLast(async (of) => placeJson(text, spanIn(parts, of)));
  if (hasDuplicates) problems.push(...(await findDuplicates({ documents, place }, true)));
  const startOf: Parsed["startOf"] = (of) => skipWhitespace(text, spanIn(parts, of).start);
  return { documents, problems, place, startOf };
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

/**
 * Describes the first error of a text that `JSON.parse` refuses.
 *
 * @param starts of a list that is too long for the parser: only the first item with an error is parsed
 */
function describeError(
  text: string,
  from: number,
  starts: readonly number[],
  unclosed: number | undefined,
): Problem {
  const endOf = (index: number): number => (starts[index + 1] ?? text.length + 1) - 1;
  const isWrong = (start: number, index: number): boolean =>
    attempt(() => JSON.parse(text.slice(start, endOf(index)))) === undefined;
  const item = starts.findIndex(isWrong);
  const start = starts[item] ?? 0;
  const part = text.slice(start, item === -1 ? text.length : endOf(item));
  const errors: ParseError[] = [];
  if (part.length <= LONG) parseTree(part, errors, { disallowComments: true });
  const [{ error, offset } = { error: 0, offset: 0 }] = errors;
  const code = printParseErrorCode(error);
  const isAtEnd = part.slice(offset).trim() === "" && code !== "UnexpectedEndOfString";
  return isAtEnd && unclosed !== undefined
    ? syntaxProblem("JSON", `this ${text[unclosed]} is never closed`, oneAt(from + unclosed))
    : syntaxProblem("JSON", SENTENCES[code] ?? UNCLEAR, oneAt(from + start + offset));
}

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
  InvalidEscapeCharacter: "invalid escape: write a backslash as \\\\",
  InvalidCharacter: "write a control character in a string as an escape, such as \\n or \\t",
};
