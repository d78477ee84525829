/** Finds positions and errors in YAML by the ranges and the error codes of the package `yaml`. */
import {
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseAllDocuments,
  type Range,
  visit,
  type YAMLError,
} from "yaml";
import { type Parsed, type Positions, positionsBy, type TextProblem, unparsed } from "./parsed.ts";
import { lineStart, oneAt, type PlacedEntry, type PlacedNode, type Span } from "./position.ts";
import { findDuplicateKeys, syntaxProblem } from "./text-problems.ts";
import { type Starts, startIn } from "./yaml-events.ts";

/** js-yaml has found equal keys already, in much less time. Warnings are unknown tags and directives. */
const OPTIONS = { uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;

function parse(text: string, keepSourceTokens = false): Document[] {
  // A lone carriage return ends a line, as in js-yaml and in editors.
  const lines = text.replace(/\r(?!\n)/g, "\n");
  const documents = [...parseAllDocuments(lines, { ...OPTIONS, keepSourceTokens })];
  // Before a first `...`, js-yaml reads no document.
  return documents.filter(({ contents, directives }) => {
    const [start, end] = rangeOf(contents) ?? [];
    return start !== end || directives?.docStart === true;
  });
}

/** The positions of all courses of a text. */
export function placeYaml(text: string): Positions {
  const documents = parse(text);
  return positionsBy(({ document, item }) => {
    const parsed = documents[document];
    const root = parsed?.contents ?? null;
    if (parsed === undefined) return NOWHERE;
    const node = item === undefined ? root : isSeq(root) ? root.items[item] : null;
    return new Placer(text, parsed).item(node);
  });
}

const NOWHERE: PlacedNode = { span: { start: 0, end: 0 } };

/** The positions of the courses of a long text. Each is read by itself, so an alias of another course has no parts. */
export function placeSlices(text: string, starts: Starts): Positions {
  return positionsBy(({ document, item }) => {
    const start = startIn(starts, { document, item }) ?? 0;
    const next = item === undefined ? undefined : startIn(starts, { document, item: item + 1 });
    const line = lineStart(text, start);
    // In a block, all lines have the indentation of the first.
    const indentation = "[{".includes(text[start] ?? "") ? "" : " ".repeat(start - line);
    const slice = indentation + text.slice(start, next ?? starts[document + 1]?.start);
    return move(placeYaml(slice).place({ document: 0 }) ?? NOWHERE, start - indentation.length);
  });
}

function move({ span, entries, items, ...node }: PlacedNode, by: number): PlacedNode {
  const moved = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  return {
    ...node,
    span: moved(span),
    entries: entries?.map(({ name, key, value }) => {
      return { name, key: moved(key), value: move(value, by) };
    }),
    items: items?.map((item) => move(item, by)),
  };
}

class Placer {
  readonly #text: string;
  readonly #document: Document;

  constructor(text: string, document: Document) {
    this.#text = text;
    this.#document = document;
  }

  /** An item of a list, or a document. The position of one that is not written is the dash. */
  item(node: unknown): PlacedNode {
    const [start, end] = rangeOf(node) ?? [0];
    return this.#node(node, start === end ? this.#dashBefore(start) : NOWHERE.span);
  }

  #dashBefore(offset: number): Span {
    for (let end = offset; end >= 0; ) {
      const start = lineStart(this.#text, end);
      const line = this.#text.slice(start, end).replace(/(?:^|\s)#.*$/, "");
      const last = line.trimEnd().length - 1;
      if (last >= 0) return line[last] === "-" ? oneAt(start + last) : NOWHERE.span;
      end = start - 1;
    }
    return NOWHERE.span;
  }

  /** @param empty the position of a value that is not written */
  #node(node: unknown, empty: Span): PlacedNode {
    const [start, end] = rangeOf(node) ?? [0, 0];
    if (isAlias(node)) {
      const value = node.resolve(this.#document);
      return { ...this.#node(value, empty), span: { start, end }, isAlias: true };
    }
    if (isMap(node)) {
      const entries = node.items.map((pair) => this.#entry(pair));
      const last = entries.at(-1)?.value.span.end;
      return { span: { start, end: node.flow ? end : (last ?? end) }, entries };
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.item(item));
      return { span: { start, end: node.flow ? end : (items.at(-1)?.span.end ?? end) }, items };
    }
    return { span: start === end ? empty : { start, end: this.#endOf(start, end) } };
  }

  #entry({ key, value }: Pair): PlacedEntry {
    const [start] = rangeOf(key) ?? [0];
    const { span } = this.#node(key, oneAt(start));
    const scalar = isAlias(key) ? key.resolve(this.#document) : key;
    const name = isScalar(scalar) ? String(scalar.value) : "";
    return { name, key: span, value: this.#node(value, span) };
  }

  /** The end of a scalar. The empty lines below a block are not a part of it. */
  #endOf(start: number, end: number): number {
    const written = this.#text.slice(start, end);
    return start + (/[\r\n]\s*$/.exec(written)?.index ?? written.length);
  }
}

function rangeOf(node: unknown): Range | null | undefined {
  return (node as Node | null | undefined)?.range;
}

/**
 * Reads a text that js-yaml refuses, with what is wrong with it. If nothing is, the values come from `yaml`: it also
 * reads closing brackets that are not indented, as many people and programs write them. Undefined if such a text has an
 * alias, because only js-yaml counts what aliases add.
 */
export function readYaml(text: string): Parsed | undefined {
  const parsed = parse(text, true);
  for (const document of parsed) {
    const [fault] = [...document.errors, ...document.warnings].sort(byOffset);
    const problem = fault === undefined ? findListAsKey(document) : describe(text, fault, document);
    if (problem !== undefined) return unparsed(problem);
  }
  if (parsed.some((document) => findNode(document, isAlias) !== undefined)) return undefined;
  const documents = parsed.map((document): unknown => document.toJS());
  const positions = placeYaml(text);
  const problems = findDuplicateKeys({ documents }, positions);
  const startOf: Parsed["startOf"] = (of) => positions.place(of)?.span.start ?? 0;
  return { documents, problems, positions: async () => positions, startOf };
}

function byOffset({ pos: [one] }: YAMLError, { pos: [other] }: YAMLError): number {
  return one - other;
}

/** The first node of a document that passes a test. */
function findNode(document: Document, test: (node: unknown) => boolean): unknown {
  let found: unknown;
  visit(document, (_, node) => {
    if (!test(node)) return undefined;
    found = node;
    return visit.BREAK;
  });
  return found;
}

function findListAsKey(document: Document): TextProblem | undefined {
  const pair = findNode(document, (node) => isPair(node) && isCollection(node.key));
  if (!isPair(pair)) return undefined;
  const [start, end] = rangeOf(pair.key) ?? [0, 0];
  const message = "the name of a field must be a string, not a list or an object";
  return syntaxProblem("YAML", message, { start, end });
}

const INDENTATION = "wrong indentation: align this line with the lines above it";
const PROPERTIES = "a value can have only one anchor and one tag, directly before it";
const UNCLEAR = "check the quotes, brackets and indentation here";

const SENTENCES: Readonly<Record<ErrorCode, string>> = {
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
  DUPLICATE_KEY: "duplicate key",
  IMPOSSIBLE: UNCLEAR,
  KEY_OVER_1024_CHARS: "a key and its colon can be at most 1,024 characters long",
  MISSING_CHAR: "a colon with a space after it, a comma, or a line with --- is missing here",
  MULTILINE_IMPLICIT_KEY:
    "this line has no colon with a space after it: add them, or indent the line to continue the value above",
  MULTIPLE_ANCHORS: PROPERTIES,
  MULTIPLE_DOCS: "add a line with --- between two documents",
  MULTIPLE_TAGS: PROPERTIES,
  NON_STRING_KEY: "the name of a field must be a string",
  RESOURCE_EXHAUSTION: UNCLEAR,
  TAB_AS_INDENT: "tabs are not allowed for indentation; use spaces",
  TAG_RESOLVE_FAILED: "unknown tag: put a value that starts with ! in quotes",
  UNEXPECTED_TOKEN: "unexpected text: put quotes around the complete value, or check the brackets",
};

function describe(text: string, { code, pos }: YAMLError, document: Document): TextProblem {
  const [at, end] = pos;
  const open =
    code === "MISSING_CHAR" || code === "BAD_INDENT" ? findOpen(document, at) : undefined;
  if (open !== undefined) {
    const opening = /["']/.test(text[open] ?? "") ? "quote" : text[open];
    return syntaxProblem("YAML", `this ${opening} is never closed`, oneAt(open));
  }
  // The package reports a line with a wrong indentation at its start.
  const spaces =
    code === "TAB_AS_INDENT" ? 0 : (/^ */.exec(text.slice(at, at + LONGEST))?.[0].length ?? 0);
  const start = at + spaces;
  return syntaxProblem("YAML", SENTENCES[code], { start, end: Math.max(end, start + 1) });
}

/** The widest indentation that is skipped. */
const LONGEST = 1000;

/** The offset of the innermost quote or bracket before an offset that is never closed. */
function findOpen(document: Document, at: number): number | undefined {
  let open: number | undefined;
  visit(document, {
    Node: (_, node) => {
      const token = "srcToken" in node ? node.srcToken : undefined;
      if (token === undefined || token.offset > at) return;
      const isOpen =
        token.type === "flow-collection"
          ? !token.end.some(({ source }) => source === (token.start.source === "[" ? "]" : "}"))
          : /^(?:double|single)-quoted/.test(token.type) &&
            "source" in token &&
            !/^(["']).*\1$/s.test(token.source);
      if (isOpen) open = token.offset;
    },
  });
  return open;
}
