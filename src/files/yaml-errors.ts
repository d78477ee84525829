/** Finds what is wrong with YAML that js-yaml refuses, by the error codes of the package `yaml`. */
import {
  type Document,
  type ErrorCode,
  isCollection,
  isNode,
  isPair,
  parseAllDocuments,
  visit,
  type YAMLError,
} from "yaml";
import type { Problem, Span } from "../course/problem.ts";
import { applyEdits, oneAt, type TextEdit } from "./diagnostic.ts";
import { LIMITS } from "./limits.ts";
import { syntaxProblem, UNCLEAR } from "./parsed.ts";

/** The package `yaml` takes up to 500 times the memory of a text. */
const LONG = 1_000_000;
/** A line that may have too many levels: `yaml` would end the process at thousands. Strings count as well. */
const WIDEST = new RegExp(`^[ \\t?-]{${4 * LIMITS.depth}}`, "m");

/** Whether a text is too long, or nested too deep, for the package `yaml`. */
function isTooLong(text: string): boolean {
  if (text.length > LONG || WIDEST.test(text)) return true;
  let [open, most] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = "[{".includes(bracket) ? open + 1 : Math.max(0, open - 1);
    most = Math.max(most, open);
  }
  return most > 2 * LIMITS.depth;
}

/** The core schema has no tags such as `!!set`: warnings are unknown tags and directives. */
const OPTIONS = {
  resolveKnownTags: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: "silent",
} as const;

function parse(text: string): Document[] {
  // A lone carriage return ends a line, as in js-yaml and in editors.
  return [...parseAllDocuments(text.replace(/\r(?!\n)/g, "\n"), OPTIONS)];
}

/**
 * What js-yaml should read instead of a text that it refuses, with every character at its offset, or what is wrong with
 * the text. Many people and programs write closing brackets without the indentation that js-yaml requires.
 *
 * @param at the offset at which js-yaml refuses the text
 */
export function readRefused(text: string, at: number): Problem | string {
  const isAliasAt = text[at - 1] === "*";
  const unclear = isAliasAt ? NO_ANCHOR : UNCLEAR;
  const fallback = syntaxProblem("YAML", unclear, oneAt(isAliasAt ? at - 1 : at));
  if (isTooLong(text)) return fallback;
  const documents = parse(text);
  for (const document of documents) {
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined) return describe(text, fault, document);
  }
  let problem: Problem | undefined;
  const edits: TextEdit[] = [];
  for (const document of documents) {
    visit(document, {
      Pair: (_, { key }) => {
        if (isCollection(key)) problem ??= syntaxProblem("YAML", COMPLEX_KEY, spanOf(key));
      },
      Collection: (_, node) => {
        const last = node.items.at(-1);
        const inner = isPair(last) ? (last.value ?? last.key) : last;
        const { start, end } = spanOf(node);
        const span = { start: inner ? spanOf(inner).end : start + 1, end: end - 1 };
        if (node.flow === true) edits.push({ span, text: onOneLine(text, span) });
      },
    });
  }
  const closed = applyEdits(text, edits);
  return problem ?? (closed === text ? fallback : closed);
}

const NO_ANCHOR = "no anchor has this name: put the text with * in quotes";
const COMPLEX_KEY = "the name of a field is a list or an object: put text with brackets in quotes";

/** What is between the last part and the closing bracket, with spaces instead of line breaks and comments. */
function onOneLine(text: string, { start, end }: Span): string {
  const spaces = (found: string): string => " ".repeat(found.length);
  return text.slice(start, end).replace(/#[^\r\n]*|\s+/g, spaces);
}

function spanOf(node: unknown): Span {
  const [start, end] = (isNode(node) && node.range) || [0, 0];
  return { start, end };
}

const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS: "put a value that starts with & or * in quotes",
  BAD_DQ_ESCAPE: "invalid escape: write a backslash as \\\\, or use single quotes",
  BAD_INDENT: "wrong indentation: align this line with the lines above it",
  BAD_SCALAR_START: "put a value that starts with this character in quotes",
  BLOCK_AS_IMPLICIT_KEY: 'put a value that contains ": " in quotes, or align the next line',
  MISSING_CHAR: "a colon with a space after it, a comma, or a line with --- is missing here",
  MULTILINE_IMPLICIT_KEY: "this line has no colon with a space after it, or needs indentation",
  TAB_AS_INDENT: "tabs are not allowed for indentation; use spaces",
  TAG_RESOLVE_FAILED: "unknown tag: put a value that starts with ! in quotes",
  UNEXPECTED_TOKEN: "unexpected text: put quotes around the complete value, or check the brackets",
};

function describe(text: string, { code, pos: [at] }: YAMLError, document: Document): Problem {
  const isOpen = code === "MISSING_CHAR" || code === "BAD_INDENT";
  const open = isOpen ? findOpen(text, document, at) : undefined;
  if (open !== undefined) {
    return syntaxProblem("YAML", `this ${text[open]} is never closed`, oneAt(open));
  }
  // The package reports a line with a wrong indentation at its start.
  const start = code === "TAB_AS_INDENT" ? at : at + text.slice(at).search(/[^ ]|$/);
  return syntaxProblem("YAML", SENTENCES[code] ?? UNCLEAR, oneAt(start));
}

const CLOSING: Readonly<Record<string, string>> = { "[": "]", "{": "}", '"': '"', "'": "'" };

/** The offset of the innermost quote or bracket before an offset that is never closed. */
function findOpen(text: string, document: Document, at: number): number | undefined {
  let open: number | undefined;
  visit(document, {
    Node: (_, node) => {
      if (isCollection(node) && node.flow !== true) return;
      const { start, end } = spanOf(node);
      const closing = CLOSING[text[start] ?? ""];
      const isClosed = end > start + 1 && text[end - 1] === closing;
      if (closing !== undefined && start <= at && !isClosed) open = start;
    },
  });
  return open;
}
