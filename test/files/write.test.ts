/** Writing course files: the order and style of fields, and exact values. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { yamlText } from "../../src/base/yaml-text.ts";
import { checkCourse } from "../../src/course/check.ts";
import { FIELDS, WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { decode } from "../../src/files/decode.ts";
import { type FileFormat, parseAs } from "../../src/files/parse.ts";
import { courseText, fileCourse } from "../../src/files/write.ts";
import { validCourse } from "../../tools/fuzz/random-courses.ts";
import { scaleRuns } from "../long.ts";
import { course } from "../rig.ts";

describe("a complete course", () => {
  /** Every field as the service returns it, in reverse order. */
  const complete = Object.fromEntries(
    FIELDS.map(({ name, example }) => [name, example])
      .reverse()
      .concat([["made_up_by_the_service", 1]]),
  );

  test("courseText writes the writable fields in the documented order, and no others", async () => {
    for (const format of ["yaml", "json"] as const) {
      const read = await readBack(textOf(complete, format), format);
      expect(Object.keys(read as object)).toEqual(
        WRITABLE_FIELDS.map(({ name }) => name).filter((name) => name !== "slug"),
      );
      expect(checkCourse(read).filter(({ severity }) => severity === "error")).toEqual([]);
    }
  });

  test("courseText writes exactly this YAML", () => {
    const held = {
      certificate: { currency: "EUR", price: "39.00", type: "paid" },
      video: { type: null, url: null },
      level: [],
      prices: [{ price: "49.99", plan_type: null, payment_period: { unit: null }, tier: "gold" }],
      syllabus: [
        { description: ["Yarn.", "The cast-on."], title: "Casting on" },
        { title: "null" },
      ],
      name: "Knitting",
      audio: ["en", "pt-BR"],
      long_description: "Yarn, needles.\n\nAnd your first scarf.\n",
      approval_status: "pending",
    };
    expect(textOf(held, "yaml")).toBe(`name: Knitting
long_description: |
  Yarn, needles.

  And your first scarf.
audio: [en, pt-BR]
prices:
  - price: "49.99"
certificate:
  type: paid
  price: "39.00"
  currency: EUR
level: []
syllabus:
  - title: Casting on
    description:
      - Yarn.
      - The cast-on.
  - title: "null"
`);
  });

  test("courseText writes exactly this JSON", () => {
    const held = { pace: "self_paced", video: null, audio: ["en"], name: "Wolle\u0085\u2028" };
    expect(textOf(held, "json")).toBe(`{
  "name": "Wolle\\u0085\\u2028",
  "audio": [
    "en"
  ],
  "pace": "self_paced"
}
`);
  });

  test("courseText does not write inherited properties", () => {
    const held = Object.create({ name: "Inherited" }) as Record<string, unknown>;
    held.pace = "self_paced";
    expect(textOf(held, "yaml")).toBe("pace: self_paced\n");
    const unusual = JSON.parse('{"video": {"__proto__": {"type": "vimeo"}, "id": "1"}}');
    expect(textOf(unusual, "yaml")).toBe('video:\n  id: "1"\n');
  });
});

describe.each(["yaml", "json"] as const)("any course written as %s", (format) => {
  test(`a course written as ${format} reads back unchanged, has no new problems, and is written the same again`, async () => {
    await fc.assert(
      fc.asyncProperty(validCourse, async (held) => {
        const others = { slug: "s", video: held.video ?? null, approval_status: "pending" };
        const written = textOf({ ...held, ...others }, format);
        const read = await readBack(written, format);
        expect(read).toEqual(held);
        expect(checkCourse(read)).toEqual(checkCourse(held));
        expect(textOf(read as Record<string, unknown>, format)).toBe(written);
      }),
      { numRuns: scaleRuns(15) },
    );
  });

  test(`a course written as ${format} reads back unchanged with very long strings`, async () => {
    const long = "漢字 ".repeat(40_000) + "a: - #\n".repeat(16_000) + "a\r\n".repeat(20_000);
    const held = course({ long_description: long });
    const read = (await readBack(textOf(held, format), format)) as typeof held;
    expect(read.long_description === long).toBe(true);
  });
});

/** The lines of a file with one field. */
async function linesOf(field: string, value: unknown): Promise<string> {
  const text = textOf({ [field]: value }, "yaml");
  expect(await readBack(text, "yaml")).toEqual({ [field]: value });
  return text;
}

test.each([
  ["Основи програмування", "Основи програмування"],
  ["C# and C++", "C# and C++"],
  ["a:b", "a:b"],
  ["", '""'],
  ["49.99", '"49.99"'],
  ["no", '"no"'],
  ["Python: the basics", '"Python: the basics"'],
  ['"quoted"', `'"quoted"'`],
  ["\u001b[31m\u0000\u0085", '"\\u001b[31m\\u0000\\u0085"'],
  ["\ufeffmark", '"\\ufeffmark"'],
  ["carriage\r\nreturn", '"carriage\\r\\nreturn"'],
  ["\ttab first\nand a line", '"\\ttab first\\nand a line"'],
])("courseText quotes the string %j only to keep it a string", async (text, written) => {
  expect(await linesOf("name", text)).toBe(`name: ${written}\n`);
});

describe("blocks", () => {
  const long = "Knitting needs wool, two needles, and patience, ".repeat(3).trim();
  test.each([
    ["one\ntwo", "|-\n  one\n  two\n"],
    ["one\ntwo\n", "|\n  one\n  two\n"],
    ["  one\ntwo", "|2-\n    one\n  two\n"],
    ["\n one", '"\\n one"\n'],
    [long, `|-\n  ${long}\n`],
    ["長".repeat(81), `|-\n  ${"長".repeat(81)}\n`],
  ])("courseText puts long or multi-line text in blocks (case %#): $0", async (text, written) => {
    expect(await linesOf("long_description", text)).toBe(`long_description: ${written}`);
  });

  test("courseText writes a long URL on one line", async () => {
    const url = `https://academy.example/${"a".repeat(200)}`;
    expect(await linesOf("url", url)).toBe(`url: ${url}\n`);
  });
});

test("courseText writes a list of a few words on one line, and one of many words on several", async () => {
  expect(await linesOf("audio", ["en", "no"])).toBe('audio: [en, "no"]\n');
  const many = Array.from({ length: 20 }, () => "pt-BR");
  expect(await linesOf("audio", many)).toBe(`audio:\n${"  - pt-BR\n".repeat(20)}`);
});

test("yamlText quotes strings that some parsers do not accept without quotes, and writes a shared list twice", () => {
  const list = ["=", "a?", ":a", "a:b"];
  const written = '["=", "a?", ":a", a:b]';
  expect(yamlText({ "--- a": list, "... b": list })).toBe(
    `"--- a": ${written}\n"... b": ${written}\n`,
  );
});

test("courseText escapes an invisible character in a key, so that every parser reads the key", async () => {
  expect(await linesOf("id", [{ "\uffff": 1 }])).toBe('id:\n  - "\\uffff": 1\n');
});

/** The only course of a file. Fails if the file is invalid. */
async function readBack(text: string, format: FileFormat): Promise<unknown> {
  const decoded = decode(Buffer.from(text));
  expect(decoded.problem).toBeUndefined();
  const parsed = await parseAs(format, decoded.text);
  expect(parsed.problems).toEqual([]);
  expect(parsed.documents).toHaveLength(1);
  return parsed.documents[0];
}

/** The text of a course file. */
function textOf(course: PlainObject, format: FileFormat): string {
  return courseText(fileCourse(course), format);
}
