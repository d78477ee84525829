/** Finds one id or one url that two courses give (cli.md section 7, "Across files"). */
import { copyString } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import { type Finding, placeOf } from "./diagnostic.ts";
import type { SourceCourse } from "./read.ts";

const FIELDS = ["id", "url"] as const;

/** A field that no two courses share. */
export type Identity = (typeof FIELDS)[number];

/** A field whose value an earlier course gave, and that course's origin. */
export interface Repeat<Origin> {
  readonly field: Identity;
  readonly first: Origin;
}

/** Remembers the ids and urls of courses that are shown to it one by one, and little else. */
export class Repeats<Origin> {
  readonly #first: Readonly<Record<Identity, Map<string, Origin>>> = {
    id: new Map(),
    url: new Map(),
  };

  /** What a course repeats of those shown before; nothing for anything but a mapping. */
  next(course: unknown, origin: Origin): Repeat<Origin>[] {
    const repeats: Repeat<Origin>[] = [];
    for (const field of FIELDS) {
      const value = identityOf(course, field);
      if (value === undefined) continue;
      const first = this.#first[field].get(value);
      if (first === undefined) this.#first[field].set(copyString(value), origin);
      else repeats.push({ field, first });
    }
    return repeats;
  }
}

function identityOf(course: unknown, field: Identity): string | undefined {
  const value = isObject(course) ? course[field] : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  return field === "id" ? value.toLowerCase() : value;
}

/** The finding of a repeat. @param first the earlier course; undefined where it is not at hand */
export function repeatFinding(field: Identity, first: SourceCourse | undefined): Finding {
  const place =
    first === undefined
      ? undefined
      : placeOf(first.file, first.locate([field], "value"), `the first course with this ${field}`);
  const where =
    place === undefined
      ? "another course"
      : `the course at ${place.file}:${place.line}:${place.column}`;
  const problem: Problem = {
    rule: field === "id" ? "duplicate-id" : "duplicate-url",
    severity: "error",
    at: "value",
    path: [field],
    message: `${field} is also that of ${where}`,
  };
  return { problem, related: place === undefined ? [] : [place] };
}
