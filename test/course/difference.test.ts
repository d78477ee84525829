/** diffCourses lists each difference between two courses by its path. */
import { expect, test } from "vitest";
import { diffCourses } from "../../src/course/difference.ts";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { PROVIDER_ID } from "../rig.ts";

const changes = (field: string, wanted: unknown, held: unknown) =>
  diffCourses({ [field]: wanted }, { [field]: held }).map(({ path, old, new: value }) => [
    path.join("."),
    old,
    value,
  ]);

const [FREE, PAID] = [{ type: "free" }, { type: "paid", price: "39.00" }];

test("diffCourses lists the keys of an object that differ, with null for absent keys", () => {
  expect(changes("certificate", PAID, FREE)).toEqual([
    ["certificate.type", "free", "paid"],
    ["certificate.price", null, "39.00"],
  ]);
  expect(changes("certificate", FREE, PAID)[1]).toEqual(["certificate.price", "39.00", null]);
});

test("diffCourses treats an object without set keys as absent", () => {
  expect(changes("certificate", null, { type: null })).toEqual([]);
  expect(changes("certificate", FREE, { type: null })).toEqual([["certificate", null, FREE]]);
});

test("diffCourses finds no change in an unordered list if only the order differs", () => {
  expect(changes("audio", ["en", "de"], ["de", "en"])).toEqual([]);
});

test("diffCourses treats a default and an absent value as equal", () => {
  const defaults = {
    published: true,
    number_of_lessons: 1,
    assessments: false,
    assignments: false,
  };
  const nothing = Object.fromEntries(WRITABLE_FIELDS.map(({ name }) => [name, null]));
  expect(diffCourses({ ...defaults, level: [] }, {})).toEqual([]);
  expect(diffCourses(nothing, {})).toEqual([]);
  expect(diffCourses(nothing, { ...defaults, level: [] })).toEqual([]);
  expect(diffCourses({}, { name: "x", ...defaults })).toEqual([]);
});

const price = (amount: unknown) => [{ type: "single_course", price: amount }];

test.each([
  ["1375.0", "1375.00"],
  ["007.50", "7.5"],
  ["99999999999999999999.990", "99999999999999999999.99"],
])("diffCourses treats the amounts %s and %s as equal", (one, other) => {
  expect(changes("prices", price(one), price(other))).toEqual([]);
  expect(changes("certificate", { price: one }, { price: other })).toEqual([]);
});

test.each([
  ["1375.0", "1375.01"],
  ["99999999999999999999.99", "99999999999999999999.98"],
  ["1,50", "1.50"],
  ["0".repeat(100_000), "1"],
])("diffCourses treats the amounts $0 and $1 as different", (one, other) => {
  expect(changes("prices", price(one), price(other))).toEqual([["prices.0.price", other, one]]);
});

test.each<[field: string, one: unknown, other: unknown, isEqual: boolean]>([
  ["prices", [{ price: "1", type: "single_course", plan_type: null }], price("1"), true],
  ["provider_id", PROVIDER_ID.toUpperCase(), PROVIDER_ID, true],
  ["published", true, "true", true],
  ["duration_in_hours", 7.5, "7.50", true],
  ["published", true, "false", false],
  ["name", "1375.0", "1375.00", false],
  ["name", "true", true, false],
])("diffCourses takes the %s %j and %j for one value: %s", (field, one, other, isEqual) => {
  expect(changes(field, one, other).length === 0).toBe(isEqual);
});
