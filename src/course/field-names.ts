/** The names of a course's fields, and which no two courses share, for commands that need no schema: loading zod takes long. */
import { copyString } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import type { RuleId } from "./problem.ts";

/** Every field in the documented order; the schema in `fields.ts` is type-checked against it. */
export const FIELD_NAMES = [
  "id",
  "name",
  "url",
  "slug",
  "short_description",
  "long_description",
  "audio",
  "provider_id",
  "pace",
  "published",
  "prices",
  "certificate",
  "offered_by",
  "video",
  "provider_rating",
  "free_content",
  "paid_content",
  "level",
  "instructors",
  "what_you_will_learn",
  "syllabus",
  "subtitles_text",
  "image_url",
  "number_of_lessons",
  "assessments",
  "assignments",
  "duration_in_hours",
  "approval_status",
  "last_fetched_at",
  "schema_version",
] as const;

export type FieldName = (typeof FIELD_NAMES)[number];

/** The key that a course file may use instead of `provider_id`. */
export const PROVIDER_KEY = "provider";

/** The key of a course file that identifies a course by the owner's own number, and is never sent. */
export const EXTERNAL_KEY = "key";

/** Whether a top-level key of a course file is the owner's own, such as `x-notes`: never sent or compared. */
export function isPrivateKey(name: string): boolean {
  return name.startsWith("x-");
}

/** Whether the values of a field or column are times. */
export function isTimeField(name: string): boolean {
  return name === "last_fetched_at" || name === "time";
}

/** Each field with the rule that a repeated value breaks. */
export const UNIQUE_RULES = {
  id: "duplicate-id",
  [EXTERNAL_KEY]: "duplicate-key",
  url: "duplicate-url",
} as const satisfies Record<string, RuleId>;

export type UniqueField = keyof typeof UNIQUE_RULES;

export const UNIQUE_FIELDS = Object.keys(UNIQUE_RULES) as readonly UniqueField[];

/** Fields that no defaults file can fill, because they differ from course to course. */
export const WITHOUT_DEFAULT: readonly string[] = [...UNIQUE_FIELDS, "slug"];

/** Remembers the ids, keys and urls of courses, with where each was first. */
export class UniqueValues<Origin> {
  readonly #first: Readonly<Record<UniqueField, Map<string, Origin>>> = {
    id: new Map(),
    [EXTERNAL_KEY]: new Map(),
    url: new Map(),
  };

  /** Remembers a course, and yields what it shares with the first that had it. */
  *findRepeated(
    course: unknown,
    origin: Origin,
  ): Generator<{ readonly field: UniqueField; readonly first: Origin }> {
    for (const field of UNIQUE_FIELDS) {
      const identity = identityOf(course, field);
      if (identity === undefined) continue;
      const first = this.#first[field].get(identity);
      if (first === undefined) this.#first[field].set(copyString(identity), origin);
      else yield { field, first };
    }
  }
}

/** What must be unique of a field, if it is given. */
function identityOf(course: unknown, field: UniqueField): string | undefined {
  if (!isObject(course)) return undefined;
  const value = course[field];
  if (typeof value !== "string" || value === "") return undefined;
  if (field === "url") return value;
  if (field === "id") return value.toLowerCase();
  // A key is unique among the courses of a provider.
  const provider = course.provider_id ?? course[PROVIDER_KEY];
  return JSON.stringify([typeof provider === "string" ? provider.toLowerCase() : null, value]);
}
