/** Finds positions and errors in JSON with jsonc-parser. */
import { type JSONVisitor, printParseErrorCode, visit } from "jsonc-parser";
import { findTooDeep } from "../base/scan-json.ts";
import { MAX_DEPTH, MAX_FINDINGS, MAX_JSON_TOKEN, tooDeep } from "./limits.ts";
import { ObjectKeys, type TextProblem } from "./parsed.ts";
import { oneAt, type PlacedEntry, type PlacedNode, type Span } from "./position.ts";
import { characterBefore } from "./text-edit.ts";

/** A node whose end and parts are not yet known. */
interface OpenNode {
  readonly span: { readonly start: number; end: number };
  readonly entries?: PlacedEntry[];
  readonly items?: PlacedNode[];
}

/**
 * Finds the positions in valid JSON: `{"a": 7}` is an object at 0 to 8, with the key `a` at 1 to 4 and the value at 6 to
 * 7. If the text is too long for the parser, only the position of the complete value is known.
 *
 * @param from the offset of the text in its file
 */
export function placeJson(text: string, from = 0): PlacedNode {
  const root: PlacedNode[] = [];
  const open: OpenNode[] = [{ span: { start: from, end: from + text.length }, items: root }];
  let property: Pick<PlacedEntry, "name" | "key"> | undefined;
  const spanOf = (offset: number, length: number): OpenNode["span"] => {
    return { start: from + offset, end: from + offset + length };
  };
  const add = (value: PlacedNode): void => {
    const parent = open.at(-1);
    parent?.items?.push(value);
    if (property !== undefined) parent?.entries?.push({ ...property, value });
    property = undefined;
  };
  const begin = (node: OpenNode): void => {
    add(node);
    open.push(node);
  };
  const end = (offset: number, length: number): void => {
    const node = open.pop();
    if (node !== undefined) node.span.end = spanOf(offset, length).end;
  };
  visitUntilStopped(text, {
    onObjectBegin: (offset) => begin({ span: spanOf(offset, 0), entries: [] }),
    onObjectEnd: end,
    onArrayBegin: (offset) => begin({ span: spanOf(offset, 0), items: [] }),
    onArrayEnd: end,
    onObjectProperty: (name, offset, length) => {
      property = { name, key: spanOf(offset, length) };
    },
    onLiteralValue: (_, offset, length) => add({ span: spanOf(offset, length) }),
  });
  return root[0] ?? { span: { start: from, end: from } };
}

/** The problems of keys that one object has twice, in a text that has such a key. */
export function findDuplicateKeys(text: string): readonly TextProblem[] {
  const problems: TextProblem[] = [];
  const open: ObjectKeys[] = [];
  visitUntilStopped(text, {
    onObjectBegin: () => void open.push(new ObjectKeys()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (name, start, length) => {
      const problem = open.at(-1)?.add(name, { start, end: start + length });
      if (problem !== undefined) problems.push(problem);
      if (problems.length >= MAX_FINDINGS) throw new Stop();
    },
  });
  return problems.length > 0 ? problems : [UNPLACED_DUPLICATE];
}

/** The problem of a duplicate key in a text that is too long for the parser. */
const UNPLACED_DUPLICATE: TextProblem = {
  rule: "duplicate-key",
  message: "an object has the same key twice",
  span: { start: 0, end: 1 },
};

/** The offsets of commas before closing brackets: 2 in `[1,]`. */
export function findTrailingCommas(text: string): number[] {
  const found = new Set<number>();
  visitUntilStopped(text, {
    onError: (_, offset) => {
      if (/[}\]]/.test(text[offset] ?? "") && characterBefore(text, offset) === ",") {
        found.add(text.lastIndexOf(",", offset));
      }
    },
  });
  return [...found];
}

/** Ends a visit early: a hostile text may have millions of problems. */
class Stop extends Error {}

/** Whether a text has so many spaces or escapes in a row that jsonc-parser would run out of memory. */
function isTooLong(text: string): boolean {
  if (text.length < MAX_JSON_TOKEN) return false;
  let spaces = 0;
  let escapes = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    spaces = code <= SPACE ? spaces + 1 : 0;
    if (code === QUOTE) escapes = 0;
    else if (code === BACKSLASH) {
      escapes++;
      index++;
    }
    if (spaces > MAX_JSON_TOKEN || escapes > MAX_JSON_TOKEN) return true;
  }
  return false;
}

