/** Finds where a text stops being JSON, which its parser does not tell for every text. */
import { isBlank } from "./json-scan.ts";

const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}" };
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const WORD = /(?:true|false|null)(?!\w)/y;
const CODE = /u[\da-fA-F]{4}/y;

const SHORT_ESCAPES = '"\\/bfnrt';

/** What may stand next. */
type Awaited = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

/**
 * The offset of the first character that cannot stand where it does; where the text ends too early,
 * that of its end, blanks left out. A bad escape is told by its backslash.
 */
export function jsonFault(text: string): number {
  const open: string[] = [];
  let awaited: Awaited = "value";
  let at = 0;
  for (;;) {
    while (isBlank(text.charCodeAt(at))) at++;
    const character = text[at];
    if (character === undefined) return endOfContent(text);
    if (awaited === "colon") {
      if (character !== ":") return at;
      awaited = "value";
      at++;
    } else if (character === open.at(-1) && awaited.endsWith("end")) {
      open.pop();
      awaited = "comma or end";
      at++;
    } else if (awaited === "comma or end") {
      if (character !== "," || open.length === 0) return at;
      awaited = open.at(-1) === "}" ? "key" : "value";
      at++;
    } else if (character === '"') {
      const { end, closed } = endOfText(text, at);
      if (!closed) return end;
      awaited = awaited.startsWith("key") ? "colon" : "comma or end";
      at = end;
    } else if (awaited.startsWith("key")) {
      return at;
    } else if (CLOSING[character] !== undefined) {
      open.push(CLOSING[character] ?? "");
      awaited = character === "{" ? "key or end" : "value or end";
      at++;
    } else {
      const end = endOf(NUMBER, text, at) ?? endOf(WORD, text, at);
      if (end === undefined) return at;
      awaited = "comma or end";
      at = end;
    }
  }
}

/** The offset behind the last character that is no blank to JSON. */
export function endOfContent(text: string): number {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The offset behind a text in quotation marks, or that of what cannot stand in it. */
function endOfText(text: string, start: number): { end: number; closed: boolean } {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') return { end: at + 1, closed: true };
    if (text.charCodeAt(at) < 0x20) return { end: at, closed: false };
    if (character !== "\\") continue;
    // Most are of one letter, and there may be millions of them.
    const isShort = SHORT_ESCAPES.includes(text[at + 1] ?? "x");
    const end = isShort ? at + 2 : endOf(CODE, text, at + 1);
    if (end === undefined) return { end: at, closed: false };
    at = end - 1;
  }
  return { end: endOfContent(text), closed: false };
}
