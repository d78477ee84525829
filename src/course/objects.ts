/** The objects inside a course and their keys (api.md, "Price object" to "Syllabus item"). */
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
  boolean,
  choice,
  numberFrom,
  type ObjectShape,
  objectOf,
  paragraphs,
  text,
  textOf,
} from "./shape.ts";

const amount = textOf("amount");
const currency = textOf("currency");
const counted = numberFrom(0, { whole: true });

/** A stretch of time in a price. */
const period: ObjectShape = objectOf("a period", [
  {
    name: "unit",
    required: true,
    shape: choice("days", "weeks", "months", "years"),
    description: "Unit of the period.",
    example: "months",
  },
  {
    name: "value",
    required: true,
    shape: numberFrom(0),
    description: "How many units.",
    example: 1,
  },
]);

/** Element of `prices`. */
export const price: ObjectShape = objectOf(
  "a price",
  [
    {
      name: "type",
      required: true,
      shape: choice("single_course", "subscription"),
      description: "single_course: bought on its own; subscription: part of a subscription plan.",
      example: "single_course",
    },
    { name: "price", shape: amount, description: "Amount, as a text.", example: "49.99" },
    { name: "currency", shape: currency, description: "ISO 4217 code.", example: "EUR" },
    {
      name: "plan_type",
      shape: choice("regular", "premium"),
      description: "Kind of the plan.",
      example: "regular",
    },
    {
      name: "total_price",
      shape: amount,
      description: "Price of the whole subscription; only for a subscription.",
      example: "119.88",
    },
    {
      name: "subscription_period",
      shape: period,
      description: "How long the subscription runs; only for a subscription.",
      example: { unit: "years", value: 1 },
    },
    {
      name: "payment_period",
      shape: period,
      description: "How often is paid; only for a subscription.",
      example: { unit: "months", value: 1 },
    },
    {
      name: "trial_period",
      shape: period,
      description: "How long can be tried; only for a subscription.",
      example: { unit: "days", value: 7 },
    },
    {
      name: "customer_type",
      shape: text,
      description: "Who the price is for.",
      example: "individual",
    },
  ],
  priceSubscriptionKeys,
);

/** The `certificate` field. */
export const certificate: ObjectShape = objectOf(
  "a certificate",
  [
    {
      name: "type",
      required: true,
      shape: choice("free", "included", "paid"),
      description:
        "paid: the certificate costs extra, even if the course is free; free: course and certificate are free; included: a paid course includes it.",
      example: "paid",
    },
    {
      name: "price",
      shape: amount,
      description: "Amount, as a text; only when type is paid.",
      example: "39.00",
    },
    {
      name: "currency",
      shape: currency,
      description: "ISO 4217 code; only when type is paid.",
      example: "EUR",
    },
  ],
  certificatePriceKeys,
);

/** Element of `offered_by`. */
export const offeredBy: ObjectShape = objectOf("an organization", [
  {
    name: "type",
    required: true,
    shape: choice("university", "company", "other"),
    description: "Kind of organization.",
    example: "university",
  },
  {
    name: "name",
    required: true,
    shape: text,
    description: "Name of the organization.",
    example: "Example University",
  },
  {
    name: "main",
    shape: boolean,
    description: "Whether this is the main organization of the list.",
    example: true,
  },
]);

/** The `video` field. */
export const video: ObjectShape = objectOf(
  "a video",
  [
    {
      name: "type",
      required: true,
      shape: choice("self_hosted", "vimeo", "youtube"),
      description: "Where the video lies.",
      example: "youtube",
    },
    {
      name: "url",
      shape: textOf("url"),
      description: "Address of the video; only for self_hosted.",
      example: "https://academy.example/intro.mp4",
    },
    {
      name: "id",
      shape: text,
      description: "Id of the video; in place of url for vimeo and youtube.",
      example: "dQw4w9WgXcQ",
    },
    {
      name: "thumbnail_url",
      shape: textOf("url"),
      description: "Address of the video's thumbnail.",
      example: "https://academy.example/intro.jpg",
    },
  ],
  videoSource,
);

/** The `provider_rating` field. */
export const providerRating: ObjectShape = objectOf(
  "a rating",
  [
    {
      name: "type",
      shape: choice("scale", "positive_ratio", "likes"),
      description: "How the rating is expressed.",
      example: "scale",
    },
    {
      name: "min",
      shape: { kind: "number" },
      description: "Lower end; only for scale, where a value needs it.",
      example: 1,
    },
    {
      name: "max",
      shape: { kind: "number" },
      description: "Upper end; only for scale, where a value needs it.",
      example: 5,
    },
    {
      name: "value",
      shape: { kind: "number" },
      description:
        "For scale between min and max, for positive_ratio between 0 and 100, for likes a positive whole number.",
      example: 4.6,
    },
    {
      name: "rating_count",
      shape: counted,
      description: "How many users rated.",
      example: 1287,
    },
    {
      name: "enrollment_count",
      shape: counted,
      description: "How many enrolled.",
      example: 15400,
    },
    {
      name: "review_count",
      shape: counted,
      description: "How many wrote a review.",
      example: 312,
    },
  ],
  ratingScaleKeys,
  ratingScaleEnds,
  ratingValueRange,
  ratingTypeWithValue,
);

/** Element of `instructors`. */
export const instructor: ObjectShape = objectOf("an instructor", [
  {
    name: "name",
    required: true,
    shape: text,
    description: "Name of the instructor.",
    example: "Ada Lovelace",
  },
  {
    name: "distinguished",
    shape: boolean,
    description: "Whether distinguished in the course's field.",
    example: true,
  },
  {
    name: "main",
    shape: boolean,
    description: "Whether one of the main instructors.",
    example: true,
  },
]);

/** Element of `what_you_will_learn`. */
export const topic: ObjectShape = objectOf("a topic", [
  {
    name: "title",
    required: true,
    shape: text,
    description: "Title of the topic.",
    example: "Reading knitting charts",
  },
  {
    name: "description",
    shape: paragraphs,
    description: "One text, or a list of texts, one a paragraph.",
    example: "Every symbol and how to work it.",
  },
]);

/** How long a lesson takes. */
const duration: ObjectShape = objectOf("a duration", [
  {
    name: "value",
    required: true,
    shape: numberFrom(0),
    description: "How many units.",
    example: 45,
  },
  {
    name: "unit",
    required: true,
    shape: choice("hours", "minutes", "seconds"),
    description: "Unit of the duration.",
    example: "minutes",
  },
]);

/** Element of `syllabus`. */
export const syllabusItem: ObjectShape = objectOf("a syllabus item", [
  {
    name: "title",
    required: true,
    shape: text,
    description: "Title of the lesson.",
    example: "Casting on",
  },
  {
    name: "description",
    shape: paragraphs,
    description: "One text, or a list of texts, one a paragraph.",
    example: ["Yarn and needles.", "The long-tail cast-on."],
  },
  {
    name: "duration",
    shape: duration,
    description: "How long the lesson takes.",
    example: { value: 45, unit: "minutes" },
  },
]);
