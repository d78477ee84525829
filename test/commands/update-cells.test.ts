/** `update` with columns such as `prices[0].price`, which change only values inside fields. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import type { Rig } from "../rig.ts";
import {
  expectRefused,
  id,
  numberedCourse,
  PRICES,
  requestsOf,
  rigWith,
  rigWithPrices,
  storedCourses,
} from "./helpers.ts";

const UPDATE = ["courses", "update", "p.csv"];

async function storedPrices(r: Rig): Promise<unknown[]> {
  return (await storedCourses(r)).map(({ prices }) => prices);
}

describe("columns with paths", () => {
  test("update changes only the values of columns with paths, in several fields and in tab-separated text", async () => {
    const instructors = [{ name: "Ada", main: true }, { name: "Bo" }];
    const video = {
      type: "youtube",
      id: "abcdefghijk",
      thumbnail_url: "https://i.example/old",
    };
    const r = await rigWith(numberedCourse(1, { instructors, video, prices: PRICES }));
    const header = "id\tinstructors[0].name\tvideo.thumbnail_url\tprices[1].price";
    await r.write("p.tsv", `${header}\n${id(1)}\tEva\thttps://i.example/new\t21\n`);
    const ran = await r.run(["courses", "update", "p.tsv"]);
    expect([ran.code, requestsOf(ran, "PATCH").length]).toEqual([0, 1]);
    expect(await storedCourses(r)).toMatchObject([
      {
        instructors: [{ name: "Eva", main: true }, { name: "Bo" }],
        video: { ...video, thumbnail_url: "https://i.example/new" },
        prices: [PRICES[0], { ...PRICES[1], price: "21" }],
      },
    ]);
  });

  test("update clears a value with null, and removes an element of a list with null", async () => {
    const r = await rigWith(
      numberedCourse(1, {
        prices: PRICES,
        video: {
          type: "youtube",
          id: "abcdefghijk",
          thumbnail_url: "https://i.example/t",
        },
      }),
      numberedCourse(2, { prices: [PRICES[0]] }),
    );
    const rows = [1, 2].map((number) => `${id(number)};null;null\n`).join("");
    await r.write("p.csv", `id;prices[1];video.thumbnail_url\n${rows}`);
    const ran = await r.run(UPDATE);
    expect([ran.code, requestsOf(ran, "PATCH").length]).toEqual([0, 1]);
    const [first] = await storedCourses(r);
    expect(first).toMatchObject({
      prices: [PRICES[0]],
      video: { type: "youtube", id: "abcdefghijk" },
    });
    expect(first?.video).not.toHaveProperty("thumbnail_url", "https://i.example/t");
  });

  test("update adds an element to a list if the row has all its values, in any order of columns", async () => {
    const r = await rigWithPrices();
    const header = "id;prices[1].price;prices[1].type;prices[1].currency;prices[0].price";
    await r.write("p.csv", `${header}\n${id(2)};20;single_course;GBP;11\n`);
    expect((await r.run(UPDATE)).code).toBe(0);
    expect((await storedPrices(r))[1]).toEqual([{ ...PRICES[0], price: "11" }, PRICES[1]]);
  });

  test("update reports incomplete elements and elements after a gap at their cells, and sends nothing", async () => {
    const r = await rigWithPrices();
    await r.write("p.csv", `id;prices[1].price\n${id(1)};7\n${id(2)};8\n${id(3)};9\n${id(9)};1\n`);
    const ran = await r.run(UPDATE);
    expect([ran.code, ran.stdout, requestsOf(ran, "PATCH")]).toEqual([3, "", []]);
    expect(ran.stderr).toContain("p.csv:3:38: error: prices[1].type is missing [required]\n");
    expect(ran.stderr).toContain(
      "p.csv:4:38: error: prices[1].price: the course has no prices[1] (the field has 0)",
    );
    expect(ran.stderr).toContain(`p.csv:5:1: error: no course has the id "${id(9)}"`);
    expect(ran.stderr).not.toContain("p.csv:2:");
  });

  test.each([
    ["prices[0].price", "x", "2:38: error: prices[0].price must be an amount"],
    ["prices[0].type", "null", "2:38: error: prices[0].type is required"],
    ["name.first", "Ada", "2:38: error: name must be a string"],
    ["audio[0]", "Klingon", "2:38: error: audio[0]"],
  ])(
    "update reports %s with a bad value (%s) at its cell before any request",
    async (name, value, error) => {
      const r = await rigWithPrices();
      await r.write("p.csv", `id,${name}\n${id(1)},${value}\n`);
      const ran = await r.run(UPDATE);
      expectRefused(ran, 3);
      expect(ran.stderr).toContain(`p.csv:${error}`);
      expect(ran.stderr.trim().split("\n").slice(1)).toEqual([
        "1 error in 1 file; nothing was sent.",
      ]);
    },
  );

  test("update reports a misspelled column once in the header", async () => {
    const r = await rigWithPrices();
    await r.write("p.csv", `id;prices[0].prise\n${id(1)};7\n${id(2)};8\n`);
    const ran = await r.run(UPDATE);
    expectRefused(ran, 3);
    expect(ran.stderr).toBe(
      'p.csv:1:4: error: unknown field "prices[0].prise". Did you mean "price"? [unknown-key]\n1 error in 1 file; nothing was sent.\n',
    );
  });

  test("update --set changes other parts of a field besides the columns, or replaces the complete field", async () => {
    const r = await rigWithPrices();
    await r.write("p.csv", `id;prices[0].price\n${id(1)};9\n`);
    const part = await r.run([...UPDATE, "--set", "prices[0].currency=EUR"]);
    expect([part.code, (await storedPrices(r))[0]]).toEqual([
      0,
      [{ ...PRICES[0], price: "9", currency: "EUR" }, PRICES[1]],
    ]);
    const field = await r.run([...UPDATE, "--set", `prices=${JSON.stringify([PRICES[1]])}`]);
    expect([field.code, (await storedPrices(r))[0]]).toEqual([0, [PRICES[1]]]);
  });

  test("update replaces the complete field if the file contains the field itself", async () => {
    const r = await rigWithPrices();
    await r.write("p.ndjson", JSON.stringify({ id: id(1), prices: [PRICES[1]] }));
    expect((await r.run(["courses", "update", "p.ndjson"])).code).toBe(0);
    expect((await storedPrices(r))[0]).toEqual([PRICES[1]]);
  });
});

test("update changes exactly the cells of random CSV files in the courses", async () => {
  const amount = fc.integer({ min: 1, max: 9999 }).map(String);
  const price = fc.record({
    type: fc.constant("single_course"),
    price: amount,
    currency: fc.constantFrom("USD", "EUR", "JPY"),
  });
  const change = fc.record({ price: amount, currency: fc.constant("GBP") }, { requiredKeys: [] });
  const wanted = fc.record({
    prices: fc.array(price, { maxLength: 3 }),
    changes: fc.tuple(change, change, change),
    added: fc.option(price, { nil: undefined }),
  });
  const columns = fc.shuffledSubarray(
    [0, 1, 2, 3].flatMap((index) =>
      ["type", "price", "currency"].map((key) => [index, key] as const),
    ),
    { minLength: 12 },
  );
  const property = fc.asyncProperty(
    fc.array(wanted, { minLength: 10, maxLength: 20 }),
    columns,
    async (cases, order) => {
      const r = await rigWith(
        ...cases.map(({ prices }, index) => numberedCourse(index, { prices })),
      );
      const given = cases.map(({ prices, changes, added }): PlainObject[] => [
        ...prices.map((_, index) => changes[index] ?? {}),
        ...(added === undefined ? [] : [added]),
      ]);
      const header = order.map(([index, key]) => `prices[${index}].${key}`);
      const rows = given.map((prices, number) => [
        id(number),
        ...order.map(([index, key]) => prices[index]?.[key] ?? ""),
      ]);
      await r.write("p.csv", [["id", ...header], ...rows].map((row) => row.join(",")).join("\n"));
      expect((await r.run(UPDATE)).code).toBe(0);
      const stored = new Map((await storedCourses(r)).map((each) => [each.id, each.prices ?? []]));
      for (const [number, { prices }] of cases.entries()) {
        const expected = given[number]?.map((change, index) => ({ ...prices[index], ...change }));
        expect(stored.get(id(number))).toEqual(expected);
      }
    },
  );
  await fc.assert(property, { numRuns: 4 });
});
