/** What `courses diff` shows, and its exit codes. */
import { describe, expect, test } from "vitest";
import { type Rig, rig } from "../rig.ts";
import {
  expectRefused,
  id,
  jsonMessages,
  jsonRows,
  lines,
  numberedCourse,
  rigWith,
} from "./helpers.ts";
import {
  courseWithoutId,
  json,
  READS,
  rigWithTwoProviders,
  SCHOOL,
  SEWING,
  SEWING_ID,
} from "./push-files.ts";

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
  await r.write(
    "b.json",
    json([numberedCourse(1), numberedCourse(2, { prices, image_url: null, name: "New" })]),
  );
  return r;
}

describe("text", () => {
  test("diff shows the old and new value of each field, the paths of nested values, and the counts", async () => {
    const ran = await diff(await drifted(), ["a.yaml", "b.json"]);
    expect([ran.code, ran.stderr, ran.requests]).toEqual([0, "", READS]);
    expect(lines(ran.stdout)).toEqual([
      "Look at these first:",
      "! Course 2: prices[1].currency USD → EUR",
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
      `~ Course 2 (b.json, ${id(2)})`,
      '    name: "Course 2" → "New"',
      '    prices[1].currency: "USD" → "EUR"',
      '    image_url: "https://i.example/2" → none',
      "",
      "1 course to create and 1 to update. 1 is up to date.",
    ]);
  });

  test("diff --prune also shows the deletions and needs no --yes", async () => {
    const ran = await diff(await drifted(), ["a.yaml", "b.json", "--prune"]);
    expect([ran.code, ran.requests]).toEqual([0, READS]);
    expect(ran.stdout).toContain(`\n- Course 3 (${id(3)})\n`);
    expect(lines(ran.stdout).at(-1)).toBe(
      "1 course to create, 1 to update and 1 to delete. 1 is up to date.",
    );
  });

  test("diff --prune shows no deletions of a provider that is in no file", async () => {
    const theirs = numberedCourse(9, { provider_id: SCHOOL.id, url: "https://school.example/9" });
    const r = await rigWithTwoProviders(numberedCourse(1), theirs);
    await r.write("a.json", json(numberedCourse(1)));
    const ran = await diff(r, ["a.json", "--prune"]);
    expect(ran.stdout).toBe("Already up to date: 1 course.\n");
  });

  test("diff compares only fields that are in the file", async () => {
    const r = await rigWith(numberedCourse(1, { image_url: "https://i.example/1" }));
    await r.write("a.json", json(numberedCourse(1)));
    expect((await diff(r, ["a.json", "--exit-code"])).code).toBe(0);
  });
});

describe("diff --exit-code", () => {
  test("diff --exit-code exits with 7 if there are differences, and with 0 if there are none", async () => {
    const r = await drifted();
    expect((await diff(r, ["a.yaml", "b.json"])).code).toBe(0);
    expect((await diff(r, ["a.yaml", "b.json", "--exit-code"])).code).toBe(7);
    await r.write("c.json", json(numberedCourse(1)));
    expect((await diff(r, ["c.json", "--exit-code"])).code).toBe(0);
    expect((await diff(r, ["c.json", "--exit-code", "--prune"])).code).toBe(7);
    expect((await diff(r, ["a.yaml", "--exit-code", "--json"])).code).toBe(7);
  });

  test("diff --exit-code never exits with 7 after a failure", async () => {
    const r = await drifted();
    await r.write("bad.json", json(courseWithoutId(5, { pace: "fast" })));
    expectRefused(await diff(r, ["a.yaml", "bad.json", "--exit-code"]), 3);
    const away = { CATALOG_BASE_URL: "http://127.0.0.1:1" };
    const ran = await diff(r, ["a.yaml", "--exit-code", "--retries", "0"], { environment: away });
    expect(ran.code).toBe(6);
    const wrong = { CATALOG_API_KEY: "wrong.key" };
    expect((await diff(r, ["a.yaml", "--exit-code"], { environment: wrong })).code).toBe(4);
    expectRefused(await diff(r, ["--exit-code"]), 2);
  });
});

