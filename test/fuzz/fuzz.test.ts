/** Checks every property of tools/fuzz with a few values; `npm run fuzz` checks many for five minutes. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { PROPERTIES } from "../../tools/fuzz/properties.ts";
import { validCourse } from "../../tools/fuzz/random-courses.ts";
import { IS_LONG } from "../long.ts";
import { FIRST_FAILURE } from "../random.ts";
import { rig } from "../rig.ts";

/** Minutes for all properties together; unset in the tests. */
const MINUTES = Number(process.env.CATALOG_FUZZ_MINUTES ?? 0);
const SHARE = (MINUTES * 60_000) / PROPERTIES.length;
/** A number that an earlier failure printed, to reproduce the failure. */
const SEED = process.env.CATALOG_FUZZ_SEED;

test.each(PROPERTIES.map((property) => [property.says, property] as const))(
  "fuzz: %s",
  async (_says, { arbitrary, check }) => {
    const r = await rig();
    const property = fc.asyncProperty(arbitrary, async (value) => await check(value, r));
    const seed = SEED === undefined ? {} : { seed: Number(SEED) };
    const end = performance.now() + SHARE;
    do await fc.assert(property, { ...seed, numRuns: IS_LONG ? 9 : 2, ...FIRST_FAILURE });
    while (performance.now() < end);
  },
  SHARE + 240_000,
);

test("random valid courses have every field that can be written, except for ids and slugs", () => {
  const found = new Set(fc.sample(validCourse, 200).flatMap((course) => Object.keys(course)));
  const missing = WRITABLE_FIELDS.filter(({ name }) => !found.has(name)).map(({ name }) => name);
  expect(missing.sort()).toEqual(["id", "slug"]);
});
