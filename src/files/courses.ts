/** Knows the format of a course file, and what in a parsed text counts as a course. */
import { extname } from "node:path";
import { isList } from "../base/values.ts";
import { parseJson } from "./json.ts";
import type { Parsed } from "./parsed.ts";
import type { PlacedNode } from "./position.ts";
import type { FileFormat } from "./write.ts";
import { parseYaml } from "./yaml.ts";

/** The format of a file, by its name alone. */
export function formatOf(path: string): FileFormat {
  return extname(path).toLowerCase() === ".json" ? "json" : "yaml";
}

/** Parses a text of a known format. Never throws: what is wrong is among the problems. */
export function parseAs(format: FileFormat, text: string): Parsed {
  return format === "json" ? parseJson(text) : parseYaml(text);
}

/** One course of a parsed text. */
export interface ParsedCourse {
  readonly value: unknown;
  /** The position of its document in the text. */
  readonly document: number;
  /** Its position in the list that the document is; absent where the document is the course. */
  readonly item?: number;
}

/** The courses of a text in their order: documents, and what lists hold; no empty documents. */
export function coursesOf({ documents }: Parsed): ParsedCourse[] {
  return documents.flatMap((held, document): ParsedCourse[] => {
    if (held === null || held === undefined) return [];
    if (!isList(held)) return [{ value: held, document }];
    return held.map((value, item) => ({ value, document, item }));
  });
}

/** Where a course stands among the places of its text. */
export function placeOfCourse(
  { document, item }: ParsedCourse,
  places: readonly PlacedNode[],
): PlacedNode | undefined {
  const root = places[document];
  return item === undefined ? root : root?.items?.[item];
}
