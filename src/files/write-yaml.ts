/** Writes a course as YAML, in the one style of course files (cli.md section 8). */
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
import type { PlainObject } from "../base/values.ts";

/** The text of a course's file. */
export function yamlText(course: PlainObject): string {
  return dump(course, DUMPING);
}

/** Controls that JSON lets stand, line separators, and marks that belong at a file's beginning. */
export const UNSEEN = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** A line feed is the one control that a block can hold; a tab would be right, and unseen. */
const NOT_PLAIN = new RegExp(`[\\x00-\\x09\\x0b-\\x1f]|${UNSEEN.source}`);
/** Some readers take a tab at the beginning of a block for a part of its indentation. */
const NOT_BLOCK = new RegExp(`^[ \\n]*\\t|[\\x00-\\x08\\x0b-\\x1f]|${UNSEEN.source}`);

/** Characters of a text from which on it gets lines of its own. */
const LONG = 80;

/** Characters of a list, its items and commas, up to which it stands on one line. */
const SHORT = 60;

/** An address stands on one line, however long it is. */
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
