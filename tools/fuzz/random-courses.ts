/** Makes random values of courses from the table of fields. */
import fc from "fast-check";
import { checkCourse } from "../../src/course/check.ts";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import type { Key, Shape } from "../../src/course/shape.ts";
import type { StringFormat } from "../../src/course/string-formats.ts";
import { course } from "../../test/rig.ts";
import { anyText, anyValue } from "./random-texts.ts";

/** A number that a field may contain. */
const number = fc.oneof(
  fc.nat(),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, 1e21, 5e-324, 0.1),
);

/** Any value of a shape; strings need not have the required format. */
function anyOf(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case "string":
      return anyText;
    case "enum":
      return fc.constantFrom(...shape.values);
    case "number":
      return number;
    case "boolean":
      return fc.boolean();
    case "list":
      return fc.array(anyOf(shape.of), { maxLength: 3 });
    case "paragraphs":
      return fc.oneof(anyText, fc.array(anyText, { maxLength: 3 }));
    case "object":
      return mappingOf(shape.keys, 1);
    case "any":
      return anyValue;
  }
}

function mappingOf(keys: readonly Key[], least: number): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .subarray([...keys], { minLength: least })
    .chain((some) =>
      fc.tuple(...some.map(({ name, shape }) => fc.tuple(fc.constant(name), anyOf(shape)))),
    )
    .map((entries) => Object.fromEntries(entries));
}

/** A course with any of its fields, each with a value of its shape. */
export const anyCourse = mappingOf(
  WRITABLE_FIELDS.filter(({ name }) => name !== "slug"),
  0,
);

/** Anything that the service or a file may contain instead of a course. */
export const unusualCourse: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(
    anyCourse,
    fc.dictionary(fc.constantFrom(...WRITABLE_FIELDS.map(({ name }) => name), "x"), anyValue, {
      maxKeys: 4,
    }),
  )
  .map(([course, changes]) => ({ ...course, ...changes }));

/** Valid values of each format. */
const BY_FORMAT: Readonly<Record<StringFormat, readonly string[]>> = {
  uuid: ["0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10"],
  url: ["https://academy.example/a", "https://academy.example/é?b=c%20d&e", "http://x.example/"],
  language: ["en", "pt-BR", "zh", "no"],
  currency: ["EUR", "USD", "BHD"],
  amount: ["0", "1", "49.99", "007.50", "99999999999999999999.99"],
};

/** The shape with strings that match its formats. */
function validValue(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case "string":
      return shape.format === undefined
        ? anyText.filter((text) => text.trim() !== "")
        : fc.constantFrom(...BY_FORMAT[shape.format]);
    case "list":
      return fc.array(validValue(shape.of), { maxLength: 3 });
    case "object":
      return fc
        .subarray([...shape.keys], { minLength: 1 })
        .chain((keys) =>
          fc.tuple(...keys.map((key) => fc.tuple(fc.constant(key.name), validValue(key.shape)))),
        )
        .map((entries) => Object.fromEntries(entries));
    default:
      return anyOf(shape);
  }
}

/** Whether the value of a field breaks no rule. */
function isRight(field: string, value: unknown): boolean {
  const problems = checkCourse({ [field]: value }, "patch");
  return problems.every(({ severity }) => severity !== "error");
}

/** Fields that are set separately, because every course has them, and the slug, which the service generates. */
const GIVEN = ["id", "url", "provider_id", "slug"];

const fields = WRITABLE_FIELDS.filter(({ name }) => !GIVEN.includes(name)).map(
  ({ name, shape }) => {
    const value =
      shape.kind === "list"
        ? fc.array(
            validValue(shape.of).filter((item) => isRight(name, [item])),
            { maxLength: 3 },
          )
        : validValue(shape);
    return fc.tuple(
      fc.constant(name),
      value.filter((held) => isRight(name, held)),
    );
  },
);

/** A valid course without an id. */
export const validCourse: fc.Arbitrary<Record<string, unknown>> = fc
  .subarray(fields, { maxLength: 6 })
  .chain((some) => fc.tuple(...some))
  .map((entries) => course(Object.fromEntries(entries)))
  .filter((valid) => checkCourse(valid).every(({ severity }) => severity !== "error"));
