/** The objects inside a course, and their fields. */
import {
  amount,
  boolean,
  choice,
  count,
  currency,
  expected,
  filledString,
  number,
  numberFrom,
  object,
  optional,
  paragraphs,
  required,
  string,
  url,
} from "./shape.ts";

const period = object("a period", {
  unit: expected(choice(["days", "weeks", "months", "years"]), "The unit of the period.", "months"),
  value: expected(numberFrom(0), "The number of units.", 1),
});

export const price = object("a price", {
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

export const certificate = object("a certificate", {
  type: required(
    choice(["free", "included", "paid"]),
    "paid: the certificate costs extra, even if the course is free; free: course and certificate are free; included: a paid course includes it.",
    "included",
  ),
  price: optional(amount, "The amount, as a string; only if type is paid.", "39.00"),
  currency: optional(currency, "The currency, as an ISO 4217 code; only if type is paid.", "EUR"),
});

export const organization = object("an organization", {
  type: expected(
    choice(["university", "company", "other"]),
    "The kind of organization.",
    "university",
  ),
  name: expected(filledString, "The name of the organization.", "Example University"),
  main: optional(boolean, "Whether this is the main organization of the list.", true),
});

export const video = object("a video", {
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

export const rating = object("a rating", {
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

export const instructor = object("an instructor", {
  name: required(filledString, "The name of the instructor.", "Ada Lovelace"),
  distinguished: optional(boolean, "Whether this is a distinguished expert in the field.", true),
  main: optional(boolean, "Whether this is one of the main instructors.", true),
});

export const topic = object("a topic", {
  title: expected(filledString, "The title of the topic.", "Reading knitting charts"),
  description: optional(
    paragraphs,
    "A string, or a list of strings with one paragraph each.",
    "Every symbol and how to work it.",
  ),
});

const duration = object("a duration", {
  value: expected(numberFrom(0), "The number of units.", 45),
  unit: expected(choice(["hours", "minutes", "seconds"]), "The unit of the duration.", "minutes"),
});

export const syllabusItem = object("a syllabus item", {
  title: expected(filledString, "The title of the lesson.", "Casting on"),
  description: optional(paragraphs, "A string, or a list of strings with one paragraph each.", [
    "Yarn and needles.",
    "The long-tail cast-on.",
  ]),
  duration: optional(duration, "How long the lesson takes.", { value: 45, unit: "minutes" }),
});
