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
  type Pair,
  parseAllDocuments,
  visit,
  type YAMLError,
} from "yaml";
import { memoize } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import type { Starts } from "./parsed.ts";
import {
  lineStart,
  lineStop,
  oneAt,
  type PlacedEntry,
  type PlacedNode,
  type Span,
} from "./position.ts";
import { syntaxProblem, UNCLEAR } from "./text-problems.ts";

/** js-yaml has found equal keys already, in much less time. Warnings are unknown tags and directives. */
const OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;

function parse(text: string): Document[] {
  // A lone carriage return ends a line, as in js-yaml and in editors.
  return [...parseAllDocuments(text.replace(/\r(?!\n)/g, "\n"), OPTIONS)];
}

/**
 * The positions of the value in a part of a text; the dash before the part, if it has no value. An alias of a value outside of the part has no parts.
 *
 * @param isInBrackets whether the value is an item of a list in brackets
 */
export function placeYaml(text: string, { start, end }: Span, isInBrackets: boolean): PlacedNode {
  // In a block, all lines have the indentation of the first.
  const lead = isInBrackets ? "[" : " ".repeat(start - lineStart(text, start));
  const part = lead + text.slice(start, end);
  const [document] = parse(part);
  const contents = document?.contents ?? null;
  const node = isInBrackets && isSeq(contents) ? contents.items[0] : contents;
  if (document === undefined || node === null) return { span: oneAt(Math.max(start - 1, 0)) };
  return new Placer(part, document, start - lead.length).item(node);
}

class Placer {
  readonly #text: string;
  readonly #document: Document;
  /** The offset of the text in its file. */
  readonly #from: number;

  constructor(text: string, document: Document, from: number) {
    this.#text = text;
    this.#document = document;
    this.#from = from;
  }

  /** An item of a list, or a document. The position of one that is not written is the dash. */
  item(node: unknown): PlacedNode {
    const dash = this.#text.lastIndexOf("-", spanOf(node).start);
    return this.#place(node, this.#move(oneAt(Math.max(dash, 0))));
  }

