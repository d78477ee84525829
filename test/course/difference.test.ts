/** diffCourses lists each difference between two courses by its path. */
import { describe, expect, test } from "vitest";
import { diffCourses } from "../../src/course/difference.ts";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { PROVIDER_ID } from "../rig.ts";

const changes = (wanted: unknown, held: unknown, field = "syllabus") =>
  diffCourses({ [field]: wanted }, { [field]: held }).map(({ path, old, new: value }) => [
    path,
    old,
    value,
  ]);

test("diffCourses lists the keys of an object that differ, with null for absent keys", () => {
  const wanted = { type: "paid", price: "39.00", currency: "EUR" };
  expect(changes(wanted, { type: "free" }, "certificate")).toEqual([
    [["certificate", "type"], "free", "paid"],
    [["certificate", "price"], null, "39.00"],
    [["certificate", "currency"], null, "EUR"],
  ]);
  expect(changes({ type: "free" }, wanted, "certificate")).toEqual([
    [["certificate", "type"], "paid", "free"],
    [["certificate", "price"], "39.00", null],
    [["certificate", "currency"], "EUR", null],
  ]);
});

test("diffCourses treats an object without set keys as absent", () => {
  expect(changes(null, { type: null }, "certificate")).toEqual([]);
  expect(changes({ type: "free" }, { type: null }, "certificate")).toEqual([
    [["certificate"], null, { type: "free" }],
  ]);
});

test("diffCourses finds no change in an unordered list if only the order differs", () => {
  expect(changes(["en", "de"], ["de", "en"], "audio")).toEqual([]);
});

test("diffCourses finds no change in another notation: order of keys, null, case of ids", () => {
  const price = { type: "single_course", price: "10", currency: "USD" };
  const written = { currency: "USD", price: "10", type: "single_course", plan_type: null };
  expect(changes([written], [price], "prices")).toEqual([]);
  expect(changes(PROVIDER_ID.toUpperCase(), PROVIDER_ID, "provider_id")).toEqual([]);
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

describe("values that a service may return in another notation", () => {
  const price = (amount: unknown) => [{ type: "single_course", price: amount }];

  test.each([
    ["1375.0", "1375.00"],
    ["007.50", "7.5"],
    ["99999999999999999999.990", "99999999999999999999.99"],
  ])("diffCourses treats the amounts %s and %s as equal", (one, other) => {
    expect(changes(price(one), price(other), "prices")).toEqual([]);
    const certificate = (amount: string) => ({ type: "paid", price: amount });
    expect(changes(certificate(one), certificate(other), "certificate")).toEqual([]);
  });

  test.each([
    ["1375.0", "1375.01"],
    ["99999999999999999999.99", "99999999999999999999.98"],
    ["1,50", "1.50"],
    ["0".repeat(100_000), "1"],
  ])("diffCourses treats the amounts $0 and $1 as different", (one, other) => {
    expect(changes(price(one), price(other), "prices")).toEqual([
      [["prices", 0, "price"], other, one],
    ]);
  });

  test("diffCourses treats numbers and booleans as equal to their strings, but compares other strings exactly", () => {
    expect(changes(true, "true", "published")).toEqual([]);
    expect(changes(7.5, "7.50", "duration_in_hours")).toEqual([]);
    expect(changes("1375.0", "1375.00", "name")).not.toEqual([]);
    expect(changes("true", true, "name")).not.toEqual([]);
    expect(changes(true, "false", "published")).not.toEqual([]);
  });
});
