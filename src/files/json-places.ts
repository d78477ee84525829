/** Finds positions and errors in JSON by the tree and the error codes of jsonc-parser. */
import { type JSONVisitor, type Node, parseTree, printParseErrorCode, visit } from "jsonc-parser";
import type { TextProblem } from "./parsed.ts";
import { oneAt, type PlacedNode } from "./position.ts";
import { syntaxProblem } from "./text-problems.ts";

/**
 * Finds the positions in valid JSON: `{"a": 7}` is an object at 0 to 8, with the key `a` at 1 to 4 and the value at 6 to
 * 7. If the text is too long for the parser, only the position of the complete value is known.
 *
 * @param from the offset of the text in its file
 */
export function placeJson(text: string, from = 0): PlacedNode {
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
export function describeJsonError(text: string): TextProblem {
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