  /** @param empty the position of a value that is not written */
  #place(node: unknown, empty: Span): PlacedNode {
    const written = spanOf(node);
    const span = this.#move(written);
    if (isAlias(node)) {
      // Only where they are asked for: few aliases can repeat billions of values.
      const value = memoize(() => this.#place(node.resolve(this.#document), empty));
      return {
        span,
        isAlias: true,
        get entries() {
          return value().entries;
        },
        get items() {
          return value().items;
        },
      };
    }
    if (isMap(node)) {
      const entries = node.items.map((pair) => this.#entry(pair));
      const end = node.flow ? undefined : entries.at(-1)?.value.span.end;
      return { span: { start: span.start, end: end ?? span.end }, entries };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.item(item));
      const end = node.flow ? undefined : items.at(-1)?.span.end;
      return { span: { start: span.start, end: end ?? span.end }, items };
    }
    if (span.start === span.end) return { span: empty };
    // The empty lines below a block are not a part of it.
    const isBlock = /[|>]/.test(this.#text[written.start] ?? "");
    if (!isBlock) return { span };
    const { length } = this.#text.slice(written.start, written.end).trimEnd();
    const end = Math.min(written.end, lineStop(this.#text, written.start + length));
    return { span: this.#move({ start: written.start, end }) };
  }

  #entry({ key, value }: Pair): PlacedEntry {
    const { span } = this.#place(key, this.#move(oneAt(spanOf(key).start)));
    const scalar = isAlias(key) ? key.resolve(this.#document) : key;
    const name = isScalar(scalar) ? String(scalar.value) : "";
    return { name, key: span, value: this.#place(value, span) };
  }

  #move({ start, end }: Span): Span {
    return { start: this.#from + start, end: this.#from + end };
  }
}

function spanOf(node: unknown): Span {
  const [start, end] = (isNode(node) && node.range) || [0, 0];
  return { start, end };
}

/**
 * Finds what is wrong with a text that js-yaml refuses. If nothing is, the values come from `yaml`: it also reads closing
 * brackets that are not indented, as many people and programs write them. Undefined if such a text has an alias, because
 * only js-yaml counts what aliases add.
 */
export function readYaml(
  text: string,
): Problem | { readonly documents: readonly unknown[]; readonly starts: Starts } | undefined {
  // Before a first `...`, js-yaml reads no document.
  const parsed = parse(text).filter(({ contents, directives }) => {
    const { start, end } = spanOf(contents);
    return start !== end || directives?.docStart === true;
  });
  let hasAlias = false;
  for (const document of parsed) {
    const [fault] = [...document.errors, ...document.warnings].sort(byOffset);
    if (fault !== undefined) return describe(text, fault, document);
    let list: Span | undefined;
    visit(document, {
      Alias: () => {
        hasAlias = true;
      },
      Pair: (_, { key }) => {
        if (isCollection(key)) list ??= spanOf(key);
      },
    });
    const message = "the name of a field must be a string, not a list or an object";
    if (list !== undefined) return syntaxProblem("YAML", message, list);
  }
  if (hasAlias) return undefined;
  return {
    documents: parsed.map((document): unknown => document.toJS()),
    starts: parsed.map(({ contents }) => ({
      start: spanOf(contents).start,
      items: isSeq(contents) ? contents.items.map((item) => spanOf(item).start) : [],
    })),
  };
}

function byOffset({ pos: [one] }: YAMLError, { pos: [other] }: YAMLError): number {
  return one - other;
}

const INDENTATION = "wrong indentation: align this line with the lines above it";
const PROPERTIES = "a value can have only one anchor and one tag, directly before it";

/** The options exclude the other codes, or nothing more is known. */
const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: "an alias can have neither an anchor nor a tag",
  BAD_ALIAS: "put a value that starts with & or * in quotes",
  BAD_COLLECTION_TYPE: "this tag does not fit its value: remove the tag",
  BAD_DIRECTIVE: "unknown directive: only %YAML 1.2 and %TAG are allowed",
  BAD_DQ_ESCAPE: "invalid escape: write a backslash as \\\\, or use single quotes",
  BAD_INDENT: INDENTATION,
  BAD_PROP_ORDER: PROPERTIES,
  BAD_SCALAR_START: "put a value that starts with this character in quotes",
  BLOCK_AS_IMPLICIT_KEY:
    'put quotes around a value that contains ": ", or align the next line with this line',
  BLOCK_IN_FLOW: "a block is not allowed in brackets: write this value in brackets too",
  KEY_OVER_1024_CHARS: "a key and its colon can be at most 1,024 characters long",
  MISSING_CHAR: "a colon with a space after it, a comma, or a line with --- is missing here",
  MULTILINE_IMPLICIT_KEY:
    "this line has no colon with a space after it: add them, or indent the line to continue the value above",
  MULTIPLE_ANCHORS: PROPERTIES,
  MULTIPLE_DOCS: "add a line with --- between two documents",
  MULTIPLE_TAGS: PROPERTIES,
  TAB_AS_INDENT: "tabs are not allowed for indentation; use spaces",
  TAG_RESOLVE_FAILED: "unknown tag: put a value that starts with ! in quotes",
  UNEXPECTED_TOKEN: "unexpected text: put quotes around the complete value, or check the brackets",
};

function describe(text: string, { code, pos }: YAMLError, document: Document): Problem {
  const [at, end] = pos;
  const isOpen = code === "MISSING_CHAR" || code === "BAD_INDENT";
  const open = isOpen ? findOpen(text, document, at) : undefined;
  if (open !== undefined) {
    const opening = /["']/.test(text[open] ?? "") ? "quote" : text[open];
    return syntaxProblem("YAML", `this ${opening} is never closed`, oneAt(open));
  }
  // The package reports a line with a wrong indentation at its start.
  const spaces =
    code === "TAB_AS_INDENT" ? 0 : (/^ */.exec(text.slice(at, at + LONGEST))?.[0].length ?? 0);
  const start = at + spaces;
  const message = SENTENCES[code] ?? UNCLEAR;
  return syntaxProblem("YAML", message, { start, end: Math.max(end, start + 1) });
}

/** The widest indentation that is skipped. */
const LONGEST = 1000;

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
