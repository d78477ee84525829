/** Compares the JSON Schema with the checker: both must accept the same courses. */
import { readFile } from "node:fs/promises";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { loadAll } from "js-yaml";
import { beforeAll, describe, expect, test } from "vitest";
import { checkCourse } from "../../src/course/check.ts";
import { WITHOUT_DEFAULT } from "../../src/course/field-names.ts";
import { FIELDS, WRITABLE_FIELDS } from "../../src/course/fields.ts";
import { courseFileSchema, type FileSchema } from "../../src/course/json-schema.ts";
import { CASES, OWNERSHIP_CASES } from "../cases.ts";
import { course, rig } from "../rig.ts";
import { editStarter } from "./helpers.ts";

/** Invalid courses that a schema cannot reject. */
const BEYOND_SCHEMA = new Set([
  "a value below min",
  "a value above max",
  "a scale upside down",
  "a scale without min",
  "a scale without max",
  "a ratio above 100",
  "a ratio below 0",
  "no likes",
  "half a like",
]);

const complaints: unknown[] = [];
const complain = (...words: unknown[]): void => void complaints.push(words);
let validate: ValidateFunction;
let validatePartial: ValidateFunction;
let validateDefaults: ValidateFunction;

beforeAll(() => {
  const logger = { log: complain, warn: complain, error: complain };
  const compile = (file?: FileSchema) =>
    new Ajv2020({ strict: true, allErrors: true, logger }).compile(courseFileSchema(file));
  [validate, validatePartial, validateDefaults] = [
    compile(),
    compile("partial"),
    compile("defaults"),
  ];
});

test("schema prints the JSON Schema without reading settings or sending a request", async () => {
  const ran = await (await rig()).run(["schema"], {
    environment: { CATALOG_BASE_URL: "nonsense" },
  });
  expect([ran.code, ran.stderr, ran.requests]).toEqual([0, "", []]);
  expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(JSON.stringify(courseFileSchema())));
});

test("schema prints the schemas of partial files and of default values, which help and errors name", async () => {
  const r = await rig();
  for (const name of ["partial", "defaults"] as const) {
    const ran = await r.run(["schema", name]);
    expect([ran.code, ran.stderr, ran.requests]).toEqual([0, "", []]);
    expect(JSON.parse(ran.stdout)).toEqual(JSON.parse(JSON.stringify(courseFileSchema(name))));
    expect((await r.run(["schema", "--help"])).stdout).toContain(name);
    expect((await r.run(["schema", `${name}x`])).stderr).toContain(`Did you mean "${name}"?`);
  }
});

test.each([["-o", "csv"], ["--fields", "name"], ["word"]])(
  "schema exits with 2 for %s",
  async (...words) => {
    const ran = await (await rig()).run(["schema", ...words]);
    expect([ran.code, ran.stdout]).toEqual([2, ""]);
  },
);

test("a strict validator compiles the JSON Schema without warnings", () => {
  expect(complaints).toEqual([]);
});

