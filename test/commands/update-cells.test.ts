/** `update` with columns such as `prices[0].price`, which change only values inside fields. */
import { describe, expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import {
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
    for (const [line, cell] of [
      [3, "B3"],
      [4, "B4"],
    ] as const) {
      const missing = `error: cell ${cell}: prices[1].type is missing [incomplete]\n`;
      expect(ran.stderr).toContain(`p.csv:${line}:38: ${missing}`);
    }
    expect(ran.stderr).toContain(`p.csv:5:1: error: no course has the id "${id(9)}"`);
    expect(ran.stderr).not.toContain("p.csv:2:");
  });
});
