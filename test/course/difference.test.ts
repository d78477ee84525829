/** diffCourses lists each difference between two courses by its path. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffCourses } from "../../src/course/difference.ts";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";

type Fields = Readonly<Record<string, unknown>>;

const A = { title: "A" };
const B = { title: "B" };
const C = { title: "C" };
const X = { title: "X" };

const changes = (wanted: unknown, held: unknown, field = "syllabus") =>
  diffCourses({ [field]: wanted }, { [field]: held }).map(({ path, old, new: value }) => [
    path,
    old,
    value,
  ]);

describe("lists with equal elements at both ends", () => {
  const cases: readonly [string, unknown, unknown, unknown][] = [
    ["one element was changed", [A, X, C], [A, B, C], [[["syllabus", 1, "title"], "B", "X"]]],
    ["one element was inserted", [A, X, B], [A, B], [[["syllabus", 1], null, X]]],
    ["one element was put first", [X, A, B], [A, B], [[["syllabus", 0], null, X]]],
    ["one element was put last", [A, B, X], [A, B], [[["syllabus", 2], null, X]]],
    ["one element was removed", [A, C], [A, B, C], [[["syllabus", 1], B, null]]],
    ["the first element was removed", [B, C], [A, B, C], [[["syllabus", 0], A, null]]],
    [
      "all but one of several equal elements were removed",
      [A],
      [A, A, A],
      [
        [["syllabus", 1], A, null],
        [["syllabus", 2], A, null],
      ],
    ],
    [
      "one element was changed and one added after it",
      [A, X, C, B],
      [A, B, B],
      [
        [["syllabus", 1, "title"], "B", "X"],
        [["syllabus", 2], null, C],
      ],
    ],
    ["the list is new", [A], null, [[["syllabus"], null, [A]]]],
    ["the list was removed", null, [A], [[["syllabus"], [A], null]]],
    ["the list was emptied", [], [A], [[["syllabus", 0], A, null]]],
    ["the list is new and empty", [], null, []],
  ];
  test.each(cases)(
    "diffCourses skips equal elements at both ends of a list if %s",
    (_, wanted, held, expected) => {
      expect(changes(wanted, held)).toEqual(expected);
    },
  );
});

describe("objects", () => {
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

  test("diffCourses lists nested keys by their path", () => {
    const price = (value: number) => [
      { type: "subscription", trial_period: { unit: "days", value } },
    ];
    expect(changes(price(14), price(7), "prices")).toEqual([
      [["prices", 0, "trial_period", "value"], 7, 14],
    ]);
    const topic = (...description: string[]) => [{ title: "A", description }];
    expect(changes(topic("one", "2"), topic("one", "two"), "what_you_will_learn")).toEqual([
      [["what_you_will_learn", 0, "description", 1], "two", "2"],
    ]);
  });

  test("diffCourses lists a value of another type as one change", () => {
    const described = (description: unknown) => [{ title: "A", description }];
    expect(changes(described(["one"]), described("one"))).toEqual([
      [["syllabus", 0, "description"], "one", ["one"]],
    ]);
  });

  test("diffCourses ignores keys that only the service has, including names that every object inherits", () => {
    const remote = JSON.parse(
      '{"type":"free","__proto__":"x","constructor":"y","verified_by":"z"}',
    );
    expect(changes({ type: "free" }, remote, "certificate")).toEqual([]);
    expect(changes({ type: "paid" }, remote, "certificate")).toEqual([
      [["certificate", "type"], "free", "paid"],
    ]);
  });

  test("diffCourses treats an object without set keys as absent", () => {
    expect(changes(null, { type: null }, "certificate")).toEqual([]);
    expect(changes({ type: "free" }, { type: null }, "certificate")).toEqual([
      [["certificate"], null, { type: "free" }],
    ]);
  });
});

describe("unordered lists", () => {
  test("diffCourses shows an unordered list completely, because its positions have no meaning", () => {
    expect(changes(["en", "de"], ["en", "fr"], "audio")).toEqual([
      [["audio"], ["en", "fr"], ["en", "de"]],
    ]);
  });

  test("diffCourses finds no change in an unordered list if only the order differs", () => {
    expect(changes(["en", "de"], ["de", "en"], "audio")).toEqual([]);
  });
});

describe("several fields", () => {
  test("diffCourses lists fields in the documented order and omits fields that are missing from the desired course", () => {
    const wanted = {
      image_url: null,
      prices: null,
      subtitles_text: [],
      pace: "self_paced",
      name: "New",
    };
    const held = { name: "Old", url: "x", pace: "instructor_paced", prices: [], image_url: "y" };
    expect(diffCourses(wanted, held)).toEqual([
      { path: ["name"], old: "Old", new: "New" },
      { path: ["pace"], old: "instructor_paced", new: "self_paced" },
      { path: ["image_url"], old: "y", new: null },
    ]);
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

  test("diffCourses shows a replaced default as the service returns it", () => {
    expect(
      diffCourses({ published: null, level: null }, { published: false, level: ["beginner"] }),
    ).toEqual([
      { path: ["published"], old: false, new: null },
      { path: ["level"], old: ["beginner"], new: null },
    ]);
  });
});

describe("any two values", () => {
  const lesson = fc.record(
    {
      title: fc.constantFrom("A", "B"),
      description: fc.constantFrom(null, "one", ["one"], ["one", "two"], []),
      duration: fc.option(
        fc.record(
          { value: fc.constantFrom(null, 0, 1, 1.5), unit: fc.constantFrom(null, "hours") },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: ["title"] },
  );
  const value = fc.option(fc.array(lesson, { maxLength: 4 }));

  const byKey = ([one]: [string, unknown], [other]: [string, unknown]) => (one < other ? -1 : 1);

  /** The value without null keys and empty objects, keys in order: the definition of "the same" again. */
  function canonical(given: unknown): unknown {
    if (Array.isArray(given)) return given.map(canonical);
    if (typeof given !== "object" || given === null) return given;
    const kept = Object.entries(given)
      .map(([key, inner]): [string, unknown] => [key, canonical(inner)])
      .filter(([, inner]) => inner !== null);
    return kept.length === 0 ? null : Object.fromEntries(kept.sort(byKey));
  }
  const same = (one: unknown, other: unknown) =>
    JSON.stringify(canonical(one)) === JSON.stringify(canonical(other));
  /** As a field, an empty list is the same as none. */
  const sameField = (one: unknown, other: unknown) =>
    same(isEmpty(one) ? null : one, isEmpty(other) ? null : other);
  const isEmpty = (given: unknown) => Array.isArray(given) && given.length === 0;

  function at(root: unknown, path: readonly (string | number)[]): unknown {
    return path.reduce<unknown>(
      (inner, step) => (inner as Fields | null | undefined)?.[step] ?? null,
      root,
    );
  }

  test("diffCourses finds no change exactly if the two values are the same", () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(changes(one, other).length === 0).toBe(sameField(one, other));
        expect(changes(one, one)).toEqual([]);
      }),
    );
  });

  test("diffCourses lists a different old and new value at each path", () => {
    fc.assert(
      fc.property(value, value, (syllabus, held) => {
        for (const { path, old, new: next } of diffCourses({ syllabus }, { syllabus: held })) {
          expect(same(old, next)).toBe(false);
          if (next === null) expect(same(old, at({ syllabus: held }, path))).toBe(true);
          else expect(same(next, at({ syllabus }, path))).toBe(true);
        }
      }),
    );
  });

  test("diffCourses swaps old and new if the courses are swapped", () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        const there = changes(one, other).map(([path, old, next]) =>
          JSON.stringify([path, old, next]),
        );
        const back = changes(other, one).map(([path, old, next]) =>
          JSON.stringify([path, next, old]),
        );
        expect(there.sort()).toEqual(back.sort());
      }),
    );
  });
});

