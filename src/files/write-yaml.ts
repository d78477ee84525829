/** Writes a course as YAML, in the one style of course files. */
import { Document, isScalar, Scalar, type ScalarTag, type Tags, visit, type YAMLSeq } from "yaml";
import type { PlainObject } from "../base/values.ts";

/** The text of a course's file. */
export function yamlText(course: PlainObject): string {
  const document = new Document(course, null, {
    aliasDuplicateObjects: false,
    // Programs that read YAML 1.1 take words such as `no` and dates for other values.
    compat: "yaml-1.1",
    customTags: (tags) => tags.map(escaping) as Tags,
  });
  visit(document, {
    Scalar: (key, scalar) => {
      if (key !== "key" && typeof scalar.value === "string") scalar.type = styleOf(scalar.value);
    },
    Seq: (_, list) => {
      if (isShortList(list)) list.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Characters that JSON leaves as they are, but that nobody can see: controls, separators, marks. */
export const INVISIBLE = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Text with these is written in double quotes; a line feed is the only control in a block. */
const NOT_PLAIN = new RegExp(`[\\x00-\\x09\\x0b-\\x1f]|[\\ud800-\\udfff]|${INVISIBLE.source}`, "u");
/** Some programs take a tab at the beginning of a block for indentation. */
const NOT_BLOCK = new RegExp(
  `^[ \\n]*\\t|[\\x00-\\x08\\x0b-\\x1f]|[\\ud800-\\udfff]|${INVISIBLE.source}`,
  "u",
);

/** Characters from which on a text gets lines of its own. */
const LONG = 80;
/** Characters of a list, with its commas, up to which it is written on one line. */
const SHORT = 60;
/** An address is written on one line, however long it is. */
const ADDRESS = /^[a-z]+:\/\/\S*$/i;

function styleOf(text: string): Scalar.Type {
  const isLong = text.includes("\n") || (text.length > LONG && !ADDRESS.test(text));
  if (text.trim() === "" || (isLong ? NOT_BLOCK : NOT_PLAIN).test(text)) return Scalar.QUOTE_DOUBLE;
  return isLong ? Scalar.BLOCK_LITERAL : Scalar.PLAIN;
}

/** A tag of strings that escapes in double quotes what cannot be seen: JSON strings are YAML. */
function escaping(tag: Tags[number]): Tags[number] {
  if (typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:str" || tag.collection) return tag;
  const stringify: ScalarTag["stringify"] = (item, ...rest) =>
    item.type === Scalar.QUOTE_DOUBLE
      ? JSON.stringify(item.value).replace(INVISIBLE, escapeCharacter)
      : (tag.stringify?.(item, ...rest) ?? "");
  return { ...tag, stringify };
}

/** A character as JSON escapes it. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Whether a list only has a few words, such as language codes. */
function isShortList({ items }: YAMLSeq): boolean {
  let length = 0;
  for (const item of items) {
    if (!isScalar(item) || /\s/.test(String(item.value))) return false;
    length += String(item.value).length + 2;
  }
  return length <= SHORT;
}