describe("agreement with check", () => {
  test.each(CASES)("the schema and check agree on $title", ({ title, course: value, breaks }) => {
    const accepted = breaks === undefined || BEYOND_SCHEMA.has(title);
    expect([validate(value), validate([course(), value])]).toEqual([accepted, accepted]);
  });

  test("the JSON Schema accepts invalid courses only by the rules that its comment lists", () => {
    const unstated = CASES.filter(
      ({ course: value, breaks }) => breaks !== undefined && validate(value),
    );
    expect(new Set(unstated.map(({ title }) => title))).toEqual(BEYOND_SCHEMA);
    expect(courseFileSchema().$comment).toContain("the range of a rating");
  });

  test("the JSON Schema accepts courses that only checkOwnership rejects", () => {
    for (const { course: value } of OWNERSHIP_CASES) expect(validate(value)).toBe(true);
  });

  test("the JSON Schema and check agree on provider and provider_id, both and neither", () => {
    const { provider_id: id, ...none } = course();
    const answers = [
      none,
      { ...none, provider: "academy" },
      { ...none, provider: "" },
      { ...none, provider: 7 },
      { ...none, provider: null, provider_id: id },
      { ...none, provider: "academy", provider_id: null },
      { ...none, provider: "academy", provider_id: id },
    ].map((value) => [validate(value), checkCourse(value).length === 0]);
    expect(answers).toEqual(
      [false, true, false, false, true, true, false].map((answer) => [answer, answer]),
    );
  });

  test("the JSON Schema accepts courses with warnings, such as read-only fields of any type", () => {
    expect(validate(course({ approval_status: 7, last_fetched_at: "now", slug: "a" }))).toBe(true);
  });

  test("the JSON Schema accepts a list of courses, but not an empty list", () => {
    expect([validate([course(), course()]), validate([]), validate("course")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("partial files and default values", () => {
  const noErrors = (value: unknown): boolean =>
    checkCourse(value, { mode: "patch" }).every(({ severity }) => severity === "warning");

  test("the schemas of partial files and default values agree with check and require no field", () => {
    const { provider_id: id } = course();
    const given: unknown[] = [
      ...CASES.filter(({ title }) => !BEYOND_SCHEMA.has(title)).map((each) => each.course),
      ...["", "academy", null, 7].map((provider) => ({ provider })),
      ...[id, null, 7].map((provider_id) => ({ provider_id })),
      { provider: "academy", provider_id: id },
      { provider: "academy", provider_id: null },
      ...[{}, { id, name: null }, { name: "New" }, { nmae: "New" }, { "x-notes": 1 }, "course"],
    ];
    for (const value of given) {
      expect([value, validatePartial(value)]).toEqual([value, noErrors(value)]);
      const own = Object.entries(typeof value === "object" ? { ...value } : {});
      const common = Object.fromEntries(own.filter(([name]) => !WITHOUT_DEFAULT.includes(name)));
      if (typeof value === "object") expect(validateDefaults(common)).toBe(noErrors(common));
    }
    expect([validatePartial([{ name: "New" }]), validatePartial([])]).toEqual([true, false]);
  });

  test("the schema of default values accepts one object without id, key, url and slug, as check does", async () => {
    const r = await rig();
    await r.write("one/a.json", JSON.stringify(course()));
    const defaults = { provider: "academy", level: ["beginner"], "x-team": "A" };
    for (const [value, code] of [
      [defaults, 0],
      [[defaults], 0],
      [[defaults, defaults], 3],
      ...["id", "key", "url", "slug"].map(
        (name) => [{ [name]: course()[name] ?? "a" }, 3] as const,
      ),
    ] as const) {
      await r.write("one/catalog.defaults.yaml", JSON.stringify(value));
      const isAccepted = validateDefaults(value);
      expect([value, (await r.run(["courses", "check", "one"])).code]).toEqual([value, code]);
      expect([value, isAccepted]).toEqual([value, code === 0 && !Array.isArray(value)]);
    }
  });
});

describe("contents", () => {
  test("the JSON Schema has a description and a valid example for every field", () => {
    const defined = courseFileSchema().$defs as Record<string, { properties: object }>;
    const { properties } = defined.course as {
      properties: Record<string, { description: string; examples: unknown[] }>;
    };
    for (const field of FIELDS) {
      expect(properties[field.name]).toMatchObject({
        description: field.description,
        examples: [field.example],
      });
    }
    const all = Object.fromEntries(FIELDS.map(({ name, example }) => [name, example]));
    expect(validate(all)).toBe(true);
  });

  test("the JSON Schema accepts the template of init once it is edited", async () => {
    const r = await rig();
    const yaml = await r.run(["courses", "init"]);
    expect(validate(loadAll(editStarter(yaml.stdout))[0])).toBe(true);
  });

  test("the JSON Schema accepts the example file, which has every field except id and slug", async () => {
    const documents = loadAll(await readFile("examples/every-field.yaml", "utf8")) as object[];
    for (const document of documents) expect(validate(document)).toBe(true);
    const given = new Set(documents.flatMap((document) => Object.keys(document)));
    const missing = WRITABLE_FIELDS.map(({ name }) => name).filter((name) => !given.has(name));
    expect(missing).toEqual(["id", "slug"]);
  });
});
