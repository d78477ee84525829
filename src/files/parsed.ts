/** The result of parsing a course file, and the limits of what is parsed. */
import { formatNumber, truncate } from "../base/text.ts";
import type { Path } from "../base/values.ts";
import type { RuleId } from "../course/problem.ts";
import type { PlacedNode, Span } from "./position.ts";

/** The formats in which a course can be written as a file of its own. */
export const FILE_FORMATS = ["yaml", "json"] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

/** Bytes of one file: enough for ten thousand courses as JSON. */
export const MAX_FILE_SIZE = 48 * 1024 * 1024;

/** Bytes of one YAML file, which takes far more time and memory to read: about 3,000 courses. */
export const MAX_YAML_SIZE = 10 * 1024 * 1024;

/** Values of one JSON or CSV file: more than ten thousand courses, and no more than fits in memory. */
export const MAX_JSON_VALUES = 1_000_000;

/** Keys of one object, which takes ever more time to read and search. */
export const MAX_KEYS = 100_000;

/** Courses of one file, each of which takes memory, however small it is. */
export const MAX_COURSES = 100_000;

/** Lines, and values in brackets, of one YAML file; about as many courses as its size allows. */
export const MAX_YAML_VALUES = 500_000;

/** Escapes of one YAML file, more than it has if each is `\u0000`. Reading one takes fifty bytes or more. */
export const MAX_YAML_ESCAPES = 2_000_000;

/**
 * Values of one JSON file, and tokens of one YAML file, up to which findings have positions: some
 * thousands of courses. Finding positions takes many times the memory of reading.
 */
export const MAX_PLACED_VALUES = 500_000;

/** Nested objects and lists; a course needs five. */
export const MAX_DEPTH = 64;

/** Values that all aliases of a file may add. */
export const MAX_EXPANSION = 200_000;

/** Findings of one file: more would not help, and memory is limited. */
export const MAX_FINDINGS = 10_000;

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

/** The positions of everything in a text. */
export interface Positions {
  /** The position of each document; none if finding them takes too much memory. */
  readonly places: readonly PlacedNode[];
  /** An error that only the parser that finds positions reports. */
  readonly problem?: TextProblem | undefined;
}

export interface Parsed {
  /** The documents in order, as plain data. */
  readonly documents: readonly unknown[];
  readonly problems: readonly TextProblem[];
  /** Parses the text again: only a file with a finding needs positions, and they take time. */
  readonly positions: () => Promise<Positions>;
  /**
   * The position of the only document, with at least the parts along a path, in much less time;
   * undefined if that needs all positions. Only some formats and texts have it.
   */
  readonly placeAlong?: (path: Path) => Promise<PlacedNode | undefined>;
  /** The offset of the only document; undefined if that needs all positions, as for some texts. */
  readonly start?: () => number | undefined;
  /** Whether all courses share their keys, which are the header of a table. */
  readonly isTable?: boolean;
}

/** A text that could not be parsed. */
export function unparsed(problem: TextProblem): Parsed {
  return { documents: [], problems: [problem], positions: async () => ({ places: [] }) };
}

export function oneAt(start: number): Span {
  return { start, end: start + 1 };
}

export function tooDeep(at: number): TextProblem {
  const message = `more than ${MAX_DEPTH} nested objects and lists`;
  return { rule: "too-deep", message, span: oneAt(at) };
}

const LIMITS = {
  values: MAX_JSON_VALUES,
  courses: MAX_COURSES,
  keys: MAX_KEYS,
  escapes: MAX_YAML_ESCAPES,
} as const;

/** More values, courses, escapes, or keys of one object than a file may have. */
export function tooMany(
  what: keyof typeof LIMITS,
  at: number,
  most: number = LIMITS[what],
): TextProblem {
  const where = what === "keys" ? " in one object" : "";
  const message = `too many ${what}${where} (over ${formatNumber(most)}): split the file`;
  return { rule: "too-large", message, span: oneAt(at) };
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
