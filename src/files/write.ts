/** Writes a course as the text of a course file, always in the same order and style (cli.md section 8). */
import {
  COLLECTION_STYLE,
  DEFAULT_SCALAR_STYLE_RULES,
  type DumpOptions,
  dump,
  type Node,
  SCALAR_STYLE,
  type ScalarStyleRule,
  visit,
} from "js-yaml";
import { isList, isMapping, type Mapping } from "../base/values.ts";
import { WRITABLE_FIELDS } from "../course/fields.ts";
import type { Key, Shape } from "../course/shape.ts";

/** The languages of a course file. */
export const FILE_FORMATS = ["yaml", "json"] as const;

/** One of them. */
export type FileFormat = (typeof FILE_FORMATS)[number];

/**
 * The whole text of a course's file: the fields that a client may set, in the document's order,
 * without nulls, and without the slug, which is the service's own. Keys that push would refuse are
 * left out. Read again, the text gives the same values.
 *
 * @param course a course as the service gives it
 */
export function courseText(course: Mapping, format: FileFormat): string {
  const written = inOrder(course, FILE_FIELDS);
  const json = `${JSON.stringify(written, null, 2)}\n`;
  // JSON is YAML, too, and the only kind that a library writes at such a length.
  if (format === "json" || json.length > MOST_DUMPED) return json.replace(UNSEEN, escaped);
  return dump(written, DUMPING);
}

/** Characters of a course from which on the patterns that choose a style would need too much memory. */
const MOST_DUMPED = 500_000;

const FILE_FIELDS = WRITABLE_FIELDS.filter(({ name }) => name !== "slug");

function inOrder(mapping: Mapping, keys: readonly Key[]): Mapping {
  const entries = keys.flatMap(({ name, shape }) => {
    const value = Object.hasOwn(mapping, name) ? written(mapping[name], shape) : undefined;
    return isNothing(value, shape) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

function written(value: unknown, shape: Shape): unknown {
  if (shape.kind === "object" && isMapping(value)) return inOrder(value, shape.keys);
  if (shape.kind === "list" && isList(value)) return value.map((item) => written(item, shape.of));
  return value;
}

/** Null, or an object whose every key is null: a service may say "never set" either way. */
function isNothing(value: unknown, shape: Shape): boolean {
  if (value === null || value === undefined) return true;
  return shape.kind === "object" && isMapping(value) && Object.keys(value).length === 0;
}

/** A character as JSON writes out those that it must. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Controls that JSON lets stand, line separators, and marks that belong at a file's beginning. */
const UNSEEN = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Characters of a text from which on it gets lines of its own. */
const LONG = 80;

/** Characters of a list, its items and commas, up to which it stands on one line. */
const SHORT = 60;

/** A line feed is the one control that a block can hold; a tab would be right, and unseen. */
const NOT_PLAIN = new RegExp(`[\\x00-\\x09\\x0b-\\x1f]|${UNSEEN.source}`);
/** Some readers take a tab at the beginning of a block for a part of its indentation. */
const NOT_BLOCK = new RegExp(`^[ \\n]*\\t|[\\x00-\\x08\\x0b-\\x1f]|${UNSEEN.source}`);

const ADDRESS = /^[a-z]+:\/\/\S*$/i;

const styleText: ScalarStyleRule = (layout) => {
  const { value } = layout.node;
  if (layout.isKey || layout.style !== SCALAR_STYLE.PLAIN) return;
  const isLong = value.includes("\n") || (value.length > LONG && !ADDRESS.test(value));
  if (!(isLong ? NOT_BLOCK : NOT_PLAIN).test(value)) {
    if (isLong) layout.style = SCALAR_STYLE.LITERAL_BLOCK;
  } else {
    layout.style = SCALAR_STYLE.DOUBLE_QUOTED;
  }
};

/** In double quotes a no-break space, which French puts before each colon, would be an escape. */
const keepSpaces: ScalarStyleRule = (layout) => {
  const { value } = layout.node;
  const isQuoted = layout.style === SCALAR_STYLE.DOUBLE_QUOTED;
  if (isQuoted && value.includes("\u00a0") && !NOT_PLAIN.test(value)) {
    layout.style = SCALAR_STYLE.SINGLE_QUOTED;
  }
};

const { doubleQuoteWhitespaceOnly, quoteInvalidPlain, fallbackToDoubleQuoted } =
  DEFAULT_SCALAR_STYLE_RULES;

const DUMPING: DumpOptions = {
  noRefs: true,
  quoteStyle: "double",
  lineWidth: -1,
  scalarStyleRules: [
    doubleQuoteWhitespaceOnly,
    styleText,
    quoteInvalidPlain,
    keepSpaces,
    fallbackToDoubleQuoted,
  ],
  transform: (documents) =>
    visit(documents, (node) => {
      if (isShortList(node)) node.style = COLLECTION_STYLE.FLOW;
    }),
};

/** Whether a node is a list of a few words, such as language codes. */
function isShortList(node: Node): node is Extract<Node, { kind: "sequence" }> {
  if (node.kind !== "sequence") return false;
  let length = 0;
  for (const item of node.items) {
    if (item.kind !== "scalar" || /\s/.test(item.value)) return false;
    length += item.value.length + 2;
  }
  return length <= SHORT;
}
