/** Writes values as YAML in a style that parsers of YAML 1.1 and 1.2 read alike. */
import { Document, isCollection, isSeq, visit } from "yaml";
import { escapeJson } from "./text.ts";

/**
 * Writes YAML, with short lists on one line and long text as blocks: `{"audio":["en"]}` gives `audio: [en]`.
 *
 * @param options.isOnLine whether everything is on one line, with lists and objects in brackets
 */
export function yamlText(value: unknown, { isOnLine = false } = {}): string {
  // Parsers of YAML 1.1 read words such as `no`, and dates, as other values, so these need quotes.
  const document = new Document(value, { aliasDuplicateObjects: false, compat: "yaml-1.1" });
  visit(document, {
    Collection: (key, node) => {
      if (isOnLine) node.flow = true;
      else if (key !== null && isSeq(node)) node.flow = isShortList(node.toJSON());
    },
    Scalar: (key, scalar, path) => {
      const text = scalar.value;
      if (typeof text !== "string") return;
      const isInBrackets = path.some((node) => isCollection(node) && node.flow === true);
      if (key !== "key" && !isInBrackets && isBlock(text)) scalar.type = "BLOCK_LITERAL";
      else if (needsQuotes(text, isInBrackets)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  const options = { lineWidth: 0, flowCollectionPadding: false, doubleQuotedAsJSON: true };
  return escapeJson(document.toString(options));
}

/** Whether a string is written as a block, and every YAML parser reads it back. */
function isBlock(text: string): boolean {
  const isLong = text.includes("\n") || (text.length > LONG && !ADDRESS.test(text));
  return isLong && text.trim() !== "" && !NOT_BLOCK.test(text) && escapeJson(text) === text;
}

/** A string with more characters is written as a block. */
const LONG = 80;
/** URLs are written on one line, even if they are long. */
const ADDRESS = /^[a-z]+:\/\/\S*$/i;

/** Whether a string needs double quotes although the package would write it without them. */
function needsQuotes(text: string, isInBrackets: boolean): boolean {
  return (
    text.trim() === "" ||
    NOT_PLAIN.test(text) ||
    escapeJson(text) !== text ||
    (isInBrackets ? SPECIAL_IN_BRACKETS : SPECIAL).test(text)
  );
}

/** A document marker, which may be a key, and `=`, which parsers of YAML 1.1 do not accept as a string. */
const SPECIAL = /^(?:---|\.\.\.|=$)/;
const SPECIAL_IN_BRACKETS = /^(?:=$|:)|[,?]/;

/** A string with such characters, other than the line feeds of a block, is written in double quotes. */
const NOT_PLAIN = /\p{Cc}|[\ud800-\udfff]/u;
/** Text that is not written as a block: some parsers change a tab at its beginning, or a blank line at its end. */
const NOT_BLOCK = /^\n|^ *\t|\n[ \t]+\n*$|(?![\t\n])\p{Cc}|[\ud800-\udfff]/u;

/** A list with more characters, including commas, is not written on one line. */
const SHORT = 60;

function isShortList(items: readonly unknown[]): boolean {
  const isWord = (item: unknown): boolean => typeof item !== "object" && !/\s/.test(String(item));
  return items.every(isWord) && items.join(", ").length <= SHORT;
}
