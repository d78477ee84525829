/** Defines a course with the place that describes it. `files/` makes them from files; flags and records have no place. */
import type { Excerpt } from "../base/errors.ts";
import type { Path, PlainObject } from "../base/values.ts";

/** A position in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly excerpt?: Excerpt;
}

/** A desired course, and where it is described. */
export interface Located {
  /** The desired fields, after defaults and flags are applied, with `provider_id`. */
  readonly value: PlainObject;
  /** The name of the file; undefined if only flags, arguments or a record describe the course. */
  readonly file: string | undefined;
  /** The line of the file in which the course begins. */
  readonly line: number | undefined;
  /** The place of the value at a path; of the course itself if the value is not in the file. */
  readonly place: (path: Path) => Promise<Place | undefined>;
}

/** A course that comes from flags, arguments or a record. */
export function withoutFile(value: PlainObject): Located {
  return { value, file: undefined, line: undefined, place: async () => undefined };
}
