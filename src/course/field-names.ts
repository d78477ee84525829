/** The names of a course's fields, for commands that need no schema: loading zod takes long. */

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