const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c];

function visitUntilStopped(text: string, visitor: JSONVisitor): void {
  if (isTooLong(text)) return;
  try {
    visit(text, visitor, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
}

/** The offset at which JSON ends, without the whitespace that follows. */
function endOfContent(text: string): number {
  let end = text.length;
  while (end > 0 && " \n\r\t".includes(text[end - 1] ?? "")) end--;
  return end;
}

interface JsonError {
  /** The name of the parser's error code. */
  readonly code: string;
  readonly start: number;
  readonly end: number;
  /** The offset of the innermost open object or array. */
  readonly open: number | undefined;
}

function findError(text: string): JsonError | undefined {
  const open: number[] = [];
  let closed: number | undefined;
  const close = (): void => {
    closed = open.pop();
  };
  let found: JsonError | undefined;
  visitUntilStopped(text, {
    onObjectBegin: (offset) => void open.push(offset),
    onArrayBegin: (offset) => void open.push(offset),
    // jsonc-parser calls these before it reports a missing end.
    onObjectEnd: close,
    onArrayEnd: close,
    onError: (error, offset, length) => {
      const code = printParseErrorCode(error);
      const innermost = /^Close/.test(code) ? closed : open.at(-1);
      found = { code, start: offset, end: offset + length, open: innermost };
      throw new Stop();
    },
  });
  return found;
}

/**
 * Describes the first error of a text that `JSON.parse` refuses, or that is nested too deeply. For `[1,]`, the message is
 * `not valid JSON: unexpected "]": remove the trailing comma before it`, at offset 3.
 */
export function describeJsonError(text: string): TextProblem {
  // jsonc-parser is recursive; JSON.parse is not.
  const deep = findTooDeep(text, MAX_DEPTH);
  if (deep !== undefined) return tooDeep(deep);
  const error = findError(text);
  const [message, span] = describe(error, text);
  return { rule: "syntax", message: `not valid JSON: ${message}`, span };
}

function describe(error: JsonError | undefined, text: string): [message: string, span: Span] {
  if (error === undefined)
    return ["catalog cannot find the position of the error", { start: 0, end: 0 }];
  const { code, start, end, open } = error;
  if (code === "UnexpectedEndOfString") return ["this quote is never closed", oneAt(start)];
  if (code === "InvalidCharacter") {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const at = start + text.slice(start, end).search(/[\x00-\x1f]/);
    return ["write a control character in a string as an escape, such as \\n or \\t", oneAt(at)];
  }
  if (code === "InvalidEscapeCharacter" || code === "InvalidUnicode") {
    const at = start + invalidEscape(text.slice(start, end));
    return ["invalid escape: write a backslash as \\\\", oneAt(at)];
  }
  if (start >= endOfContent(text)) {
    if (open === undefined) return ["unexpected end of file", { start, end: start }];
    return [`this ${text[open]} is never closed`, oneAt(open)];
  }
  const found = text[start] === '"' ? "quotation mark" : JSON.stringify(text[start]);
  return [`unexpected ${found}${remedy(text, start)}`, oneAt(start)];
}

/** The offset of the first escape that JSON does not have. */
function invalidEscape(written: string): number {
  for (const { 0: sequence, index } of written.matchAll(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})?/g)) {
    if (sequence === "\\") return index;
  }
  return 0;
}

/** The usual reason for an unexpected character, after a colon; empty if there is none. */
function remedy(text: string, at: number): string {
  const found = text[at] ?? "";
  const before = characterBefore(text, at);
  if (before === "," && /[}\]]/.test(found)) return ": remove the trailing comma before it";
  if (found === "'") return ": strings need double quotes";
  if (/[“”„‟«»‘’]/.test(found)) return ': strings need straight quotes (")';
  if (found === "/" || found === "#") return ": JSON does not allow comments";
  if (/["}\]\w]/.test(before) && /["{[\w-]/.test(found)) return ": is a comma missing before it?";
  return "";
}
