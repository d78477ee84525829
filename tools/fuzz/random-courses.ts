/** Makes random values of courses from the table of fields. */
import fc from "fast-check";
import { WRITABLE_FIELDS } from "../../src/course/fields.ts";
import type { Key, Shape } from "../../src/course/shape.ts";
import { anyText, anyValue } from "./random-strings.ts";

/** A number that a field may contain. */
const number = fc.oneof(
  fc.nat(),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, 1, 1e21, 5e-324, 0.1),
);

/** Any value of a shape; strings need not have the required format. */
export function anyOf(shape: Shape): fc.Arbitrary<unknown> {
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
