/** Finds positions and errors in YAML by the ranges and the error codes of the package `yaml`. */
import {
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseAllDocuments,
  visit,
  type YAMLError,
} from "yaml";
import { attempt } from "../base/errors.ts";
import type { Problem, Span } from "../course/problem.ts";
import { lineStop, oneAt, type PlacedNode } from "./diagnostic.ts";
import { MAX_DEPTH } from "./limits.ts";
import { type CoursePlace, syntaxProblem, UNCLEAR } from "./parsed.ts";

/** The package `yaml` takes up to 500 times the memory of a text. */
const LONG = 1_000_000;
/** A line that may have too many levels: `yaml` would end the process at thousands. Strings count as well. */
const WIDEST = new RegExp(`^[ \\t?-]{${4 * MAX_DEPTH}}`, "m");

/** Whether a text is too long, or nested too deep, for the package `yaml`. */
export function isTooLong(text: string): boolean {
  if (text.length > LONG || WIDEST.test(text)) return true;
  let [open, most] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = "[{".includes(bracket) ? open + 1 : Math.max(0, open - 1);
    most = Math.max(most, open);
  }
  return most > 2 * MAX_DEPTH;
}

/** js-yaml has found equal keys already, in much less time. Warnings are unknown tags and directives. */
const OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;

function parse(text: string): Document[] {
  // A lone carriage return ends a line, as in js-yaml and in editors.
  return [...parseAllDocuments(text.replace(/\r(?!\n)/g, "\n"), OPTIONS)];
}

/**
 * The positions of a value in a part of a text; the start of the part, if it is too long.
 *
 * @param of which of the values in the part
 */
export function placeYaml(text: string, { start, end }: Span, of: CoursePlace): PlacedNode {
  const part = text.slice(start, end);
  const contents = isTooLong(part) ? null : (parse(part)[of.document]?.contents ?? null);
  const root = of.item !== undefined && isSeq(contents) ? contents.items[of.item] : contents;
  // The position of an item that is not written is its dash.
  const placeItem = (node: unknown): PlacedNode => {
    const dash = text.lastIndexOf("-", spanOf(node, start).start);
    return place(node, oneAt(Math.max(dash, start)));
  };
  /** @param empty the position of a value that is not written */
  const place = (node: unknown, empty: Span): PlacedNode => {
    const span = spanOf(node, start);
    // The parts of an alias have its position.
    if (isAlias(node)) return { span, isAlias: true };
    if (isMap(node)) {
      const entries = node.items.map(({ key, value }) => {
        const { span: named } = place(key, oneAt(spanOf(key, start).start));
        const name = isScalar(key) ? String(key.value) : "";
        return { name, key: named, value: place(value, named) };
      });
      const last = node.flow ? undefined : entries.at(-1)?.value;
      return { span: { start: span.start, end: last?.span.end ?? span.end }, entries };
    }
    if (isSeq(node)) {
      const items = node.items.map(placeItem);
      const last = node.flow ? undefined : items.at(-1);
      return { span: { start: span.start, end: last?.span.end ?? span.end }, items };
    }
    if (span.start === span.end) return { span: empty };
    if (!/[|>]/.test(text[span.start] ?? "")) return { span };
    // The empty lines below a block are not a part of it.
    const { length } = text.slice(span.start, span.end).trimEnd();
    const stop = Math.min(span.end, lineStop(text, span.start + length));
    return { span: { start: span.start, end: stop } };
  };
  return isNode(root) ? placeItem(root) : { span: oneAt(start) };
}

function spanOf(node: unknown, from = 0): Span {
  const [start, end] = (isNode(node) && node.range) || [0, 0];
  return { start: from + start, end: from + end };
}

/**
 * Finds what is wrong with a text that js-yaml refuses. If nothing is, the values come from `yaml`: it also reads closing
 * brackets that are not indented, as many people and programs write them. Undefined if it does not read an alias.
 */
export function readYaml(text: string): Problem | readonly unknown[] | undefined {
  const documents = parse(text);
  for (const document of documents) {
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined) return describe(text, fault, document);
  }
  return attempt(() => documents.map((document): unknown => document.toJS()));
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
