/** Finds the courses that use the id, key or url of an earlier course, also of another file. */
import { copyString } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "../course/field-names.ts";
import type { Problem, RuleId } from "../course/problem.ts";
import { type Diagnostic, placeOf, placeProblem, type Related } from "./diagnostic.ts";
import type { SourceCourse } from "./read.ts";
import type { Reread } from "./sources.ts";

/** Fields whose value no two courses share, with the rule that says so. */
const UNIQUE_FIELDS = {
  id: "duplicate-id",
  [EXTERNAL_KEY]: "duplicate-key",
  url: "duplicate-url",
} as const satisfies Record<string, RuleId>;

type UniqueField = keyof typeof UNIQUE_FIELDS;

const UNIQUE_NAMES = Object.keys(UNIQUE_FIELDS) as UniqueField[];

/** What must be unique of a field, if it is given. */
function identityOf(course: unknown, field: UniqueField): string | undefined {
  const value = isObject(course) ? course[field] : undefined;
  if (!isObject(course) || typeof value !== "string" || value === "") return undefined;
  if (field === "url") return value;
  if (field === "id") return value.toLowerCase();
  // A key is unique among the courses of a provider.
  const provider = course.provider_id ?? course[PROVIDER_KEY];
  return JSON.stringify([typeof provider === "string" ? provider.toLowerCase() : null, value]);
}

/** The course that was the first to use an id, key or url. */
interface Origin {
  readonly reread: Reread;
  readonly index: number;
}

/** A course whose id, key or url an earlier course has used. */
export interface Repeat {
  readonly course: SourceCourse;
  readonly field: UniqueField;
  readonly first: Origin;
}

/** Remembers the ids, keys and urls of courses, and finds those that are used again. */
export class Duplicates {
  readonly #first: Readonly<Record<UniqueField, Map<string, Origin>>> = {
    id: new Map(),
    [EXTERNAL_KEY]: new Map(),
    url: new Map(),
  };

  /** Remembers a course, and yields what it shares with the first that had it. */
  *find(course: SourceCourse, origin: Origin): Generator<Repeat> {
    for (const field of UNIQUE_NAMES) {
      const key = identityOf(course.value, field);
      if (key === undefined) continue;
      const first = this.#first[field].get(key);
      if (first === undefined) this.#first[field].set(copyString(key), origin);
      else yield { course, field, first };
    }
  }
}

/** The diagnostics of courses that repeat others, whose files are read again, each once. */
export async function reportRepeats(repeats: readonly Repeat[]): Promise<Diagnostic[]> {
  const files = new Map<Reread, Awaited<ReturnType<Reread>>>();
  const diagnostics: Diagnostic[] = [];
  for (const { course, field, first } of repeats) {
    if (!files.has(first.reread)) files.set(first.reread, await first.reread());
    const original = files.get(first.reread)?.courses[first.index];
    const related: Related[] = [];
    let where = "another course";
    if (original !== undefined) {
      const span = await original.locate([field], "value");
      const place = placeOf(original.file, span, `the first course with this ${field}`);
      related.push(place);
      where = `the course at ${place.file}:${place.line}:${place.column}`;
    }
    const problem: Problem = {
      rule: UNIQUE_FIELDS[field],
      severity: "error",
      at: "value",
      path: [field],
      message: `same ${field} as ${where}`,
    };
    diagnostics.push(await placeProblem(course, { problem, related }));
  }
  return diagnostics;
}
