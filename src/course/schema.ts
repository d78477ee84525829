/** The schema of a course: everything about its fields is derived from this definition. */
import * as z from "zod/mini";
import {
  amount,
  boolean,
  choice,
  count,
  currency,
  expected,
  filledString,
  language,
  list,
  number,
  numberFrom,
  object,
  optional,
  paragraphs,
  readOnly,
  required,
  set,
  string,
  url,
  uuid,
} from "./shape.ts";
import { EXTERNAL_KEY, PROVIDER_KEY } from "./special-fields.ts";

const period = object("period", {
  unit: expected(choice(["days", "weeks", "months", "years"]), "The unit of the period.", "months"),
  value: expected(numberFrom(0), "The number of units.", 1),
});

const price = object("price", {
  type: expected(
    choice(["single_course", "subscription"]),
    "single_course: bought on its own; subscription: part of a subscription plan.",
    "single_course",
  ),
  price: optional(amount, "The amount, as a string.", "49.99"),
  currency: optional(currency, "The currency, as an ISO 4217 code.", "EUR"),
  plan_type: optional(choice(["regular", "premium"]), "The kind of plan.", "regular"),
  total_price: optional(
    amount,
    "The price of the complete subscription; only for a subscription.",
    "119.88",
  ),
  subscription_period: optional(
    period,
    "The length of the subscription; only for a subscription.",
    { unit: "years", value: 1 },
  ),
  payment_period: optional(period, "The billing interval; only for a subscription.", {
    unit: "months",
    value: 1,
  }),
  trial_period: optional(period, "The length of the free trial; only for a subscription.", {
    unit: "days",
    value: 7,
  }),
  customer_type: optional(string, "Who the price is for.", "individual"),
});

const certificate = object("certificate", {
  type: required(
    choice(["free", "included", "paid"]),
    "paid: the certificate costs extra, even if the course is free; free: course and certificate are free; included: a paid course includes it.",
    "included",
  ),
  price: optional(amount, "The amount, as a string; only if type is paid.", "39.00"),
  currency: optional(currency, "The currency, as an ISO 4217 code; only if type is paid.", "EUR"),
});

const organization = object("organization", {
  type: expected(
    choice(["university", "company", "other"]),
    "The kind of organization.",
    "university",
  ),
  name: expected(filledString, "The name of the organization.", "Example University"),
  main: optional(boolean, "Whether this is the main organization of the list.", true),
});

const video = object("video", {
  type: expected(
    choice(["self_hosted", "vimeo", "youtube"]),
    "Where the video is hosted.",
    "youtube",
  ),
  url: optional(
    url,
    "The URL of the video; only for self_hosted.",
    "https://academy.example/intro.mp4",
  ),
  id: optional(string, "The id of the video on vimeo or youtube, instead of url.", "dQw4w9WgXcQ"),
  thumbnail_url: optional(
    url,
    "The URL of the thumbnail of the video.",
    "https://academy.example/intro.jpg",
  ),
});

const rating = object("rating", {
  type: optional(
    choice(["scale", "positive_ratio", "likes"]),
    "How the rating is expressed.",
    "scale",
  ),
  min: optional(number, "The lowest value of a scale; required with a value.", 1),
  max: optional(number, "The highest value of a scale; required with a value.", 5),
  value: optional(
    number,
    "The rating: on a scale between min and max, as a positive_ratio between 0 and 100, as likes a positive whole number.",
    4.6,
  ),
  rating_count: optional(count, "The number of ratings.", 1287),
  enrollment_count: optional(count, "The number of enrollments.", 15400),
  review_count: optional(count, "The number of written reviews.", 312),
});

const instructor = object("instructor", {
  name: required(filledString, "The name of the instructor.", "Ada Lovelace"),
  distinguished: optional(boolean, "Whether this is a distinguished expert in the field.", true),
  main: optional(boolean, "Whether this is one of the main instructors.", true),
});

const topic = object("topic", {
  title: expected(filledString, "The title of the topic.", "Reading knitting charts"),
  description: optional(
    paragraphs,
    "A string, or a list of strings with one paragraph each.",
    "Every symbol and how to work it.",
  ),
});

const duration = object("duration", {
  value: expected(numberFrom(0), "The number of units.", 45),
  unit: expected(choice(["hours", "minutes", "seconds"]), "The unit of the duration.", "minutes"),
});

const syllabusItem = object("syllabus_item", {
  title: expected(filledString, "The title of the lesson.", "Casting on"),
  description: optional(paragraphs, "A string, or a list of strings with one paragraph each.", [
    "Yarn and needles.",
    "The long-tail cast-on.",
  ]),
  duration: optional(duration, "How long the lesson takes.", { value: 45, unit: "minutes" }),
});

/**
 * A course as a file describes it: every field of the service in its documented order, with `key` after `id`, and
 * `provider` after `provider_id`, which only course files have.
 */
export const COURSE = object("course", {
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
