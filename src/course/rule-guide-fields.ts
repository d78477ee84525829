/** Tells about the rules for single fields and keys: there, known, of their type, well written. */
import { joinList } from "../base/text.ts";
import { FIELDS, type Field } from "./fields.ts";
import type { RuleId } from "./problem.ts";
import { example, prose, type RuleGuide } from "./rule-guide-shape.ts";

const REQUIRED = named(({ required }) => required === true);
const READ_ONLY = named(({ readOnly }) => readOnly === true);

function named(test: (field: Field) => boolean): string {
  return joinList(
    FIELDS.filter(test).map(({ name }) => name),
    "and",
  );
}

/** Rules that one value or key breaks by itself. */
export const FIELD_GUIDES = {
  required: {
    severity: "error",
    summary: "Every required field or key is there and is not null.",
    explanation: prose(`
      A course needs ${REQUIRED}; in place of provider_id it may have provider. The objects in a
      course have required keys, too, such as the name of an instructor. Only a file for courses
      update may leave required fields out: what it does not name stays as it is.`),
    wrong: example(`
      instructors:
        - main: true`),
    right: example(`
      instructors:
        - name: Ada Lovelace
          main: true`),
  },
  blank: {
    severity: "error",
    summary: "A required text or list is not empty.",
    explanation: prose(`
      A required field says nothing when its text is empty or all blanks, or when its list has no
      element, and the service refuses it. Fill it in.`),
    wrong: 'short_description: ""',
    right: "short_description: Knit your first scarf in six evenings.",
  },
  type: {
    severity: "error",
    summary: "A value is of the type that its field takes.",
    explanation: prose(`
      Texts, numbers, true or false, lists and mappings are not the same: 49.99 is a number, "49.99"
      in quotation marks is a text. Amounts are texts, so that no digit of them is lost. A list is a
      list even with one element: [en].`),
    wrong: example(`
      prices:
        - type: single_course
          price: 49.90
          currency: EUR`),
    right: example(`
      prices:
        - type: single_course
          price: "49.90"
          currency: EUR`),
  },
  choice: {
    severity: "error",
    summary: "A value is one of those that its field knows.",
    explanation: prose(`
      Some fields take one of a few words, such as pace, level and every type. The finding names the
      words; write one of them exactly so, in small letters and with underscores.`),
    wrong: "pace: self-paced",
    right: "pace: self_paced",
  },
  "unknown-key": {
    severity: "error",
    summary: "Every key is one that a course, or the object that it stands in, has.",
    explanation: prose(`
      The service refuses objects with keys that it does not know. Look at the spelling and at the
      indentation, which says whose key it is. What is for yourself alone can stand in a comment. A
      YAML << is no merge key: YAML 1.2 has none, so write the keys out.`),
    wrong: "subtitles: [en, pt-BR]",
    right: "subtitles_text: [en, pt-BR]",
  },
  "read-only": {
    severity: "warning",
    summary: "Fields that the service alone sets are left out.",
    explanation: prose(`
      ${READ_ONLY} say what the service has done with a course. They are allowed in a file, so that
      what courses get prints is a course file, but they are never sent. Take them out.`),
    wrong: example(`
      published: true
      approval_status: approved`),
    right: "published: true",
  },
  "own-slug": {
    severity: "warning",
    summary: "The slug is left to the service.",
    explanation: prose(`
      The service makes the slug from the name and a random ending. A slug in a file is sent when the
      course is created, but the service need not take it, and it is never compared afterwards. Take
      it out.`),
    wrong: example(`
      name: Knitting for Beginners
      slug: knitting-for-beginners`),
    right: "name: Knitting for Beginners",
  },
  "slug-form": {
    severity: "warning",
    summary: "A slug is written in lower-case ASCII letters, digits and single hyphens.",
    explanation: prose(`
      The service makes the slug itself, in ASCII and from the name, and is unlikely to take one of
      another form. Take it out, whatever it should have been.`),
    wrong: example(`
      name: Knitting for Beginners
      slug: Knitting for Beginners!`),
    right: "name: Knitting for Beginners",
  },
  uuid: {
    severity: "error",
    summary: "An id is a UUID: 8, 4, 4, 4 and 12 hexadecimal digits with hyphens between them.",
    explanation: prose(`
      A new course needs no id: leave it out, and one is chosen when the course is created. To name
      the provider by its slug, domain or name, write provider in place of provider_id.`),
    wrong: "provider_id: example-academy",
    right: "provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21",
  },
  url: {
    severity: "error",
    summary: "An address is a whole http or https URL.",
    explanation: prose(`
      It begins with http:// or https://, names a host, and holds no blanks and no backslashes: a
      blank is written as %20. The address of an image or a video is written in the same way.`),
    wrong: "url: academy.example/knitting",
    right: "url: https://academy.example/knitting",
  },
  "language-code": {
    severity: "error",
    summary: "A language is written as xx or xx-YY, in codes that exist.",
    explanation: prose(`
      The first part is an ISO 639 alpha-2 code in small letters, the second, which may be left out,
      an ISO 3166-1 alpha-2 country in capitals. Names of languages, codes of three letters and
      withdrawn codes are not taken. The code of a language is often not that of its country:
      Japanese is ja, Greek el, Ukrainian uk.`),
    wrong: "audio: [en, pt_BR]",
    right: "audio: [en, pt-BR]",
  },
  "currency-code": {
    severity: "error",
    summary: "A currency is a current ISO 4217 code.",
    explanation: prose(`
      It is written in three capital letters: EUR, USD, JPY. Signs, names and the codes of currencies
      that exist no more are not taken; the finding names the successor of such a code, if it has one.`),
    wrong: example(`
      certificate:
        type: paid
        price: "39.00"
        currency: €`),
    right: example(`
      certificate:
        type: paid
        price: "39.00"
        currency: EUR`),
  },
  amount: {
    severity: "error",
    summary: "An amount is digits, or digits, a point and digits.",
    explanation: prose(`
      There is no comma in it, no blank, no plus or minus and no currency, which has a key of its
      own. Thousands are not set apart: 1299.00.`),
    wrong: example(`
      certificate:
        type: paid
        price: 39,00
        currency: EUR`),
    right: example(`
      certificate:
        type: paid
        price: "39.00"
        currency: EUR`),
  },
  "number-range": {
    severity: "error",
    summary: "A number is not smaller than the least that its field allows.",
    explanation: prose(`
      number_of_lessons is at least 1; durations, periods and counts are at least 0. Leave the field
      out when the number is not known.`),
    wrong: "number_of_lessons: 0",
    right: "number_of_lessons: 6",
  },
  "whole-number": {
    severity: "error",
    summary: "What is counted is a whole number.",
    explanation: prose(`
      number_of_lessons and the counts of a rating have no fraction. Lengths of time may have one:
      duration_in_hours: 7.5.`),
    wrong: "number_of_lessons: 7.5",
    right: "number_of_lessons: 7",
  },
} as const satisfies Partial<Record<RuleId, RuleGuide>>;
