/** Finds the schema.org courses of HTML pages and JSON-LD documents. */
import { Parser } from "htmlparser2";
import { CatalogError } from "../base/errors.ts";
import { isList, isObject, type PlainObject } from "../base/values.ts";
import { MAX_DEPTH } from "./limits.ts";
import type { Span } from "./position.ts";

/** A `script` element with JSON-LD. */
export interface JsonLdBlock extends Span {
  readonly text: string;
}

/** Elements inside each other; the parser searches all open ones for each end tag. */
const MOST_NESTED = 1000;

/** @throws CatalogError of kind `file` for HTML that no page needs */
export function requireShallow(depth: number): void {
  if (depth <= MOST_NESTED) return;
  throw new CatalogError("file", `HTML with more than ${MOST_NESTED} nested elements`);
}

/** The JSON-LD blocks of an HTML page. @throws CatalogError of kind `file` for extreme nesting */
export function findJsonLd(html: string): readonly JsonLdBlock[] {
  const blocks: JsonLdBlock[] = [];
  let start: number | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag: (name, { type = "" }) => {
      requireShallow(++depth);
      const isBlock = name === "script" && type.trim().toLowerCase().startsWith(JSON_LD);
      if (isBlock) start = parser.endIndex + 1;
    },
    onclosetag: (name) => {
      depth--;
      if (name !== "script" || start === undefined) return;
      const end = Math.max(start, parser.startIndex);
      blocks.push({ start, end, text: html.slice(start, end) });
      start = undefined;
    },
  });
  parser.end(html);
  return blocks;
}

const JSON_LD = "application/ld+json";

/** Every object of the type `Course` in a document, at any depth, but not those inside a course. */
export function findCourseObjects(document: unknown, depth = 0): PlainObject[] {
  if (depth > MAX_DEPTH) return [];
  if (isList(document)) return document.flatMap((item) => findCourseObjects(item, depth + 1));
  if (!isObject(document)) return [];
  if (isCourseType(document["@type"])) return [document];
  return Object.values(document).flatMap((value) => findCourseObjects(value, depth + 1));
}

function isCourseType(type: unknown): boolean {
  const types = isList(type) ? type : [type];
  return types.some((each) => typeof each === "string" && /(^|[/:#])Course$/.test(each));
}
