/** What `courses diff` shows, and its exit codes. */
import { expect, test } from "vitest";
import type { Rig } from "../rig.ts";
import { expectRefused, id, lines, numberedCourse, rigWith } from "./helpers.ts";
import { courseWithoutId, READS, SEWING } from "./push-files.ts";

const PRICE = { type: "single_course", price: "10", currency: "USD" };
const diff = async (r: Rig, words: readonly string[], options = {}) =>
  await r.run(["courses", "diff", ...words], options);

/** A new course, a changed one, an unchanged one and one that is in no file. */
async function drifted() {
  const r = await rigWith(
    numberedCourse(1),
    numberedCourse(2, { prices: [PRICE, PRICE], image_url: "https://i.example/2" }),
    numberedCourse(3),
  );
  const prices = [PRICE, { ...PRICE, currency: "EUR" }];
  await r.write("a.yaml", SEWING);
  await r.write("b.json", [
    numberedCourse(1),
    numberedCourse(2, { prices, image_url: null, name: "New" }),
  ]);
  return r;
}

test("diff shows the old and new value of each field, the paths of nested values, and the counts", async () => {
  const ran = await diff(await drifted(), ["a.yaml", "b.json"]);
  expect([ran.code, ran.stderr, ran.requests]).toEqual([0, "", READS]);
  expect(lines(ran.stdout)).toEqual([
    "Look at these first:",
    "! New: currency of price 2: USD → EUR",
    "",
    "+ Sewing (a.yaml)",
    '    name: "Sewing"',
    '    url: "https://academy.example/sewing"',
    '    short_description: "Short."',
    '    long_description: "Long."',
    '    audio: ["en"]',
    expect.stringMatching(/^ {4}provider_id: "6f0f8a34-/),
    '    pace: "self_paced"',
    "",
    `~ New (b.json, ${id(2)})`,
    '    name: "Course 2" → "New"',
    '    prices[1].currency: "USD" → "EUR"',
    '    image_url: "https://i.example/2" → none',
    "",
    "1 course to create and 1 to update. 1 is up to date.",
  ]);
});

test("diff --exit-code exits with 7 if there are differences, and with 0 if there are none", async () => {
  const r = await drifted();
  expect((await diff(r, ["a.yaml", "b.json"])).code).toBe(0);
  expect((await diff(r, ["a.yaml", "b.json", "--exit-code"])).code).toBe(7);
  await r.write("c.json", numberedCourse(1));
  expect((await diff(r, ["c.json", "--exit-code"])).code).toBe(0);
  expect((await diff(r, ["c.json", "--exit-code", "--prune"])).code).toBe(7);
  expect((await diff(r, ["a.yaml", "--exit-code", "--json"])).code).toBe(7);
});

test("diff --exit-code exits with 1, not with 7, if a report cannot be written", async () => {
  const r = await drifted();
  await r.write("file", "");
  const ran = await diff(r, ["a.yaml", "--exit-code", "--report", "html=file/x.html"]);
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("cannot write file/x.html")]);
});

test("diff stops for the same problems as push", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write("a.json", [
    numberedCourse(1, { url: "https://academy.example/m" }),
    courseWithoutId(1),
  ]);
  await r.write("empty.yaml", "");
  const ran = await diff(r, ["a.json", "--exit-code"]);
  expect([ran.code, ran.stdout]).toEqual([3, ""]);
  expect(ran.stderr).toContain("[same-course]");
  expectRefused(await diff(r, ["empty.yaml"]), 3);
});
