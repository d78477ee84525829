/** The schema of a course: everything about its fields is derived from this definition. */
import * as z from "zod/mini";
import { usageError } from "../base/errors.ts";
import { closest, formatSuggestion } from "../base/text.ts";
import { formatPath, type Path, parsePath } from "../base/values.ts";
import {
  certificate,
  instructor,
  organization,
  price,
  rating,
  syllabusItem,
  topic,
  video,
} from "./objects.ts";
import {
  boolean,
  choice,
  filledString,
  type Key,
  language,
  list,
  numberFrom,
  object,
  objectShape,
  optional,
  partShape,
  readOnly,
  required,
  type Shape,
  set,
  string,
  url,
  uuid,
} from "./shape.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "./special-fields.ts";

/**
 * A course as a file describes it: every field of the service in its documented order, with `key` after `id`, and
 * `provider` after `provider_id`, which only course files have.
 */
export const COURSE = object("a course", {
  id: optional(
    uuid,
    "The UUID of the course. If you omit it, catalog chooses one when it creates the course.",
    "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
  ),
  [EXTERNAL_KEY]: optional(
    filledString,
    "Your identifier for the course, for example from your CMS. It is never sent: catalog derives the id of the course from it, so that the url can change.",
    "SKU-1042",
  ),
  name: required(filledString, "The name of the course.", "Knitting for Beginners", {
    flag: "name",
  }),
  url: required(
    url,
    "The page of the course, on the website of one of your providers.",
    "https://academy.example/knitting",
    { flag: "url" },
  ),
  slug: optional(
    string,
    "A short name that the service generates from the name of the course. Omit it: catalog never compares it.",
    "knitting-for-beginners-7f3a",
  ),
  short_description: required(
    filledString,
    "A text for search highlighting. Plain text, no formatting.",
    "Knit your first scarf in six evenings.",
    { flag: "short-description" },
  ),
  long_description: required(
    filledString,
    "The text on the course card. Plain text, no formatting.",
    "From casting on to binding off: yarn, needles, charts and your first scarf.",
    { flag: "long-description" },
  ),
  audio: required(
    set(language).check(z.minLength(1)),
    "The languages spoken, such as en or pt-BR (ISO 639, optionally with an ISO 3166-1 country).",
    ["en", "pt-BR"],
    { flag: "audio" },
  ),
  provider_id: optional(
    uuid,
    "The provider that hosts the course, by UUID. Easier: use provider instead.",
    "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
    { replacedBy: PROVIDER_KEY },
  ),
  [PROVIDER_KEY]: optional(
    filledString,
    "The provider that hosts the course, by slug, domain or name. It replaces provider_id.",
    "academy.example",
    { flag: "provider", replacedBy: "provider_id" },
  ),
  pace: required(
    choice(["self_paced", "instructor_paced"]),
    "self_paced: students set the schedule; instructor_paced: the instructor does, usually live.",
    "self_paced",
    { flag: "pace" },
  ),
  published: optional(
    boolean,
    "Whether the catalog's website shows the course, once it is approved.",
    true,
    { default: true },
  ),
  prices: optional(list(price), "The prices, one per way to buy the course.", [
    { type: "single_course", price: "49.99", currency: "EUR", plan_type: "regular" },
  ]),
  certificate: optional(certificate, "The certificate of completion.", {
    type: "paid",
    price: "39.00",
    currency: "EUR",
  }),
  offered_by: optional(list(organization), "The organizations that offer the course.", [
    { type: "university", name: "Example University", main: true },
  ]),
  video: optional(video, "A video that presents the course.", {
    type: "youtube",
    id: "dQw4w9WgXcQ",
  }),
  provider_rating: optional(
    rating,
    "The rating of the course at its provider, with the counts of ratings, enrollments and reviews.",
    { type: "scale", min: 1, max: 5, value: 4.6, rating_count: 1287 },
  ),
  free_content: optional(
    boolean,
    "Whether any content is free. A course may have free and paid content.",
    true,
  ),
  paid_content: optional(
    boolean,
    "Whether any content is paid. A course may have free and paid content.",
    true,
  ),
  level: optional(
    set(choice(["beginner", "intermediate", "advanced"])),
    "The levels of the target audience.",
    ["beginner"],
    { default: [] },
  ),
  instructors: optional(list(instructor), "The people who teach the course.", [
    { name: "Ada Lovelace", main: true },
  ]),
  what_you_will_learn: optional(list(topic), "What the course teaches.", [
    { title: "Reading knitting charts" },
  ]),
  syllabus: optional(list(syllabusItem), "The lessons, in order; each needs at least a title.", [
    { title: "Casting on", duration: { value: 45, unit: "minutes" } },
  ]),
  subtitles_text: optional(
    set(language),
    "The languages of subtitles or texts, written as in audio.",
    ["en"],
  ),
  image_url: optional(
    url,
    "The thumbnail of the course, shown if there is no video.",
    "https://academy.example/knitting.jpg",
  ),
  number_of_lessons: optional(
    numberFrom(1, true),
    "The number of lessons; 1 if the course is not divided.",
    6,
    { default: 1 },
  ),
  assessments: optional(boolean, "Whether the course has a final assessment.", false, {
    default: false,
  }),
  assignments: optional(
    boolean,
    "Whether students must do assignments to complete the course.",
    false,
    { default: false },
  ),
  duration_in_hours: optional(numberFrom(0), "The total duration in hours.", 7.5),
  approval_status: readOnly("The approval status: pending for a new course.", "pending"),
  last_fetched_at: readOnly(
    "A time set by the service, in ISO 8601 with its offset.",
    "2026-01-31T12:00:00+00:00",
  ),
  schema_version: readOnly("The version of the service's course schema.", "1.0.0"),
});

