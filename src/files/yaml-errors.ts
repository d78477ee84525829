/** Describes errors in YAML in plain words, by the error codes of `yaml`. */
import { type Document, isMap, isPair, visit, type YAMLError } from "yaml";
import { truncate } from "../base/text.ts";
import type { TextProblem } from "./parsed.ts";
import { oneAt, type Span } from "./position.ts";
import { characterBefore, lineStart } from "./text-edit.ts";

/** The first error. @param unclosed the offsets of quotes and brackets that are never closed */
export function describeYamlError(
  { code, pos }: YAMLError,
  documents: readonly Document.Parsed[],
  text: string,
  unclosed: readonly number[],
): TextProblem {
  const found = { start: Math.min(pos[0], text.length), end: Math.min(pos[1], text.length) };
  const innermost = Math.max(...unclosed.filter((offset) => offset <= found.start));
  if (Number.isFinite(innermost)) return unclosedProblem(text, innermost);
  const [message, span] = describe(code, found, documents, text);
  return { rule: "syntax", message: `not valid YAML: ${message}`, span };
}

/** The problem of a quote or bracket that is never closed. */
export function unclosedProblem(text: string, at: number): TextProblem {
  const mark = text[at] ?? "";
  const what = /["']/.test(mark) ? "quote" : mark;
  return {
    rule: "syntax",
    message: `not valid YAML: this ${what} is never closed`,
    span: oneAt(at),
  };
}

const INDENTATION = "wrong indentation: align this line with the ones above it";

function describe(
  code: YAMLError["code"],
  span: Span,
  documents: readonly Document.Parsed[],
  text: string,
): [message: string, span: Span] {
  const word = truncate(/^\S+/.exec(text.slice(span.start, span.start + LONGEST_WORD))?.[0] ?? "");
  switch (code) {
    case "TAB_AS_INDENT":
      return ["tabs are not allowed for indentation; use spaces", oneAt(span.start)];
    case "BAD_INDENT":
      return [INDENTATION, contentAt(span.start, text)];
    case "BAD_SCALAR_START":
      return [`a value starting with ${text[span.start]} must be quoted`, oneAt(span.start)];
    case "BLOCK_AS_IMPLICIT_KEY":
      return [
        'put quotes around a value that contains ": ", or align this key with the ones above it',
        oneAt(colonOf(span.start, documents, text)),
      ];
    case "MULTILINE_IMPLICIT_KEY":
      return [missingColon(span.start, text), contentAt(span.start, text)];
    case "MISSING_CHAR":
      return missingCharacter(span.start, text);
    case "BAD_DQ_ESCAPE":
      return [
        `invalid escape ${word.slice(0, 2)}: write a backslash as \\\\, or use single quotes`,
        span,
      ];
    case "TAG_RESOLVE_FAILED":
      return [`unknown tag ${word}: put a value that starts with ! in quotes`, span];
    case "BAD_DIRECTIVE":
      return ["unknown directive: only %YAML 1.2 and %TAG are allowed", span];
    case "MULTIPLE_ANCHORS":
    case "MULTIPLE_TAGS":
      return ["a value has at most one anchor and one tag", oneAt(span.start)];
    case "KEY_OVER_1024_CHARS":
      return ["a key has at most 1,024 characters", oneAt(span.start)];
    default:
      return unexpected(span, text);
  }
}

const LONGEST_WORD = 300;

function unexpected({ start }: Span, text: string): [message: string, span: Span] {
  const end = text.trimEnd().length;
  if (start >= end) return ["unexpected end of file", { start: end, end }];
  const isAfterQuote = /["']/.test(characterBefore(text, start));
  const remedy = isAfterQuote ? ": put quotes around the complete value" : "";
  return [`unexpected ${JSON.stringify(characterAt(text, start))}${remedy}`, oneAt(start)];
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** `MISSING_CHAR` is used for everything that is missing; the position shows what it is. */
function missingCharacter(at: number, text: string): [message: string, span: Span] {
  if (/[ \t]/.test(text[at] ?? "") && text.slice(lineStart(text, at), at).trim() === "") {
    return [INDENTATION, contentAt(at, text)];
  }
  if (text.startsWith("%", previousLine(at, text))) {
    return ["add a line with --- after the directives", oneAt(at)];
  }
  return [missingColon(at, text), contentAt(at, text)];
}

/** A line in which a colon, or the space after it, is missing. */
function missingColon(at: number, text: string): string {
  const line =
    text
      .slice(lineStart(text, at))
      .slice(0, LONGEST_WORD)
      .split(/[\r\n]/, 1)[0] ?? "";
  if (/^\s*(?:- +)*-[^\s-]/.test(line)) return "add a space after the dash";
  if (/^\s*(?:- +)*["']?[\w-]+["']?:\S/.test(line)) return "add a space after the colon";
  return "this line has no colon: add one, or indent the line to continue the value above";
}

/** The colon after the first key of the block that begins at an offset. */
function colonOf(start: number, documents: readonly Document.Parsed[], text: string): number {
  let colon: number | undefined;
  for (const document of documents) {
    visit(document, {
      Map: (_, map) => {
        const [pair] = map.items;
        const key = isPair(pair) ? (pair.key as { range?: readonly number[] } | null) : null;
        if (!isMap(map) || map.range?.[0] !== start || key?.range === undefined) return undefined;
        colon = text.indexOf(":", key.range[1]);
        return visit.BREAK;
      },
    });
  }
  return colon ?? start;
}

/** The first character of a line that is not whitespace, at an offset or after it. */
function contentAt(at: number, text: string): Span {
  return oneAt(at + (/^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0));
}

function previousLine(at: number, text: string): number {
  const before = text.slice(0, lineStart(text, at)).trimEnd();
  return lineStart(text, before.length);
}
