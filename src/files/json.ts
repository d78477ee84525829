/** Parses JSON and NDJSON with `JSON.parse`, within limits; positions and errors come from jsonc-parser. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { attempt } from "../base/errors.ts";
import { isList, isObject } from "../base/values.ts";
import { MAX_FINDINGS, type Problem, type Span } from "../course/problem.ts";
import { oneAt, type PlacedNode, skipWhitespace } from "./diagnostic.ts";
import { MAX_COURSES, MAX_DEPTH, MAX_VALUES, tooDeep, tooMany } from "./limits.ts";
import {
  findDuplicates,
  type Parsed,
  type Part,
  rememberLast,
  spanIn,
  startIn,
  syntaxProblem,
  UNCLEAR,
} from "./parsed.ts";

/**
 * What is known of a text, which need not be valid JSON, up to the first problem of more levels or values than allowed:
 * `[{"a":1}]` has 1 key and 2 values. Of a list, the items begin after the offsets.
 *
 * @param from the offset of the text in its file
 */
function scan(text: string, from: number, most: number) {
  const isList = /^\s*\[/.test(text);
  const items: number[] = [];
  let [depth, keys, values] = [0, 0, 0];
  let isString = false;
  let problem: Problem | undefined;
  for (let at = 0; at < text.length && problem === undefined; at++) {
    const character = text[at];
    if (isString && character === "\\") at++;
    else if (character === '"') isString = !isString;
    else if (isString) continue;
    // Outside of strings, a colon only follows keys.
    else if (character === ":") keys++;
    else if (character === "]" || character === "}") depth--;
    else if (character === "," || character === "[" || character === "{") {
      if (character !== ",") depth++;
      if (depth > MAX_DEPTH) problem = tooDeep(from + at);
      else if (++values > most) problem = tooMany("values", from + at);
      else if (isList && depth === 1) items.push(at + 1);
    }
  }
  return { keys, values, items, problem };
}

/** Parses a text, of which only a problem may be known. @param most how many values the text may have */
function parsePart(text: string, from: number, most: number) {
  const { keys, values, items, problem: excess } = scan(text, from, most);
  const value = excess === undefined ? attempt((): unknown => JSON.parse(text)) : undefined;
  const problem = value === undefined ? (excess ?? describeError(text, from, items)) : undefined;
  // JSON.parse drops duplicate keys, so it leaves fewer keys than are written.
  return { values, items, value, problem, hasDuplicate: !problem && keys > countKeys(value) };
}

function countKeys(value: unknown): number {
  const isNamed = isObject(value);
  if (!isNamed && !isList(value)) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((sum, part) => sum + countKeys(part), isNamed ? inner.length : 0);
}

/** Parses JSON, within limits; undefined if it is not valid. */
export function parseValue(text: string): unknown {
  const { value, hasDuplicate } = parsePart(text, 0, MAX_VALUES);
  return hasDuplicate ? undefined : value;
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
    const { value, problem, values, ...found } = parsePart(part, start, left);
    left -= values;
    hasDuplicates ||= found.hasDuplicate;
    if (problem !== undefined) problems.push(problem);
    else {
      documents.push(value);
      const items = found.items.map((item) => start + item);
      parts.push({ start, end: start + part.length, items });
    }
    if (problems.length > MAX_FINDINGS || documents.length > MAX_COURSES || left < 0) break;
  }
  const place = rememberLast(async (of) => placeJson(text, spanIn(parts, of)));
  if (hasDuplicates) problems.push(...(await findDuplicates({ documents, place }, true)));
  return { documents, problems, place, startOf: startIn(text, parts) };
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

/** Describes the first error of a text that `JSON.parse` refuses. @param items where the items of a list begin */
function describeError(text: string, from: number, items: readonly number[]): Problem {
  const isWrong = (item: number, index: number): boolean =>
    attempt(() => JSON.parse(text.slice(item, (items[index + 1] ?? 0) - 1))) === undefined;
  // If a text is too long for the parser, only its first item with an error is parsed.
  const start = text.length > LONG ? items.find(isWrong) : 0;
  if (start === undefined) return syntaxProblem("JSON", UNCLEAR, oneAt(from));
  const errors: ParseError[] = [];
  parseTree(text.slice(start, start + LONG).trimEnd(), errors, { disallowComments: true });
  const [{ error, offset } = { error: 0, offset: 0 }] = errors;
  const message = SENTENCES[printParseErrorCode(error)] ?? UNCLEAR;
  return syntaxProblem("JSON", message, oneAt(from + start + offset));
}

const SENTENCES: Readonly<Partial<Record<ReturnType<typeof printParseErrorCode>, string>>> = {
  InvalidSymbol: 'unexpected text; names and strings need straight double quotes (")',
  PropertyNameExpected: "expected a name in double quotes; remove a comma before the bracket",
  ValueExpected: "expected a value; remove the comma before a closing bracket",
  ColonExpected: "a colon is missing before this",
  CommaExpected: "a comma is missing before this",
  CloseBraceExpected: "a } is missing here",
  CloseBracketExpected: "a ] is missing here",
  EndOfFileExpected: "unexpected text after the end of the value",
  InvalidCommentToken: "comments are not allowed",
  UnexpectedEndOfString: "this quote is never closed",
  InvalidEscapeCharacter: "invalid escape: write a backslash as \\\\",
  InvalidCharacter: "write a control character in a string as an escape, such as \\n or \\t",
};