export const COURSE_SHAPE = objectShape(COURSE);

/** Every field, in the documented order. */
export const FIELDS: readonly Key[] = COURSE_SHAPE.keys.filter(
  ({ name }) => name !== PROVIDER_KEY && name !== EXTERNAL_KEY,
);

export const FIELD_NAMES: readonly string[] = FIELDS.map(({ name }) => name);

/** The fields that a client may send, in the documented order. */
export const WRITABLE_FIELDS: readonly Key[] = FIELDS.filter((field) => !field.readOnly);

/** The field of a name; undefined if there is none. `key` and `provider` are not fields. */
export function findField(name: string): Key | undefined {
  return FIELDS.find((field) => field.name === name);
}

/** The key at the end of a path such as `prices[0].type`; undefined if no object has such a key. */
export function keyAt(path: Path): Key | undefined {
  const parent = shapeAt(path.slice(0, -1));
  const name = path.at(-1);
  return parent?.kind === "object" ? parent.byName.get(String(name)) : undefined;
}

/** The shape of the value at a path; undefined after a key that its object does not have. */
export function shapeAt(path: Path): Shape | undefined {
  let shape: Shape | undefined = COURSE_SHAPE;
  for (const step of path) shape = partShape(shape, step);
  return shape;
}

/** The values of a closed list, at the path of a value: `["level", 0]` gives beginner, intermediate and advanced. */
export function choicesAt(path: Path): readonly string[] {
  const shape = shapeAt(path);
  return shape?.kind === "enum" ? shape.values : [];
}

/** The path that the name of a column or a key means. A name that is not a path inside a course is one unknown field. */
export function namedPath(name: string): Path {
  if (COURSE_SHAPE.byName.has(name)) return [name];
  const path = parsePath(name) ?? [];
  const parent = shapeAt(path.slice(0, -1));
  const last = path.at(-1) ?? 0;
  const isPath =
    typeof last === "string" ? parent?.kind === "object" : partShape(parent, last) !== undefined;
  return isPath ? path : [name];
}

/** Whether the value at a path is any text, and not a code or a URL. */
export function isFreeText(path: Path): boolean {
  const shape = shapeAt(path);
  if (shape?.kind === "string") return shape.format === undefined;
  return shape?.kind === "paragraphs";
}

/** The path with its first unknown name corrected: `prices[0].currency` for `prices[0].curency`; undefined if none is near. */
export function suggestPath(path: Path): string | undefined {
  const unknown = path.findIndex((_, index) => shapeAt(path.slice(0, index + 1)) === undefined);
  const parent = unknown === -1 ? undefined : shapeAt(path.slice(0, unknown));
  const names = parent?.kind === "object" ? parent.keys.map(({ name }) => name) : [];
  const near = closest(String(path[unknown]), names);
  return near && formatPath([...path.slice(0, unknown), near, ...path.slice(unknown + 1)]);
}

/** The path of a value that can be set. @throws CatalogError of kind `usage` */
export function writablePath(text: string, flag: string): Path {
  const path = parsePath(text.trim()) ?? [];
  const [field] = path;
  if (field === undefined || shapeAt(path) === undefined) {
    throw usageError(
      `unknown field ${JSON.stringify(text)} in ${flag}`,
      formatSuggestion(suggestPath(path), "For example: prices[0].currency"),
    );
  }
  if (findField(String(field))?.readOnly !== true) return path;
  throw usageError(`${flag} cannot change ${field}, which only the service sets`);
}
