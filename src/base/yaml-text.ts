/** Writes values as YAML in a style that parsers of YAML 1.1 and 1.2 read alike. */
import { Document, isSeq, visit } from "yaml";
import { escapeJson, isSafeJson } from "./text.ts";

/** Writes YAML with short lists on one line and long text as blocks: `{"audio":["en"]}` gives `audio: [en]`. */
export function yamlText(value: unknown): string {
  return textOf(documentOf(value), { hasBlocks: true });
}

/** Writes a string or another scalar on one line, without quotes where YAML allows that. @param flow in brackets */
export function scalarText(value: unknown, { flow }: { readonly flow: boolean }): string {
  const document = documentOf([value]);
  if (isSeq(document.contents)) document.contents.flow = flow;
  const text = textOf(document, { hasBlocks: false });
  return flow ? text.slice("[".length, -"]\n".length) : text.slice("- ".length, -"\n".length);
}

/** Whether every YAML parser reads a string back from a block. */
export function isBlockText(text: string): boolean {
  return text.trim() !== "" && !NOT_BLOCK.test(text) && isSafeJson(text);
}

function documentOf(value: unknown): Document {
  // Parsers of YAML 1.1 read words such as `no`, and dates, as other values, so these need quotes.
  return new Document(value, { aliasDuplicateObjects: false, compat: "yaml-1.1" });
}

function textOf(document: Document, { hasBlocks }: { readonly hasBlocks: boolean }): string {
  visit(document, {
    Seq: (_, list) => {
      if (list.flow === undefined) list.flow = isShortList(list.toJSON());
    },
    Scalar: (key, scalar, path) => {
      const { value } = scalar;
      if (typeof value !== "string") return;
      const parent = path.at(-1);
      const isInBrackets = isSeq(parent) && parent.flow === true;
      if (hasBlocks && key !== "key" && !isInBrackets && isBlock(value))
        scalar.type = "BLOCK_LITERAL";
      else if (needsQuotes(value, isInBrackets)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  const layout = { lineWidth: 0, flowCollectionPadding: false, doubleQuotedAsJSON: true };
  return escapeJson(document.toString(layout));
}

function isBlock(text: string): boolean {
  const isLong = text.includes("\n") || (text.length > LONG && !ADDRESS.test(text));
  return isLong && isBlockText(text);
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
    !isSafeJson(text) ||
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
  let length = 0;
  for (const item of items) {
    if ((typeof item === "object" && item !== null) || /\s/.test(String(item))) return false;
    length += String(item).length + 2;
  }
  return length <= SHORT;
}
