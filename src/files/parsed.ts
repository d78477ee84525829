/** The result of parsing the text of a course file. */
import { truncate } from "../base/text.ts";
import { isList, type Path } from "../base/values.ts";
import type { RuleId } from "../course/problem.ts";
import type { PlacedNode, Span } from "./position.ts";

/** Something wrong with the text itself. */
export interface TextProblem {
  readonly rule: Extract<
    RuleId,
    | "syntax"
    | "encoding"
    | "too-deep"
    | "too-many-aliases"
    | "too-large"
    | "duplicate-key"
    | "not-a-course"
  >;
  readonly message: string;
  readonly span: Span;
  /** For a duplicate key, the first one. */
  readonly earlier?: Span;
}

/** A course among the documents of a source text. */
export interface ParsedCourse {
  readonly value: unknown;
  /** The index of its document in the text. */
  readonly document: number;
  /** Its index in the document's list; absent if the document is the course. */
  readonly item?: number;
}

/** The courses of a source text in order: the documents and the items of lists, without empty documents. */
export function findCourses({ documents }: Parsed): ParsedCourse[] {
  return documents.flatMap((value, document): ParsedCourse[] => {
    if (value === null || value === undefined) return [];
    if (!isList(value)) return [{ value, document }];
    return value.map((course, item) => ({ value: course, document, item }));
  });
}

/** The positions of everything in a source text. */
export interface Positions {
  /** The position of a document or a course; undefined if finding it takes too much memory. */
  readonly place: (of: Omit<ParsedCourse, "value">) => PlacedNode | undefined;
}

export interface Parsed {
  /** The documents in order, as plain data. */
  readonly documents: readonly unknown[];
  readonly problems: readonly TextProblem[];
  /** Parses the text again: only a file with a finding needs positions, and they take time. */
  readonly positions: () => Promise<Positions>;
  /** The offset of the only document, where that is known without all positions. */
  readonly start?: number;
  /** Whether all courses share their keys, which are the header of a table. */
  readonly isTable?: boolean;
  /** The paths of the columns of a table. */
  readonly columns?: readonly Path[];
}

/** A source text that could not be parsed. */
export function unparsed(problem: TextProblem): Parsed {
  return { documents: [], problems: [problem], positions: async () => positionsOf([]) };
}

/** The positions of documents that were found. */
export function positionsOf(places: readonly PlacedNode[]): Positions {
  const place: Positions["place"] = ({ document, item }) =>
    item === undefined ? places[document] : places[document]?.items?.[item];
  return { place };
}

/** Positions that are found one by one, without remembering those of a file with many courses. */
export function positionsBy(find: (of: Omit<ParsedCourse, "value">) => PlacedNode): Positions {
  let last:
    | { readonly document: number; readonly item: number | undefined; readonly node: PlacedNode }
    | undefined;
  return {
    place: (of) => {
      const { document, item } = of;
      if (last === undefined || last.document !== document || last.item !== item) {
        last = { document, item, node: find(of) };
      }
      return last.node;
    },
  };
}

/** Finds the keys that one object has twice. */
export class ObjectKeys {
  readonly #first = new Map<string, Span>();

  /** Adds the next key. @returns the problem if an earlier one has the same name */
  add(name: string, span: Span): TextProblem | undefined {
    const earlier = this.#first.get(name);
    if (earlier === undefined) {
      this.#first.set(name, span);
      return undefined;
    }
    const message = `duplicate key ${JSON.stringify(truncate(name))}`;
    return { rule: "duplicate-key", message, span, earlier };
  }
}
