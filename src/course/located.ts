/** Defines a course with the place that describes it. `files/` makes them from files; flags and records have no place. */
import type { Excerpt } from "../base/errors.ts";
import { escapeLine, truncate } from "../base/text.ts";
import type { Path, PlainObject } from "../base/values.ts";

/** A range in a file, with the line in which it begins. Lines and columns count from 1; the end is exclusive. */
export interface Place extends Partial<Excerpt> {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
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

/** `"Weaving" (6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21)`; only the id of a course without a name. */
export function courseLabel({
  name,
  id,
}: {
  readonly name?: unknown;
  readonly id: string;
}): string {
  return typeof name !== "string" || name === ""
    ? id
    : `${escapeLine(JSON.stringify(truncate(name)))} (${id})`;
}
