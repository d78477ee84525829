/** The result of parsing the text of a course file. */
import { isList, type Path } from "../base/values.ts";
import type { RuleId } from "../course/problem.ts";
import type { PlacedNode, Span } from "./position.ts";

/** A problem of a text itself, not of a course in the text. */
export interface TextProblem {
  readonly rule:
    | Extract<RuleId, "syntax" | "encoding" | "too-deep" | "too-many-aliases" | "too-large">
    | Extract<RuleId, "duplicate-key" | "not-a-course">;
  readonly message: string;
  readonly span: Span;
  /** For a duplicate key, the first key with its name. */
  readonly earlier?: Span;
}

/** Which of the values of a text a course is. */
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

export interface Positions {
  /** The position of a document or a course; undefined if finding it would take too much memory. */
  readonly place: (of: CoursePlace) => PlacedNode | undefined;
}

export interface Parsed {
  /** The documents in order, as plain data. */
  readonly documents: readonly unknown[];
  readonly problems: readonly TextProblem[];
  /** Parses the text again, which takes time: only files with problems need positions. */
  readonly positions: () => Promise<Positions>;
  /** The offset at which a course begins, which is known without finding all positions. */
  readonly startOf: (of: CoursePlace) => number;
  /** Whether the courses are rows of a table, which all have the fields in its header. */
  readonly isTable?: boolean;
  readonly columns?: readonly Path[];
}

export function unparsed(problem: TextProblem): Parsed {
  return {
    documents: [],
    problems: [problem],
    positions: async () => positionsOf([]),
    startOf: () => 0,
  };
}

/** Positions from the position of each document. */
export function positionsOf(places: readonly PlacedNode[]): Positions {
  const place: Positions["place"] = ({ document, item }) =>
    item === undefined ? places[document] : places[document]?.items?.[item];
  return { place };
}

/** Positions that are found course by course. Only the last one is remembered, to save memory. */
export function positionsBy(find: (of: CoursePlace) => PlacedNode): Positions {
  let last: (CoursePlace & { readonly node: PlacedNode }) | undefined;
  return {
    place: (of) => {
      const { document, item } = of;
      if (last === undefined || last.document !== document || last.item !== item) {
        last = { ...of, node: find(of) };
      }
      return last.node;
    },
  };
}
