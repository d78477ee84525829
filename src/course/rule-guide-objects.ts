/** Tells about the rules that span several keys of one object in a course. */
import type { RuleId } from "./problem.ts";
import { example, prose, type RuleGuide } from "./rule-guide-shape.ts";

/** Rules of a price, a certificate, a video and a rating. */
export const OBJECT_GUIDES = {
  "price-subscription": {
    severity: "error",
    summary: "Only a price of type subscription has a total price and periods.",
    explanation: prose(`
      total_price, subscription_period, payment_period and trial_period say how a subscription runs;
      a single_course is bought once. Change the type, or take these keys out.`),
    wrong: example(`
      prices:
        - type: single_course
          price: "9.99"
          currency: EUR
          trial_period: { value: 7, unit: days }`),
    right: example(`
      prices:
        - type: subscription
          price: "9.99"
          currency: EUR
          trial_period: { value: 7, unit: days }`),
  },
  "certificate-price": {
    severity: "error",
    summary: "Only a certificate of type paid has a price and a currency.",
    explanation: prose(`
      A certificate that costs extra is paid, even if the course itself is free. A free one comes
      with a free course, an included one with a paid course, and neither has a price of its own.
      Change the type, or take price and currency out.`),
    wrong: example(`
      certificate:
        type: included
        price: "39.00"
        currency: EUR`),
    right: example(`
      certificate:
        type: paid
        price: "39.00"
        currency: EUR`),
  },
  "video-source": {
    severity: "error",
    summary: "A self_hosted video is named by its url, one on vimeo or youtube by its id.",
    explanation: prose(`
      Each type has exactly one of the two keys. The id is the part of the address that names the
      video, not the whole address.`),
    wrong: example(`
      video:
        type: youtube
        url: https://www.youtube.com/watch?v=dQw4w9WgXcQ`),
    right: example(`
      video:
        type: youtube
        id: dQw4w9WgXcQ`),
  },
  "rating-scale": {
    severity: "error",
    summary: "A rating of type scale with a value has min and max, and no other type has them.",
    explanation: prose(`
      Without its two ends nobody can tell what a value on a scale means; likes and positive_ratio
      have no ends of their own. min is not above max.`),
    wrong: example(`
      provider_rating:
        type: scale
        value: 4.6`),
    right: example(`
      provider_rating:
        type: scale
        min: 1
        max: 5
        value: 4.6`),
  },
  "rating-value": {
    severity: "error",
    summary: "The value of a rating lies in the range of its type.",
    explanation: prose(`
      On a scale it is neither below min nor above max; a positive_ratio is between 0 and 100; likes
      are a positive whole number.`),
    wrong: example(`
      provider_rating:
        type: scale
        min: 1
        max: 5
        value: 92`),
    right: example(`
      provider_rating:
        type: positive_ratio
        value: 92`),
  },
  "rating-type": {
    severity: "warning",
    summary: "The type and the value of a rating stand together.",
    explanation: prose(`
      A value says nothing without its type, nor a type without its value. Add the one that is
      missing, or leave both out: a rating may consist of counts alone.`),
    wrong: example(`
      provider_rating:
        value: 92
        rating_count: 1287`),
    right: example(`
      provider_rating:
        type: positive_ratio
        value: 92
        rating_count: 1287`),
  },
} as const satisfies Partial<Record<RuleId, RuleGuide>>;
