/** Parses the text of a course file, in either format, and finds the courses in it. */
import { extname } from "node:path";
import { isList, memoize } from "../base/values.ts";
import { parseJson } from "./json.ts";
import type { Parsed } from "./parsed.ts";
import type { PlacedNode } from "./position.ts";
import type { FileFormat } from "./write.ts";
import { parseYaml } from "./yaml.ts";

/** The format of a file, by its name. */
export function formatOf(path: string): FileFormat {
  return extname(path).toLowerCase() === ".json" ? "json" : "yaml";
}

/** Parses a text of a known format. Never throws: errors are among the problems. */
export function parseAs(format: FileFormat, text: string): Parsed {
  const parsed = format === "json" ? parseJson(text) : parseYaml(text);
  return { ...parsed, positions: memoize(parsed.positions) };
}

/** Parses a text that may be either: a text that begins like JSON may still be YAML. */
export function parseEither(text: string): Parsed {
  if (!/^\s*[[{]/.test(text)) return parseAs("yaml", text);
  const json = parseAs("json", text);
  if (!json.problems.some(({ rule }) => rule === "syntax")) return json;
  const yaml = parseAs("yaml", text);
  return yaml.problems.some(({ rule }) => rule === "syntax") ? json : yaml;
}

/** One course of a parsed text. */
export interface ParsedCourse {
  readonly value: unknown;
  /** The index of its document in the text. */
  readonly document: number;
  /** Its index in the document's list; absent if the document is the course. */
  readonly item?: number;
}

/** The courses of a text in order: the documents and the items of lists, without empty documents. */
export function findCourses({ documents }: Parsed): ParsedCourse[] {
  return documents.flatMap((value, document): ParsedCourse[] => {
    if (value === null || value === undefined) return [];
    if (!isList(value)) return [{ value, document }];
    return value.map((course, item) => ({ value: course, document, item }));
  });
}

/** The position of a course. */
export function placeOfCourse(
  { document, item }: ParsedCourse,
  places: readonly PlacedNode[],
): PlacedNode | undefined {
  const root = places[document];
  return item === undefined ? root : root?.items?.[item];
}
