/** What `courses diff` shows, and its exit codes. */
import { expect, test } from "vitest";
import { id, lines, numberedCourse, rigWith } from "./helpers.ts";
import { courseWithoutId, READS, SEWING } from "./push-files.ts";

const PRICE = { type: "single_course", price: "10", currency: "USD" };

/** A new course, a changed one, an unchanged one and one that is in no file. */
async function drifted() {
  const r = await rigWith(
    numberedCourse(1),
    numberedCourse(2, { prices: [PRICE, PRICE], image_url: "https://i.example/2" }),
    numberedCourse(3),
  );
  const changes = { prices: [PRICE, { ...PRICE, currency: "EUR" }], image_url: null, name: "New" };
  await r.write("a.yaml", SEWING);
  await r.write("b.json", [numberedCourse(1), numberedCourse(2, changes)]);
  return r;
}

test("diff shows the old and new value of each field, the paths of nested values, and the counts", async () => {
  const ran = await (await drifted()).run("courses diff a.yaml b.json");
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

test.each([
  ["a.yaml b.json", 0],
  ["a.yaml b.json --exit-code", 7],
  ["a.yaml --exit-code --json", 7],
  ["same.json --exit-code", 0],
  ["same.json --exit-code --prune", 7],
  ["a.yaml --exit-code --report html=same.json/x.html", 1],
  ["a.yaml twice.json --exit-code", 3],
])(
  "diff --exit-code exits with 7 if there are differences, with 0 if there are none, and else as push does: diff %s exits with %i",
  async (words, code) => {
    const r = await drifted();
    await r.write("same.json", numberedCourse(1));
    const url = "https://academy.example/m";
    await r.write("twice.json", [numberedCourse(1, { url }), courseWithoutId(1)]);
    expect((await r.run(`courses diff ${words}`)).code).toBe(code);
  },
);