describe("values that a service may return in another notation", () => {
  const price = (amount: unknown) => [{ type: "single_course", price: amount }];

  test.each([
    ["1375.0", "1375.00"],
    ["1375", "1375.000"],
    ["007.50", "7.5"],
    ["0", "0.00"],
    ["99999999999999999999.990", "99999999999999999999.99"],
  ])("diffCourses treats the amounts %s and %s as equal", (one, other) => {
    expect(changes(price(one), price(other), "prices")).toEqual([]);
    const certificate = (amount: string) => ({ type: "paid", price: amount });
    expect(changes(certificate(one), certificate(other), "certificate")).toEqual([]);
  });

  test.each([
    ["1375.0", "1375.01"],
    ["10", "1"],
    ["99999999999999999999.99", "99999999999999999999.98"],
    ["1,50", "1.50"],
    ["0".repeat(100_000), "1"],
  ])("diffCourses treats the amounts $0 and $1 as different", (one, other) => {
    expect(changes(price(one), price(other), "prices")).toEqual([
      [["prices", 0, "price"], other, one],
    ]);
  });

  test("diffCourses lists only the amount that differs", () => {
    const prices = (first: string, second: string) => [...price(first), ...price(second)];
    expect(changes(prices("1.0", "2"), prices("1", "3.0"), "prices")).toEqual([
      [["prices", 1, "price"], "3.0", "2"],
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
