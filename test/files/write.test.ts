/** Writing course files: the order and style of fields, and exact values. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkCourse } from "../../src/course/check.ts";
import { FIELDS, WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { anyCharacter } from "../any-character.ts";
import { scaleRuns } from "../long.ts";
import { course } from "../rig.ts";
import { readBack, textOf } from "./read-back.ts";

const ID = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";

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
      last_fetched_at: "2026-01-31T12:00:00+00:00",
      certificate: { currency: "EUR", price: "39.00", type: "paid" },
      video: null,
      level: [],
      prices: [
        {
          trial_period: { value: 7, unit: "days" },
          currency: "EUR",
          plan_type: null,
          price: "49.99",
          type: "subscription",
          payment_period: { unit: null, value: null },
          tier: "gold",
        },
      ],
      syllabus: [
        {
          duration: { unit: "minutes", value: 45 },
          description: ["Yarn and needles.", "The cast-on."],
          title: "Casting on",
        },
        { title: "null" },
      ],
      ...course({ audio: ["en", "pt-BR"], id: ID, slug: "knitting-7f3a" }),
      long_description: "Yarn, needles, charts.\n\nAnd your first scarf.\n",
      approval_status: "pending",
    };
    expect(textOf(held, "yaml")).toBe(`id: ${ID}
name: Knitting for Beginners
url: https://academy.example/knitting
short_description: Knit your first scarf.
long_description: |
  Yarn, needles, charts.

  And your first scarf.
audio: [en, pt-BR]
provider_id: 6f0f8a34-4f3b-4c58-9d7e-0d0c3c1f5b21
pace: self_paced
prices:
  - type: subscription
    price: "49.99"
    currency: EUR
    trial_period:
      unit: days
      value: 7
certificate:
  type: paid
  price: "39.00"
  currency: EUR
level: []
syllabus:
  - title: Casting on
    description:
      - Yarn and needles.
      - The cast-on.
    duration:
      value: 45
      unit: minutes
  - title: "null"
`);
  });

  test("courseText writes exactly this JSON", () => {
    const held = {
      pace: "self_paced",
      video: null,
      slug: "x",
      audio: ["en"],
      name: "Wolle\u0085\u2028",
    };
    expect(textOf(held, "json")).toBe(`{
  "name": "Wolle\\u0085\\u2028",
  "audio": [
    "en"
  ],
  "pace": "self_paced"
}
`);
  });

  test("courseText does not write an object with only null values", () => {
    const held = { video: { type: null, url: null, id: null, thumbnail_url: null }, name: "Wool" };
    expect(textOf(held, "yaml")).toBe("name: Wool\n");
  });

  test("courseText writes false, zero and the empty string", async () => {
    const held = { published: false, duration_in_hours: 0, image_url: "", prices: [] };
    for (const format of ["yaml", "json"] as const) {
      expect(await readBack(textOf(held, format), format)).toEqual(held);
    }
  });

  test("courseText does not write inherited properties", () => {
    const held = Object.create({ name: "Inherited" }) as Record<string, unknown>;
    held.pace = "self_paced";
    expect(textOf(held, "yaml")).toBe("pace: self_paced\n");
    const unusual = JSON.parse('{"video": {"__proto__": {"type": "vimeo"}, "id": "1"}}');
    expect(textOf(unusual, "yaml")).toBe('video:\n  id: "1"\n');
  });
});

/** Strings that are difficult for YAML, JSON or editors. */
const pieces = fc.constantFrom(
  ..." ,  ,\t,\n,\n\n,\r,\r\n,\u2028,\u2029,\u0085,\u00a0,\ufeff,\u0000,\u001b[1m,\ud800,\udc00,---,...".split(
    ",",
  ),
  ..."# |: |- |? |> || |%|@|`|!|&a|*a|'|\"|\\|{|}|[|]|<<|~|null|no|=|1e3|0x1F|2026-01-31|.5|a|é|漢|😀".split(
    "|",
  ),
  "x".repeat(100),
);
const text = fc
  .oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join("")),
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: "grapheme" }),
  )
  .filter((value) => /\S/.test(value));
const paragraphs = fc.oneof(text, fc.array(text, { maxLength: 3 }));
const duration = fc.record({
  value: fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
  unit: fc.constantFrom("hours", "minutes", "seconds"),
});
const anyCourse = fc.record(
  {
    id: fc.constant(ID),
    name: text,
    short_description: text,
    long_description: text,
    published: fc.boolean(),
    offered_by: fc.array(
      fc.record({ type: fc.constantFrom("company", "other"), name: text, main: fc.boolean() }),
      { maxLength: 2 },
    ),
    instructors: fc.array(fc.record({ name: text }), { maxLength: 2 }),
    what_you_will_learn: fc.array(fc.record({ title: text, description: paragraphs })),
    syllabus: fc.array(fc.record({ title: text, description: paragraphs, duration })),
  },
  { requiredKeys: ["id"] },
);

describe.each(["yaml", "json"] as const)("any course written as %s", (format) => {
  test(`a course written as ${format} reads back unchanged, has no new problems, and is written the same again`, async () => {
    await fc.assert(
      fc.asyncProperty(anyCourse, async (changes) => {
        const held = course(changes);
        const written = textOf(
          { ...held, slug: "s", video: null, approval_status: "pending" },
          format,
        );
        const read = await readBack(written, format);
        expect(read).toEqual(held);
        expect(checkCourse(read)).toEqual(checkCourse(held));
        expect(textOf(read as Record<string, unknown>, format)).toBe(written);
      }),
      { numRuns: scaleRuns(15) },
    );
  });

  test.each([
    ["of one line", "漢字 ".repeat(200_000)],
    ["of many lines", "a: - #\n".repeat(80_000)],
    ["of carriage returns", "a\r\n".repeat(200_000)],
  ])(
    `a course written as ${format} reads back unchanged with a very long string %s`,
    async (_, long) => {
      const held = course({ long_description: long });
      expect(((await readBack(textOf(held, format), format)) as typeof held).long_description).toBe(
        long,
      );
    },
  );
});
