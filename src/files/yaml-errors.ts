/**
 * Describes errors in YAML: for `name: @ada`, the message is `not valid YAML: put a value that starts with @ in quotes`.
 * js-yaml has no error codes, so the character at the error decides, together with the few reasons that are listed here.
 */
import { EVENT_ID, type Event, parseEvents, YAMLException } from "js-yaml";
import { truncate } from "../base/text.ts";
import { tooDeep } from "./limits.ts";
import type { TextProblem } from "./parsed.ts";
import { oneAt, type Span } from "./position.ts";
import { characterBefore, lineStart, lineStop } from "./text-edit.ts";

/** Parts of js-yaml's reasons that do not depend on the text. */
const DEEP = /^nesting exceeded/;
const UNCLOSED =
  /^(?:deficient indentation|unexpected end of the .* (?:scalar|collection)$|missed comma)/;
const COMMA = /^missed comma/;
const ESCAPE = /escape sequence|hexadecimal character/;
const NO_COLON = /^expected ':'|multiline key/;
const PROPERTY = /^duplication of an? (?:tag|anchor)/;
const TAG = /\btag\b(?!.* directive)/;
const DIRECTIVE = /directive(?!s end)|declared suffix|YAML version/;
const NO_MARK = /^directives end mark/;
const NO_NAME = /^name of an/;
const QUOTED = /quoted scalar$/;

const INDENTATION = "wrong indentation: align this line with the lines above it";
const LONGEST_WORD = 300;

