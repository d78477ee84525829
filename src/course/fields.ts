/** The one table of a course's fields, from which everything said about them draws. */
import {
  certificate,
  instructor,
  offeredBy,
  price,
  providerRating,
  syllabusItem,
  topic,
  video,
} from "./objects.ts";
import { boolean, choice, type Key, listOf, numberFrom, text, textOf } from "./shape.ts";

/** One field of a course (api.md, "Course"). The table's order is the document's order. */
export interface Field extends Key {
  /** Set by the service alone. */
  readonly readOnly?: boolean;
  /** What an absent or null value stands for (cli.md section 11). */
  readonly default?: unknown;
  /** The flag of `create` and `update` that sets it, without the dashes. */
  readonly flag?: string;
}

const languages = listOf(textOf("language"), { setLike: true });

/** Every field, in the document's order. */
export const FIELDS: readonly Field[] = [
  {
    name: "id",
    shape: textOf("uuid"),
    description: "The course's UUID. Chosen when the course is created, if it is left out.",
    example: "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10",
  },
  {
    name: "name",
    required: true,
    flag: "name",
    shape: text,
    description: "The course's name.",
    example: "Knitting for Beginners",
  },
  {
    name: "url",
    required: true,
    flag: "url",
    shape: textOf("url"),
    description: "The course's page, on the site of one of your providers.",
    example: "https://academy.example/knitting",
  },
  {
    name: "slug",
    shape: text,
    description: "Made by the service from the name; what a file says is not compared.",
    example: "knitting-for-beginners-7f3a",
  },
  {
    name: "short_description",
    required: true,
    flag: "short-description",
    shape: text,
    description: "What search shows. Plain text, no formatting.",
    example: "Knit your first scarf in six evenings.",
  },
  {
    name: "long_description",
    required: true,
    flag: "long-description",
    shape: text,
    description: "The text on the course card. Plain text, no formatting.",
    example: "From casting on to binding off: yarn, needles, charts and your first scarf.",
  },
  {
    name: "audio",
    required: true,
    flag: "audio",
    shape: languages,
    description:
      "Languages spoken: ISO 639 alpha-2 codes, each with an ISO 3166-1 country if it matters.",
    example: ["en", "pt-BR"],
  },
  {
    name: "provider_id",
    required: true,
    flag: "provider",
    shape: textOf("uuid"),
    description: "The UUID of the provider that hosts the course; one of yours.",
    example: "6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  },
  {
    name: "pace",
    required: true,
    flag: "pace",
    shape: choice("self_paced", "instructor_paced"),
    description:
      "self_paced: at the student's own schedule; instructor_paced: at the instructor's, usually live.",
    example: "self_paced",
  },
  {
    name: "published",
    shape: boolean,
    default: true,
    description: "Whether the course is shown on the site, once approved.",
    example: true,
  },
  {
    name: "prices",
    shape: listOf(price),
    description: "What the course costs, one entry a way to buy it.",
    example: [{ type: "single_course", price: "49.99", currency: "EUR", plan_type: "regular" }],
  },
  {
    name: "certificate",
    shape: certificate,
    description: "The certificate of completion.",
    example: { type: "paid", price: "39.00", currency: "EUR" },
  },
  {
    name: "offered_by",
    shape: listOf(offeredBy),
    description: "The organizations behind the course.",
    example: [{ type: "university", name: "Example University", main: true }],
  },
  {
    name: "video",
    shape: video,
    description: "A video that presents the course.",
    example: { type: "youtube", id: "dQw4w9WgXcQ" },
  },
  {
    name: "provider_rating",
    shape: providerRating,
    description: "The provider's own rating and counts.",
    example: { type: "scale", min: 1, max: 5, value: 4.6, rating_count: 1287 },
  },
  {
    name: "free_content",
    shape: boolean,
    description: "Whether any content is free. May stand beside paid_content.",
    example: true,
  },
  {
    name: "paid_content",
    shape: boolean,
    description: "Whether any content is paid. May stand beside free_content.",
    example: true,
  },
  {
    name: "level",
    shape: listOf(choice("beginner", "intermediate", "advanced"), { setLike: true }),
    default: [],
    description: "For whom the course is; several may apply.",
    example: ["beginner"],
  },
  {
    name: "instructors",
    shape: listOf(instructor),
    description: "Who teaches.",
    example: [{ name: "Ada Lovelace", main: true }],
  },
  {
    name: "what_you_will_learn",
    shape: listOf(topic),
    description: "Topics that the course teaches.",
    example: [{ title: "Reading knitting charts" }],
  },
  {
    name: "syllabus",
    shape: listOf(syllabusItem),
    description: "The lessons in their order; at least a title each.",
    example: [{ title: "Casting on", duration: { value: 45, unit: "minutes" } }],
  },
  {
    name: "subtitles_text",
    shape: languages,
    description: "Languages of subtitles or text, written like audio.",
    example: ["en"],
  },
  {
    name: "image_url",
    shape: textOf("url"),
    description: "Thumbnail, shown when there is no video.",
    example: "https://academy.example/knitting.jpg",
  },
  {
    name: "number_of_lessons",
    shape: numberFrom(1, { whole: true }),
    default: 1,
    description: "How many lessons; 1 when the course is not divided.",
    example: 6,
  },
  {
    name: "assessments",
    shape: boolean,
    default: false,
    description: "Whether there is a final assessment.",
    example: false,
  },
  {
    name: "assignments",
    shape: boolean,
    default: false,
    description: "Whether assignments must be done to complete the course.",
    example: false,
  },
  {
    name: "duration_in_hours",
    shape: numberFrom(0),
    description: "Total duration in hours.",
    example: 7.5,
  },
  {
    name: "approval_status",
    readOnly: true,
    shape: text,
    description: "Where the course stands in the service's approval; pending at first.",
    example: "pending",
  },
  {
    name: "last_fetched_at",
    readOnly: true,
    shape: textOf("timestamp"),
    description: "A time that the service keeps, ISO 8601 with its offset.",
    example: "2026-01-31T12:00:00+00:00",
  },
  {
    name: "schema_version",
    readOnly: true,
    shape: textOf("version"),
    description: "Version of the service's course schema.",
    example: "1.0.0",
  },
];

/** The key that a file may use in place of `provider_id` (cli.md section 7). */
export const PROVIDER_KEY = "provider";

/** What stands behind that key. It is no field: it is resolved before a course is sent. */
export const PROVIDER_FIELD: Key = {
  name: PROVIDER_KEY,
  required: true,
  shape: text,
  description: "The provider's slug, domain or name, in the place of provider_id.",
  example: "academy.example",
};

const BY_NAME: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [field.name, field]));

/** The field of that name, or undefined. */
export function fieldNamed(name: string): Field | undefined {
  return BY_NAME.get(name);
}

/** The fields that a client may send, in the document's order. */
export const WRITABLE_FIELDS: readonly Field[] = FIELDS.filter((field) => field.readOnly !== true);
