/** The result of parsing the text of a course file, and the problems of texts that a parser refuses. */

import { truncate } from "../base/text.ts";
import { isList, type Path } from "../base/values.ts";
import { MAX_FINDINGS, type Problem, type Span, textProblem } from "../course/problem.ts";
import type { PlacedNode } from "./diagnostic.ts";

/** The position of a course among the values of a text. */
export interface CoursePlace {
  readonly document: number;
  /** The index in the document's list; undefined if the document is the course. */
  readonly item?: number | undefined;
}

/** A course among the documents of a text. */
export interface ParsedCourse extends CoursePlace {
  readonly value: unknown;
}

/** The courses of a text: documents that are not empty and, of a document that is a list, the items. */
export function findCourses({ documents }: Pick<Parsed, "documents">): ParsedCourse[] {
  return documents.flatMap((value, document): ParsedCourse[] => {
    if (value === null || value === undefined) return [];
    if (!isList(value)) return [{ value, document }];
    return value.map((course, item) => ({ value: course, document, item }));
  });
}

/** Finds the positions of a document or a course and of its parts. */
export type Place = (of: CoursePlace) => Promise<PlacedNode>;

export interface Parsed {
  /** The documents in order, as plain data. */
  readonly documents: readonly unknown[];
  readonly problems: readonly Problem[];
  /** Parses the text of a course again, which takes time: only courses with problems need positions. */
  readonly place: Place;
  /** The offset at which a course begins. */
  readonly startOf: (of: CoursePlace) => number;
  /** The columns of a table, whose rows are the courses. */
  readonly columns?: readonly Path[];
  /** Whether it is a table that a report of `check` gave back. */
  readonly isReport?: boolean;
  /** What the user should know about how a table was read: clauses that follow the name of the file. */
  readonly notices?: readonly string[];
}

export function unparsed(problem: Problem): Parsed {
  return {
    documents: [],
    problems: [problem],
    place: async () => ({ span: { start: 0, end: 0 } }),
    startOf: () => 0,
  };
}

/** Remembers the last course: its problems come one after another. */
export function rememberLast(place: Place): Place {
  let [last, found] = ["", undefined as ReturnType<Place> | undefined];
  return async (of) => {
    const key = `${of.document}.${of.item}`;
    if (key !== last) [last, found] = [key, place(of)];
    return await (found ?? place(of));
  };
}

/** A problem of a text that its parser refuses. */
export function syntaxProblem(format: "YAML" | "JSON", message: string, span: Span): Problem {
  return textProblem("syntax", `not valid ${format}: ${message}`, span);
}

/** The advice for a syntax error about which nothing more is known. */
export const UNCLEAR = "check the quotes, brackets, commas and indentation here";

/** The problems of keys that an object has twice. */
export async function findDuplicates(
  parsed: Pick<Parsed, "documents" | "place">,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const course of findCourses(parsed)) addDuplicates(problems, await parsed.place(course));
  return problems;
}

function addDuplicates(problems: Problem[], { entries = [], items = [] }: PlacedNode): void {
  if (problems.length >= MAX_FINDINGS) return;
  const names = new Set<string>();
  for (const { name, key, value } of entries) {
    const message = `duplicate field ${JSON.stringify(truncate(name))}`;
    if (names.has(name)) problems.push(textProblem("duplicate-field", message, key));
    names.add(name);
    addDuplicates(problems, value);
  }
  for (const item of items) addDuplicates(problems, item);
}