/** Describes the error that js-yaml found in a text. @param error as js-yaml threw it */
export function describeYamlError(error: unknown, text: string): TextProblem {
  const reason = error instanceof YAMLException ? error.reason : "the parser cannot read it";
  const at = error instanceof YAMLException ? (error.mark?.position ?? 0) : 0;
  if (DEEP.test(reason))
    return tooDeep(at - (/[[{-]\s*$/.exec(text.slice(0, at))?.[0].length ?? 0));
  const open = UNCLOSED.test(reason) && isPastEnd(text, at) ? findOpen(text, at) : undefined;
  if (open === undefined) return describe(reason, at, text);
  const opening = /["']/.test(text[open] ?? "") ? "quote" : text[open];
  return invalid(`this ${opening} is never closed`, open);
}

/** Describes a tag that is unknown or does not fit its value. @param error as js-yaml threw it */
export function unknownTag(error: unknown, text: string): TextProblem {
  const at = error instanceof YAMLException ? (error.mark?.position ?? 0) : 0;
  return tagProblem(at, text);
}

/** Describes a character that YAML does not allow. @param at the offset of the character */
export function invalidCharacter(text: string, at: number): TextProblem {
  const code = text.charCodeAt(at).toString(16).padStart(4, "0").toUpperCase();
  return invalid(`the control character U+${code} is not allowed; remove it`, at);
}

/** Describes an escape that YAML does not allow. @param at the offset of the escape */
export function invalidEscape(text: string, at: number): TextProblem {
  const written = text.slice(at, at + 2);
  return invalid(`invalid escape ${written}: write a backslash as \\\\, or use single quotes`, at);
}

function invalid(message: string, place: number | Span): TextProblem {
  const span = typeof place === "number" ? oneAt(place) : place;
  return { rule: "syntax", message: `not valid YAML: ${message}`, span };
}

function describe(reason: string, at: number, text: string): TextProblem {
  const indentation = text.slice(lineStart(text, at), at);
  const tab = /^ *\t/.exec(text.slice(lineStart(text, at), at + 1));
  if (tab !== null) {
    const start = lineStart(text, at) + tab[0].length - 1;
    return invalid("tabs are not allowed for indentation; use spaces", start);
  }
  if (CONTROL.test(text[at] ?? "")) return invalidCharacter(text, at);
  if (ESCAPE.test(reason)) return invalidEscape(text, text.lastIndexOf("\\", at));
  if (PROPERTY.test(reason)) return invalid("a value can have only one anchor and one tag", at);
  if (DIRECTIVE.test(reason)) {
    return invalid("unknown directive: only %YAML 1.2 and %TAG are allowed", directiveAt(at, text));
  }
  if (NO_MARK.test(reason)) return invalid("add a line with --- after the directives", at);
  if (NO_NAME.test(reason)) return unexpected(at - 1, text);
  if (TAG.test(reason)) return tagProblem(text.lastIndexOf("!", at), text);
  if (NO_COLON.test(reason)) return missingColon(at, text);
  if (text[at] === ":") return colon(at, text);
  if (COMMA.test(reason) && at < text.length) return invalid("a comma is missing before this", at);
  const isFirst = indentation.trim() === "";
  if (/[@`%,]/.test(text[at] ?? "") && (isFirst || /[-:?][ \t]+$/.test(indentation))) {
    return invalid(`put a value that starts with ${text[at]} in quotes`, at);
  }
  if (isFirst && /[^\s[\]{}"']/.test(text[at] ?? "")) {
    const isDash = /^-[^\s-]/.test(text.slice(at, at + 2));
    return invalid(isDash ? "add a space after the dash" : INDENTATION, at);
  }
  if (QUOTED.test(reason)) return invalid("a quote is never closed", at);
  return unexpected(at, text);
}

/** Characters that YAML does not allow outside of comments. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/;

function unexpected(at: number, text: string): TextProblem {
  const end = text.trimEnd().length;
  if (at >= end) return invalid("unexpected end of file", { start: end, end });
  const isAfterQuote = /["']/.test(characterBefore(text, at));
  const remedy = isAfterQuote ? ": put quotes around the complete value" : "";
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return invalid(`unexpected ${JSON.stringify(character)}${remedy}`, at);
}

/** @param at an offset within a tag */
function tagProblem(at: number, text: string): TextProblem {
  const line = lineStart(text, at);
  const start = at - (/[^\s,[{]*$/.exec(text.slice(line, at))?.[0].length ?? 0);
  const tag = /^\S+/.exec(text.slice(start, start + LONGEST_WORD))?.[0] ?? "";
  const message = `unknown tag ${truncate(tag)}: put a value that starts with ! in quotes`;
  return invalid(message, { start, end: start + tag.length });
}

/** The last directive before an offset: the version of %YAML, or the name of another. */
function directiveAt(at: number, text: string): Span {
  const start = lineStart(text, text.slice(0, at).trimEnd().length);
  const [before = "", word = ""] =
    /^(?:%YAML[ \t]+)?([^\r\n \t]*)/.exec(text.slice(start, start + LONGEST_WORD)) ?? [];
  return { start: start + before.length - word.length, end: start + before.length };
}

/** Describes a colon where YAML allows none: after a value, or after a key that began on an earlier line. */
function colon(at: number, text: string): TextProblem {
  const missing = missingColon(at, text);
  if (missing.span.start < lineStart(text, at)) return missing;
  return invalid(
    'put quotes around a value that contains ": ", or align this line with the lines above it',
    at,
  );
}

/** Describes the first of the lines up to an offset in which a colon, or the space after a colon, is missing. */
function missingColon(at: number, text: string): TextProblem {
  let start = at;
  let least = Number.POSITIVE_INFINITY;
  for (let end = at; end >= 0; ) {
    const begin = lineStart(text, end);
    const line = text.slice(begin, Math.min(lineStop(text, end), at));
    if (/:(?:\s|$)|^\s*-\s|^---|^%/.test(line)) break;
    const indentation = line.search(/[^\s#]|$/);
    if (indentation < line.length && indentation <= least) {
      least = indentation;
      start = begin + indentation;
    }
    end = begin - 1;
  }
  const line = text.slice(start, Math.min(lineStop(text, start), start + LONGEST_WORD));
  return invalid(adviceFor(line), start);
}

function adviceFor(line: string): string {
  if (/^-[^\s-]/.test(line)) return "add a space after the dash";
  if (/^["']?[\w-]+["']?:\S/.test(line)) return "add a space after the colon";
  return "this line has no colon: add a colon, or indent the line to continue the value above";
}

/** Whether an offset is where an open value must have ended: a new line, the end, or a wrong bracket. */
function isPastEnd(text: string, at: number): boolean {
  const isFirst = text.slice(lineStart(text, at), at).trim() === "";
  return isFirst || at >= text.length || /[\]}]/.test(text[at] ?? "");
}

/** The offset of the innermost quote or bracket that is open at an offset; undefined if there is none. */
function findOpen(text: string, at: number): number | undefined {
  if (at > LONGEST_SEARCHED) return undefined;
  let complete = text.slice(0, at).trimEnd();
  const closed: string[] = [];
  while (closed.length <= MAX_OPEN) {
    const [events, reason] = tryParse(complete + CLOSING_LINE);
    if (events !== undefined) return openingOf(events, text, closed);
    const closers = /double/.test(reason) ? ['"'] : /single/.test(reason) ? ["'"] : ["]", "}"];
    const closer = closers.find((each) => {
      const [parsed, , position] = tryParse(complete + CLOSING_LINE + each);
      return parsed !== undefined || position > complete.length + CLOSING_LINE.length;
    });
    if (closer === undefined) return undefined;
    closed.push(closer);
    complete += CLOSING_LINE + closer;
  }
  return undefined;
}

/** How many characters are parsed repeatedly, and how often. */
const LONGEST_SEARCHED = 500_000;
const MAX_OPEN = 8;
/** Begins a deeply indented line, because a comment may end the line before. */
const CLOSING_LINE = `\n${" ".repeat(200)}`;

function tryParse(text: string): [Event[] | undefined, reason: string, position: number] {
  try {
    return [parseEvents(text, {}), "", text.length];
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return [undefined, error.reason, error.mark?.position ?? 0];
  }
}

/** The offset of the quote or bracket that the first of the closing characters closes. */
function openingOf(
  events: readonly Event[],
  text: string,
  closed: readonly string[],
): number | undefined {
  const [innermost = ""] = closed;
  if (/["']/.test(innermost)) {
    const quoted = events.findLast(
      (event) => event.type === EVENT_ID.SCALAR && event.valueStart > 0,
    );
    return quoted?.type === EVENT_ID.SCALAR ? quoted.valueStart - 1 : undefined;
  }
  const open: (number | undefined)[] = [];
  const ended: number[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      const start = open.pop();
      if (start !== undefined && /[[{]/.test(text[start] ?? "")) ended.push(start);
    } else if (event.type !== EVENT_ID.SCALAR && event.type !== EVENT_ID.ALIAS) {
      open.push("start" in event ? event.start : undefined);
    }
  }
  return ended.at(-closed.length);
}
