/** `update` with columns such as `prices[0].price`, which change only values inside fields. */
import { expect, test } from "vitest";
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
  const ran = await r.run("courses update p.tsv");
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

const EXPORT = ["courses", "ls", "--all", "--fields", "id,prices[0].price", "--output"];

test.each([
  ["json", "p.json", 8],
  ["ndjson", "p.ndjson", 2],
  ["yaml", "p.yaml", 4],
  ["json", "-", 8],
  ["ndjson", "-", 2],
  ["yaml", "-", 4],
])(
  "update changes only the value of a key with a path that ls --fields wrote as %s, and reports a wrong value at the key (%s)",
  async (format, file, line) => {
    const r = await rigWith(
      numberedCourse(1, { prices: PRICES }),
      numberedCourse(2, { prices: PRICES }),
      numberedCourse(3),
    );
    const { stdout: written } = await r.run([...EXPORT, format]);
    const update = async (text: string) => {
      if (file !== "-") await r.write(file, text);
      return await r.run(["courses", "update", file], { input: text });
    };
    const same = await update(written);
    expect([same.code, same.stderr]).toEqual([0, "Already up to date: 3 courses.\n"]);
    const changed = await update(written.replace("10", "11"));
    expect([changed.code, requestsOf(changed, "PATCH").length]).toEqual([0, 1]);
    const prices = [PRICES, PRICES, null];
    const [first] = PRICES;
    expect(await storedPrices(r)).toMatchObject([
      [{ ...first, price: "11" }, PRICES[1]],
      ...prices.slice(1),
    ]);
    const at = written.lastIndexOf("10");
    const wrong = await update(`${written.slice(0, at)}x${written.slice(at + 2)}`);
    expect([wrong.code, requestsOf(wrong, "PATCH")]).toEqual([3, []]);
    const name = file === "-" ? "<stdin>" : file;
    expect(wrong.stderr).toMatch(
      new RegExp(`^${name}:${line}:\\d+: error: prices\\[0\\]\\.price must be .*"x"`, "m"),
    );
  },
);

test.each([
  [{ prices: PRICES, "prices[0].price": "7" }, /: error: unknown field .*no other key sets it/],
  [{ "prices[1].price": "7" }, /: error: prices\[1\]\.type is missing/],
  [{ "prices[99999].price": "7" }, /: error: unknown field .*if the course has this value/],
])(
  "update reports a key with a path at the key if %j cannot be one change",
  async (values, error) => {
    const r = await rigWithPrices();
    await r.write("p.ndjson", `\n${JSON.stringify({ id: id(2), ...values })}\n`);
    const ran = await r.run("courses update p.ndjson");
    expect([ran.code, requestsOf(ran, "PATCH")]).toEqual([3, []]);
    expect(ran.stderr).toMatch(error);
    expect(ran.stderr).toMatch(/^p\.ndjson:2:[4-9]\d|^p\.ndjson:2:1\d\d/);
  },
);

test("only update accepts keys with paths", async () => {
  const r = await rigWithPrices();
  await r.write("p.json", JSON.stringify(numberedCourse(1, { "prices[0].price": "7" })));
  const ran = await r.run("courses check p.json");
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain(
    'unknown field ["prices[0].price"]: a path is accepted only by update',
  );
});
