/** Which fields of a matched course count as changed, and what an update sends. */
import { describe, expect, test } from "vitest";
import { planSync } from "../../src/sync/plan.ts";
import { listChanges } from "../../src/sync/step.ts";
import { desiredCourse, ID, onlyUpdate, outline, remoteCourse } from "./plans.ts";

type Fields = Readonly<Record<string, unknown>>;

const PRICE = { type: "single_course", price: "10.00", currency: "EUR" };
const RATING = { type: "scale", min: 1, max: 5, value: 4 };

function plan(file: Fields, service: Fields) {
  return planSync([desiredCourse(file)], [remoteCourse(service)]);
}

const SAME: readonly [string, Fields, Fields][] = [
  ["null for a field that was never set", { image_url: null, prices: null }, {}],
  ["published null, whose default is true", { published: null }, { published: true }],
  ["published true, where the service has null", { published: true }, { published: null }],
  ["number_of_lessons null, whose default is 1", { number_of_lessons: null }, {}],
  [
    "number_of_lessons 1, where the service has null",
    { number_of_lessons: 1 },
    { number_of_lessons: null },
  ],
  [
    "assessments and assignments null, whose default is false",
    { assessments: null, assignments: null },
    {},
  ],
  ["assessments false, where the service has null", { assessments: false }, { assessments: null }],
  ["level null, whose default is empty", { level: null }, { level: [] }],
  ["level empty, where the service has null", { level: [] }, { level: null }],
  [
    "1.0 for 1",
    { provider_rating: { ...RATING, min: 1.0, value: 4.0 } },
    { provider_rating: RATING },
  ],
  ["0 for -0", { duration_in_hours: 0 }, { duration_in_hours: -0 }],
  [
    "keys in another order",
    { prices: [{ currency: "EUR", price: "10.00", type: "single_course" }] },
    { prices: [PRICE] },
  ],
  [
    "null inside an object for an absent key",
    { prices: [{ ...PRICE, plan_type: null }] },
    { prices: [PRICE] },
  ],
  [
    "an absent key for null inside an object",
    { prices: [PRICE] },
    { prices: [{ ...PRICE, plan_type: null, trial_period: null }] },
  ],
  ["audio in another order", { audio: ["en", "pt-BR"] }, { audio: ["pt-BR", "en"] }],
  [
    "level in another order",
    { level: ["advanced", "beginner"] },
    { level: ["beginner", "advanced"] },
  ],
  [
    "subtitles_text in another order",
    { subtitles_text: ["de", "en", "fr"] },
    { subtitles_text: ["fr", "de", "en"] },
  ],
  ["provider_id in another case", { provider_id: "6F0F8A34-4F3B-4C58-9D7E-0D0C3C1F5B21" }, {}],
  ["a slug, which the service generates", { slug: "knitting" }, { slug: "knitting-9c1d" }],
  [
    "read-only fields, as get prints them",
    { approval_status: "approved", last_fetched_at: "2020-01-01T00:00:00+00:00" },
    {},
  ],
  ["fields that the file leaves out", {}, { image_url: "https://i.example/1", prices: [PRICE] }],
];

describe("unchanged courses", () => {
  test.each(SAME)("planSync treats a course as unchanged with %s", (_, file, service) => {
    expect(outline(plan(file, service))).toEqual([`unchanged ${ID}`]);
  });
});

const DIFFERENT: readonly [string, Fields, Fields, Fields][] = [
  ["another string", { name: "Sewing" }, {}, { name: "Sewing" }],
  ["a string in another case", { name: "KNITTING" }, { name: "Knitting" }, { name: "KNITTING" }],
  ["an empty string for null", { image_url: "" }, {}, { image_url: "" }],
  ["null clears", { image_url: null }, { image_url: "https://i.example/1" }, { image_url: null }],
  ["null restores a default", { published: null }, { published: false }, { published: null }],
  ["false is not null", { free_content: false }, {}, { free_content: false }],
  ["an empty list is not null, except for level", { syllabus: [] }, {}, { syllabus: [] }],
  [
    "a number is not the string of another number",
    { number_of_lessons: 2 },
    { number_of_lessons: "3" },
    { number_of_lessons: 2 },
  ],
  ["another element in a set", { audio: ["en", "de"] }, { audio: ["en"] }, { audio: ["en", "de"] }],
  ["an element less in a set", { audio: ["en"] }, { audio: ["en", "de"] }, { audio: ["en"] }],
  [
    "another order of lessons, which are a list",
    { syllabus: [{ title: "B" }, { title: "A" }] },
    { syllabus: [{ title: "A" }, { title: "B" }] },
    { syllabus: [{ title: "B" }, { title: "A" }] },
  ],
  [
    "a key inside an object that the file leaves out",
    { prices: [PRICE] },
    { prices: [{ ...PRICE, plan_type: "regular" }] },
    { prices: [PRICE] },
  ],
];

describe("updates", () => {
  test.each(DIFFERENT)(
    "an update sends only the fields that differ: %s",
    (_, file, service, body) => {
      expect(onlyUpdate(plan(file, service)).body).toEqual(body);
    },
  );

  test("an update sends each differing field completely, in the documented order, without nulls inside", () => {
    const file = {
      prices: [PRICE, { ...PRICE, currency: "USD", plan_type: null }],
      image_url: null,
      name: "Sewing",
      audio: ["en"],
    };
    const service = {
      prices: [PRICE, { ...PRICE, currency: "GBP" }],
      image_url: "https://i.example/1",
    };
    const step = onlyUpdate(plan(file, service));
    const { body } = step;
    expect(JSON.stringify(body)).toBe(
      '{"name":"Sewing","prices":[' +
        '{"type":"single_course","price":"10.00","currency":"EUR"},' +
        '{"type":"single_course","price":"10.00","currency":"USD"}],"image_url":null}',
    );
    expect(listChanges(step)).toEqual([
      { path: ["name"], old: "Knitting for Beginners", new: "Sewing" },
      { path: ["prices", 1, "currency"], old: "GBP", new: "USD" },
      { path: ["image_url"], old: "https://i.example/1", new: null },
    ]);
  });

  test("an update never sends the id, the slug or a read-only field", () => {
    const { body } = onlyUpdate(
      plan({ id: ID.toUpperCase(), slug: "x", approval_status: "approved", name: "Sewing" }, {}),
    );
    expect(body).toEqual({ name: "Sewing" });
  });
});
