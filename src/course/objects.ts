/** The objects inside a course and their keys. */
import * as z from "zod/mini";
import {
  certificatePriceKeys,
  priceSubscriptionKeys,
  ratingScaleEnds,
  ratingScaleKeys,
  ratingTypeWithValue,
  ratingValueRange,
  videoSource,
} from "./rules.ts";
import {
  amount,
  boolean,
  choice,
  currency,
  integerFrom,
  nonEmptyString,
  numberFrom,
  paragraphs,
  string,
  url,
} from "./schemas.ts";
import { object, optional, required } from "./shape.ts";

const period = object("a period", {
  unit: required(choice("days", "weeks", "months", "years"), "Unit of the period.", "months"),
  value: required(() => numberFrom(0), "How many units.", 1),
});

/** Element of `prices`. */
export const price = object(
  "a price",
  {
    type: required(
      choice("single_course", "subscription"),
      "single_course: bought on its own; subscription: part of a subscription plan.",
      "single_course",
    ),
    price: optional(amount, "Amount, as a string.", "49.99"),
    currency: optional(currency, "ISO 4217 code.", "EUR"),
    plan_type: optional(choice("regular", "premium"), "Kind of plan.", "regular"),
    total_price: optional(
      amount,
      "Price of the complete subscription; only for a subscription.",
      "119.88",
    ),
    subscription_period: optional(
      period.schema,
      "Length of the subscription; only for a subscription.",
      { unit: "years", value: 1 },
    ),
    payment_period: optional(period.schema, "Billing interval; only for a subscription.", {
      unit: "months",
      value: 1,
    }),
    trial_period: optional(period.schema, "Length of the free trial; only for a subscription.", {
      unit: "days",
      value: 7,
    }),
    customer_type: optional(string, "Who the price is for.", "individual"),
  },
  [priceSubscriptionKeys],
);

/** The `certificate` field. */
export const certificate = object(
  "a certificate",
  {
    type: required(
      choice("free", "included", "paid"),
      "paid: the certificate costs extra, even if the course is free; free: course and certificate are free; included: a paid course includes it.",
      "included",
    ),
    price: optional(amount, "Amount, as a string; only when type is paid.", "39.00"),
    currency: optional(currency, "ISO 4217 code; only when type is paid.", "EUR"),
  },
  [certificatePriceKeys],
);

/** Element of `offered_by`. */
export const organization = object("an organization", {
  type: required(choice("university", "company", "other"), "Kind of organization.", "university"),
  name: required(nonEmptyString, "Name of the organization.", "Example University"),
  main: optional(boolean, "Whether this is the main organization of the list.", true),
});

/** The `video` field. */
export const video = object(
  "a video",
  {
    type: required(
      choice("self_hosted", "vimeo", "youtube"),
      "Where the video is hosted.",
      "youtube",
    ),
    url: optional(
      url,
      "Address of the video; only for self_hosted.",
      "https://academy.example/intro.mp4",
    ),
    id: optional(string, "Id of the video; instead of url for vimeo and youtube.", "dQw4w9WgXcQ"),
    thumbnail_url: optional(
      url,
      "Address of the video's thumbnail.",
      "https://academy.example/intro.jpg",
    ),
  },
  [videoSource],
);

/** The `provider_rating` field. */
export const rating = object(
  "a rating",
  {
    type: optional(
      choice("scale", "positive_ratio", "likes"),
      "How the rating is expressed.",
      "scale",
    ),
    min: optional(() => z.number(), "Lowest value; only for scale, if it has a value.", 1),
    max: optional(() => z.number(), "Highest value; only for scale, if it has a value.", 5),
    value: optional(
      () => z.number(),
      "For scale between min and max, for positive_ratio between 0 and 100, for likes a positive whole number.",
      4.6,
    ),
    rating_count: optional(() => integerFrom(0), "Number of ratings.", 1287),
    enrollment_count: optional(() => integerFrom(0), "Number of enrollments.", 15400),
    review_count: optional(() => integerFrom(0), "Number of written reviews.", 312),
  },
  [ratingScaleKeys, ratingScaleEnds, ratingValueRange, ratingTypeWithValue],
);

/** Element of `instructors`. */
export const instructor = object("an instructor", {
  name: required(nonEmptyString, "Name of the instructor.", "Ada Lovelace"),
  distinguished: optional(boolean, "Whether this is a distinguished expert in the field.", true),
  main: optional(boolean, "Whether this is one of the main instructors.", true),
});

/** Element of `what_you_will_learn`. */
export const topic = object("a topic", {
  title: required(nonEmptyString, "Title of the topic.", "Reading knitting charts"),
  description: optional(
    paragraphs,
    "One string, or a list of strings, one per paragraph.",
    "Every symbol and how to work it.",
  ),
});

const duration = object("a duration", {
  value: required(() => numberFrom(0), "How many units.", 45),
  unit: required(choice("hours", "minutes", "seconds"), "Unit of the duration.", "minutes"),
});

/** Element of `syllabus`. */
export const syllabusItem = object("a syllabus item", {
  title: required(nonEmptyString, "Title of the lesson.", "Casting on"),
  description: optional(paragraphs, "One string, or a list of strings, one per paragraph.", [
    "Yarn and needles.",
    "The long-tail cast-on.",
  ]),
  duration: optional(duration.schema, "How long the lesson takes.", { value: 45, unit: "minutes" }),
});
