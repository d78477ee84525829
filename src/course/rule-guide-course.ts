/** The guides of the rules for fields, for objects and for their combinations. */
import { joinList } from "../base/text.ts";
import { FIELDS, type Field } from "./fields.ts";
import type { Guide, RuleId } from "./problem.ts";

const REQUIRED = namesOf(({ required }) => required);
const READ_ONLY = namesOf(({ readOnly }) => readOnly);

function namesOf(test: (field: Field) => boolean): string {
  return joinList(
    FIELDS.filter(test).map(({ name }) => name),
    "and",
  );
}

export const COURSE_GUIDES = {
  required: {
    summary: "Every required field or key must be given and must not be null.",
    explanation: `
      A course needs ${REQUIRED}; provider can replace provider_id. Objects have required keys,
      too, such as the name of an instructor. Only a file for courses update may omit fields.`,
    wrong: "instructors: [{ main: true }]",
    right: "instructors: [{ name: Ada Lovelace, main: true }]",
  },
  blank: {
    summary: "A required string or list must not be empty.",
    explanation: `
      The service rejects a required string that is empty or only whitespace, and a required list
      without elements. Fill it in.`,
    wrong: 'short_description: ""',
    right: "short_description: Knit your first scarf in six evenings.",
  },
  placeholder: {
    summary: "The placeholders of the starter file must be replaced.",
    explanation: `
      courses init writes placeholders into the fields that only you can fill: name, url,
      short_description and long_description. Replace each of them.`,
    wrong: "name: Replace this with the name of the course",
    right: "name: Knitting for Beginners",
  },
  "lone-surrogate": {
    summary: "A string must consist of complete characters.",
    explanation: `
      An escape such as \\ud83e is half of a character and has no meaning without the other
      half. Programs replace it or fail (RFC 7493). The file was probably written by a program that
      cut a string in the middle. Write the character itself.`,
    wrong: 'name: "Knitting \\ud83e"',
    right: "name: Knitting 🧶",
  },
  "inexact-number": {
    summary: "A whole number must not lose digits when it is read.",
    explanation: `
      JSON readers keep whole numbers exact up to 2^53, about nine quadrillion. A larger number is
      rounded, so that the service would store another one. Correct the number.`,
    wrong: "number_of_lessons: 9007199254740993",
    right: "number_of_lessons: 12",
  },
  "lost-text": {
    severity: "warning",
    summary: "In YAML, text that contains a # after a space should be in quotes.",
    explanation: `
      Without quotes, a # after a space begins a comment, so the rest of the line is not part of the
      value. This is reported for text fields if the # is followed by a letter or a digit, or follows
      a single letter. Put the text in quotes; if it is a comment, put it on a separate line.`,
    wrong: "short_description: Part #1 of the knitting course.",
    right: 'short_description: "Part #1 of the knitting course."',
  },
  "typographic-quotes": {
    severity: "warning",
    summary: "A value should not be enclosed in typographic quotes.",
    explanation: `
      Only straight quotes (" or ') enclose a value. Typographic quotes, which word processors and
      spreadsheets insert, become part of it and are shown. Replace them by straight quotes, or remove
      them.`,
    wrong: "name: “Knitting for Beginners”",
    right: "name: Knitting for Beginners",
  },
  "too-long": {
    summary: "A key must have at most 200 characters.",
    explanation: `
      The key is your own number of the course, such as that of a CMS. Use a short number or code,
      and put text in the fields for it.`,
    wrong:
      `key: >-\n${"  A key is not the place for the description of a course.\n".repeat(4)}`.trim(),
    right: "key: SKU-1042",
  },
  type: {
    summary: "A value must have the type of its field.",
    explanation: `
      Strings, numbers, true or false, lists and objects are different types: 49.99 is a number,
      "49.99" in quotes is a string. Amounts are strings, so that no digit is lost. A list needs
      brackets or dashes even with one element: [en].`,
    wrong: "prices: [{ type: single_course, price: 49.90, currency: EUR }]",
    right: 'prices: [{ type: single_course, price: "49.90", currency: EUR }]',
  },
  choice: {
    summary: "The value must be one of the allowed ones.",
    explanation: `
      Some fields accept only certain words, such as pace, level and every type. The finding lists
      them. Spell the word exactly like that, in lower case and with underscores.`,
    wrong: "pace: self-paced",
    right: "pace: self_paced",
  },
  "unknown-key": {
    summary: "Every key must belong to a course, or to the object that contains it.",
    explanation: `
      The service rejects unknown keys. Check the spelling, and the indentation, which decides
      which object a key belongs to. Put notes in comments. YAML 1.2 has no merge keys (<<).`,
    wrong: "subtitles: [en, pt-BR]",
    right: "subtitles_text: [en, pt-BR]",
  },
  "read-only": {
    severity: "warning",
    summary: "Fields that only the service sets should be omitted.",
    explanation: `
      ${READ_ONLY} describe what the service has done with a course. The output of courses get
      contains them, but they are never sent.`,
    wrong: "approval_status: approved",
    right: "published: true",
  },
  "own-slug": {
    severity: "warning",
    summary: "The slug should be left to the service.",
    explanation: `
      The service generates the slug from the name and a random suffix. It may ignore the slug in a
      file, which is never compared. Remove it.`,
    wrong: "slug: knitting-for-beginners",
    right: "name: Knitting for Beginners",
  },
  "slug-form": {
    severity: "warning",
    summary: "A slug should contain only lower-case ASCII letters, digits and single hyphens.",
    explanation: `
      The service generates slugs in ASCII from the name, and is unlikely to accept another form.
      Remove the slug.`,
    wrong: "slug: Knitting for Beginners!",
    right: "name: Knitting for Beginners",
  },
  uuid: {
    summary: "An id must be a UUID: 8, 4, 4, 4 and 12 hexadecimal digits, separated by hyphens.",
    explanation: `
      A new course needs no id: if you omit it, one is chosen when the course is created. To name
      the provider by its slug, domain or name, use provider instead of provider_id.`,
    wrong: "provider_id: example-academy",
    right: "provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  },
  url: {
    summary: "An address must be a complete http or https URL.",
    explanation: `
      It starts with http:// or https://, includes a host, and contains no spaces and no
      backslashes: write a space as %20. The same applies to the addresses of images and videos.`,
    wrong: "url: academy.example/knitting",
    right: "url: https://academy.example/knitting",
  },
  "language-code": {
    summary: "A language must be written as xx or xx-YY, in current ISO codes.",
    explanation: `
      An ISO 639 alpha-2 code in lower case, and optionally a hyphen and an ISO 3166-1 alpha-2
      country code in upper case. The code of a language often differs from that of its country:
      Japanese is ja, Greek el, Ukrainian uk.`,
    wrong: "audio: [en, pt_BR]",
    right: "audio: [en, pt-BR]",
  },
  "currency-code": {
    summary: "A currency must be a current ISO 4217 code.",
    explanation: `
      Use three capital letters: EUR, USD, JPY. Symbols, names and withdrawn codes are not
      accepted.`,
    wrong: 'certificate: { type: paid, price: "39.00", currency: € }',
    right: 'certificate: { type: paid, price: "39.00", currency: EUR }',
  },
  amount: {
    summary: "An amount must consist of digits, or of digits, a point and digits.",
    explanation: `
      Do not use commas, spaces, signs or thousands separators; the currency has a separate key.`,
    wrong: 'certificate: { type: paid, price: "39,00", currency: EUR }',
    right: 'certificate: { type: paid, price: "39.00", currency: EUR }',
  },
  "number-range": {
    summary: "A number must not be below the minimum of its field.",
    explanation: `
      number_of_lessons is at least 1; durations, periods and counts are at least 0. If you do not
      know the number, omit the field.`,
    wrong: "number_of_lessons: 0",
    right: "number_of_lessons: 6",
  },
  "whole-number": {
    summary: "A count must be a whole number.",
    explanation: `
      number_of_lessons and the counts of a rating have no fraction. Durations may have one:
      duration_in_hours: 7.5.`,
    wrong: "number_of_lessons: 7.5",
    right: "number_of_lessons: 7",
  },
  "price-subscription": {
    summary: "Only a price of type subscription may have a total price and periods.",
    explanation: `
      total_price, subscription_period, payment_period and trial_period describe a subscription; a
      single_course is bought once. Change the type, or remove these keys.`,
    wrong: "prices: [{ type: single_course, trial_period: { value: 7, unit: days } }]",
    right: "prices: [{ type: subscription, trial_period: { value: 7, unit: days } }]",
  },
  "certificate-price": {
    summary: "Only a certificate of type paid may have a price and a currency.",
    explanation: `
      A certificate that costs extra is paid, even if the course is free. A free certificate comes
      with a free course, an included one with a paid course. Change the type, or remove price and
      currency.`,
    wrong: 'certificate: { type: included, price: "39.00", currency: EUR }',
    right: 'certificate: { type: paid, price: "39.00", currency: EUR }',
  },
  "video-source": {
    summary: "A self_hosted video needs a url, a video on vimeo or youtube an id.",
    explanation: `
      Each type uses exactly one of the two keys. The id is the part of the address that identifies
      the video, not the complete address.`,
    wrong: 'video: { type: youtube, url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ" }',
    right: "video: { type: youtube, id: dQw4w9WgXcQ }",
  },
  "rating-scale": {
    summary: "A rating of type scale with a value needs min and max; no other type may have them.",
    explanation: `
      A value on a scale has no meaning without both ends; likes and positive_ratio have no ends.
      min must not be above max.`,
    wrong: "provider_rating: { type: scale, value: 4.6 }",
    right: "provider_rating: { type: scale, min: 1, max: 5, value: 4.6 }",
  },
  "rating-value": {
    summary: "The value of a rating must be in the range of its type.",
    explanation: `
      On a scale it is between min and max; a positive_ratio is between 0 and 100; likes are a
      positive whole number.`,
    wrong: "provider_rating: { type: scale, min: 1, max: 5, value: 92 }",
    right: "provider_rating: { type: positive_ratio, value: 92 }",
  },
  "rating-type": {
    severity: "warning",
    summary: "The type and the value of a rating should be given together.",
    explanation: `
      A value has no effect without a type, nor a type without a value. Add the missing one, or
      omit both: a rating may consist of counts only.`,
    wrong: "provider_rating: { value: 92, rating_count: 1287 }",
    right: "provider_rating: { type: positive_ratio, value: 92, rating_count: 1287 }",
  },
  markup: {
    severity: "warning",
    summary: "Descriptions should be plain text without formatting.",
    explanation: `
      short_description and long_description are shown without formatting: HTML and Markdown appear
      exactly as written. Use only words and line breaks. In a mapping of courses import, the
      function $plainText converts HTML.`,
    wrong: "short_description: <p>Knit your <b>first scarf</b> in six evenings.</p>",
    right: "short_description: Knit your first scarf in six evenings.",
  },
  "paid-content": {
    severity: "warning",
    summary: "A course with a price above zero should not claim that all its content is free.",
    explanation: `
      Free and paid content can be combined, but here a price is given with paid_content: false, or
      with free_content: true and no paid_content. Set paid_content to true, or remove what is
      wrong.`,
    wrong: 'free_content: true\nprices: [{ type: single_course, price: "49.90", currency: EUR }]',
    right:
      'free_content: true\npaid_content: true\nprices: [{ type: single_course, price: "49.90", currency: EUR }]',
  },
  "unused-image": {
    severity: "warning",
    summary: "A course should have an image_url or a video, not both.",
    explanation: `
      The image is used only if there is no video. Remove one of them; an image for the video
      belongs in its thumbnail_url.`,
    wrong:
      "image_url: https://academy.example/knitting.jpg\nvideo: { type: youtube, id: dQw4w9WgXcQ }",
    right: "video: { type: youtube, id: dQw4w9WgXcQ }",
  },
} satisfies Partial<Record<RuleId, Guide>>;
