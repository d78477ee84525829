/** Parses JSON and NDJSON with `JSON.parse`, within limits; positions come from its brackets, errors from jsonc-parser. */
import { type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { attempt } from "../base/errors.ts";
import { isList, isObject } from "../base/values.ts";
import { MAX_FINDINGS, type Problem, type Span } from "../course/problem.ts";
import { oneAt, type PlacedNode, placeParts, skipWhitespace } from "./diagnostic.ts";
import { LIMITS, tooDeep, tooMany } from "./limits.ts";
import {
  type CoursePlace,
  findDuplicates,
  type Parsed,
  rememberLast,
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
  let problem: Problem | undefined;
  const next = (at: number): number => nextSign(text, at, text.length);
  for (let at = next(0); at < text.length && problem === undefined; at = next(at + 1)) {
    const sign = text[at];
    // Outside of strings, a colon only follows keys.
    if (sign === ":") keys++;
    else if (sign === "]" || sign === "}") depth--;
    else {
      if (sign !== ",") depth++;
      if (depth > LIMITS.depth) problem = tooDeep(from + at);
      else if (++values > most) problem = tooMany("values", from + at);
      else if (isList && depth === 1) items.push(at + 1);
    }
  }
  return { keys, values, items, problem };
}

/** The offset of the next bracket, comma or colon outside of strings; the end if there is none. */
function nextSign(text: string, from: number, end: number): number {
  let isString = false;
  for (let at = from; at < end; at++) {
    const character = text[at];
    if (character === '"') isString = !isString;
    else if (isString) at += character === "\\" ? 1 : 0;
    else if (
      character === "," ||
      character === ":" ||
      character === "{" ||
      character === "}" ||
      character === "[" ||
      character === "]"
    )
      return at;
  }
  return end;
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
  const { value, hasDuplicate } = parsePart(text, 0, LIMITS.values);
  return hasDuplicate ? undefined : value;
}

/**
 * Parses a JSON file: `[{"name": "Knitting"}]` is one document; of NDJSON, each line that is not blank is one. Never throws:
 * errors are among the problems.
 */
export async function parseJson(text: string, isLines = false): Promise<Parsed> {
  const documents: unknown[] = [];
  const problems: Problem[] = [];
  /** Where each document is, and where its items begin, if it is a list of which that is known. */
  const parts: (Span & { readonly items: readonly number[] })[] = [];
  let left: number = LIMITS.values;
  let hasDuplicates = false;
  for (const { 0: part, index: start } of text.matchAll(isLines ? /[^\n]+/g : /[\s\S]+/g)) {
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
    if (problems.length > MAX_FINDINGS || documents.length > LIMITS.courses || left < 0) break;
  }
  /** The span of a course or, if nothing is known of the item, of its document. */
  const spanIn = ({ document, item = -1 }: CoursePlace): Span => {
    const { start = 0, end = 0, items = [] } = parts[document] ?? {};
    const first = items[item];
    return first === undefined ? { start, end } : { start: first, end: items[item + 1] ?? end };
  };
  const place = rememberLast(async (of) => placeJson(text, spanIn(of)));
  if (hasDuplicates) problems.push(...(await findDuplicates({ documents, place })));
  const startOf = (of: CoursePlace) => skipWhitespace(text, spanIn(of).start);
  return { documents, problems, place, startOf };
}

/**
 * Finds the positions in valid JSON: `{"a": 7}` is an object at 0 to 8, with the key `a` at 1 to 4 and the value at 6 to
 * 7. The parts of a value are found when they are needed, because there may be millions.
 */
function placeJson(text: string, { start: from, end: stop }: Span): PlacedNode {
  const start = skipWhitespace(text, from);
  const parts: number[] = [];
  let [depth, end] = [0, start];
  do {
    const sign = nextSign(text, end, stop);
    if (text[sign] === "[" || text[sign] === "{") depth++;
    if (depth === 1 && /[[{,]/.test(text[sign] ?? "")) parts.push(sign + 1);
    if (text[sign] === "]" || text[sign] === "}") depth--;
    end = Math.min(sign + 1, stop);
  } while (depth > 0 && end < stop);
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") {
    const { length } = text.slice(start, nextSign(text, start, stop)).trimEnd();
    return { span: { start, end: start + length } };
  }
  const span = { start, end };
  const isEmpty = parts.length === 1 && skipWhitespace(text, start + 1) === end - 1;
  const found = isEmpty ? [] : parts;
  if (!isObject) {
    return placeParts(span, "items", () =>
      found.map((part) => placeJson(text, { start: part, end: end - 1 })),
    );
  }
  return placeParts(span, "entries", () =>
    found.map((part) => {
      const colon = nextSign(text, part, end);
      const { span: key } = placeJson(text, { start: part, end: colon });
      const name: string = JSON.parse(text.slice(key.start, key.end));
      return { name, key, value: placeJson(text, { start: colon + 1, end: end - 1 }) };
    }),
  );
}

/** Characters that jsonc-parser reads at once: for each, it may need 34 bytes. */
const LONG = 10_000_000;

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