describe("diff --json", () => {
  test("diff --json prints courses with actions and fields, and ends with a notice of counts and target", async () => {
    const ran = await diff(await drifted(), ["a.yaml", "b.json", "--prune", "--json"]);
    expect([ran.code, jsonMessages(ran)]).toEqual([
      0,
      [
        {
          notice: "1 course to create, 1 to update and 1 to delete. 1 is up to date.",
          counts: {
            created: 1,
            updated: 1,
            unchanged: 1,
            deleted: 1,
            ...{ failed: 0, skipped: 0, unknown: 0 },
          },
          target: { baseUrl: expect.any(String), providers: ["Example Academy"] },
          risks: 2,
        },
      ],
    ]);
    const [created, updated, deleted, ...others] = jsonRows(ran);
    expect(others).toEqual([]);
    expect(created).toMatchObject({ id: SEWING_ID, file: "a.yaml", action: "create" });
    expect(created?.fields).toContainEqual({ path: ["name"], old: null, new: "Sewing" });
    expect(updated).toEqual({
      id: id(2),
      name: "New",
      url: "https://academy.example/2",
      file: "b.json",
      line: 1,
      action: "update",
      status: "planned",
      risks: ["currency"],
      fields: [
        { path: ["name"], old: "Course 2", new: "New" },
        { path: ["prices", 1, "currency"], old: "USD", new: "EUR" },
        { path: ["image_url"], old: "https://i.example/2", new: null },
      ],
    });
    expect(deleted).toMatchObject({ id: id(3), action: "delete" });
    expect(deleted?.fields).toContainEqual({ path: ["name"], old: "Course 3", new: null });
  });
});

describe("long strings", () => {
  const shown = async (old: string, value: string, options = {}) => {
    const r = await rigWith(numberedCourse(1, { long_description: old }));
    await r.write("a.json", json(numberedCourse(1, { long_description: value })));
    return lines((await diff(r, ["a.json"], options)).stdout).slice(1, -2);
  };
  const text = (line: string) => `First line.\nSecond line.\n${line}\nFourth line.\nFifth line.\n`;

  test("diff shows a string of several lines as the lines that differ, with context", async () => {
    expect(await shown(text("Third line."), text("Another line."))).toEqual([
      "    long_description:",
      "        Second line.",
      "      - Third line.",
      "      + Another line.",
      "        Fourth line.",
    ]);
  });

  test("diff shows a string of one line before and after, and of a long string only the words around the change", async () => {
    expect(await shown("Until the end.", "Until the morning.")).toEqual([
      '    long_description: "Until the end." → "Until the morning."',
    ]);
    const end = `${"From dusk, ".repeat(16)}until the end.`;
    expect(await shown(end, end.replace("end", "morning"))).toEqual([
      "    long_description:",
      "      - …dusk, From dusk, until the end.",
      "      + …dusk, From dusk, until the morning.",
    ]);
  });

  test("diff prints no control characters of a string on a terminal, but colors", async () => {
    const options = { terminal: true, environment: { TERM: "xterm-256color" } };
    const [label, ...rest] = await shown(
      "a\nold \u001b[2J\u202e\n",
      "a\nnew \u009b2J\r\n",
      options,
    );
    expect(label).toContain("long_description");
    const text = rest.join("\n");
    expect(text).not.toContain("\u001b[2J");
    expect(text).toContain("\u001b[31m-\u001b[39m \u001b[31mold \\x1b[2J\\u202e\u001b[39m");
    expect(text).toContain("\u001b[32m+\u001b[39m \u001b[32mnew \\x9b2J");
  });
});

test("diff stops for the same problems as push", async () => {
  const r = await rigWith(numberedCourse(1));
  await r.write(
    "a.json",
    json([numberedCourse(1, { url: "https://academy.example/m" }), courseWithoutId(1)]),
  );
  await r.write("empty.yaml", "");
  const ran = await diff(r, ["a.json", "--exit-code"]);
  expect([ran.code, ran.stdout]).toEqual([3, ""]);
  expect(ran.stderr).toContain("[same-course]");
  expectRefused(await diff(r, ["empty.yaml"]), 2);
});

test("diff - reads standard input", async () => {
  const ran = await diff(await rig(), ["-", "--json"], { input: SEWING });
  expect(jsonRows(ran)).toMatchObject([{ id: SEWING_ID, action: "create" }]);
});

test("diff --prune shows a deletion as one line, and in JSON with every value except the id", async () => {
  const r = await rigWith(numberedCourse(1), numberedCourse(2));
  await r.write("a.json", JSON.stringify(numberedCourse(1)));
  const shown = await r.run(["courses", "diff", "a.json", "--prune"]);
  expect(shown.stdout).toBe(
    `Look at these first:\n! Course 2: deleted\n\n- Course 2 (${id(2)})\n\n1 course to delete. 1 is up to date.\n`,
  );
  const [row = {}] = jsonRows(await r.run(["courses", "diff", "a.json", "--prune", "--json"]));
  const paths = (row.fields as { path: string[] }[]).map(({ path }) => path[0]);
  expect([row.action, paths.includes("name"), paths.includes("id")]).toEqual([
    "delete",
    true,
    false,
  ]);
});
