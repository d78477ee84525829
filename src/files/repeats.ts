/** Finds one id or one url that two courses give (cli.md section 7, "Across files"). */
import { isMapping } from "../base/values.ts";
import type { Problem } from "../course/problem.ts";
import { type Finding, placeOf, type Related } from "./diagnostic.ts";
import type { SourceCourse } from "./read.ts";

const FIELDS = ["id", "url"] as const;
type Field = (typeof FIELDS)[number];

/** Brings back a course that was read, or what is left of it where its file has gone. */
export type Recall = () => SourceCourse | undefined;

/** A course that gave a value first. Its place is looked up once, if at all. */
interface First {
  readonly recall: Recall;
  place?: Related | undefined;
}

/** Remembers the ids and urls of courses that are shown to it one by one, and little else. */
export class Repeats {
  readonly #first: Readonly<Record<Field, Map<string, First>>> = {
    id: new Map(),
    url: new Map(),
  };

  /** The problems of a course that follows those shown before; none for anything but a mapping. */
  next(course: unknown, recall: Recall): Finding[] {
    return FIELDS.flatMap((field) => {
      const value = identityOf(course, field);
      if (value === undefined) return [];
      const first = this.#first[field].get(value);
      if (first === undefined) {
        this.#first[field].set(apart(value), { recall });
        return [];
      }
      first.place ??= placeOfFirst(field, first.recall());
      return [repeat(field, first.place)];
    });
  }
}

function identityOf(course: unknown, field: Field): string | undefined {
  const value = isMapping(course) ? course[field] : undefined;
  if (typeof value !== "string" || value === "") return undefined;
  return field === "id" ? value.toLowerCase() : value;
}

/** The same text in memory of its own: a piece of a file's text keeps the whole of it. */
function apart(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}

function placeOfFirst(field: Field, course: SourceCourse | undefined): Related | undefined {
  if (course === undefined) return undefined;
  return placeOf(
    course.file,
    course.locate([field], "value"),
    `the first course with this ${field}`,
  );
}

function repeat(field: Field, place: Related | undefined): Finding {
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
