/** Compares the JSON Schema with the checker: both must accept the same courses. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { courseFileSchema } from "../../src/course/json-schema.ts";
import { CASES } from "../cases.ts";
import { course, rig } from "../rig.ts";

/** The rules about several keys, which the schema does not state. */
const BEYOND_SCHEMA = new Set<string | undefined>([
  "price-subscription",
  "certificate-price",
  "video-source",
  "rating-scale",
  "rating-value",
]);

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(courseFileSchema());

test("schema prints the schemas of partial files and of default values, which help and errors name", async () => {
  const r = await rig();
  for (const name of ["partial", "defaults"] as const) {
    const ran = await r.run(["schema", name]);
    expect([ran.code, ran.stderr, ran.requests]).toEqual([0, "", []]);
    expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(JSON.stringify(courseFileSchema(name))));
    expect((await r.run("schema --help")).stdout).toContain(name);
    expect((await r.run(`schema ${name}x`)).stderr).toContain(`Did you mean "${name}"?`);
  }
});

test.each(CASES)("the schema and check agree on $title", ({ course: value, breaks }) => {
  const accepted = breaks === undefined || BEYOND_SCHEMA.has(breaks.rule);
  expect([validate(value), validate([course(), value])]).toEqual([accepted, accepted]);
});
