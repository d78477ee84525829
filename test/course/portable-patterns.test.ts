/** The patterns of the JSON Schema mean the same to every regular expression engine. */
import { expect, test } from "vitest";
import { isList, isObject } from "../../src/base/values.ts";
import { courseFileSchema } from "../../src/course/json-schema.ts";

function patternsOf(value: unknown): string[] {
  if (isList(value)) return value.flatMap(patternsOf);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === "patternProperties" && isObject(inner)) {
      return [...Object.keys(inner), ...patternsOf(Object.values(inner))];
    }
    return name === "pattern" ? [String(inner)] : patternsOf(inner);
  });
}

test("no pattern of the JSON Schema has a syntax that some regular expression engine reads differently", () => {
  const patterns = patternsOf(courseFileSchema());
  expect(patterns.length).toBeGreaterThan(10);
  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\\(?!x[0-9a-f]{2})[a-zA-Z]|\$|\(\?[=!<]/);
    expect(pattern).not.toMatch(/\p{Cc}/u);
    expect(() => new RegExp(pattern)).not.toThrow();
    expect(() => new RegExp(pattern, "u")).not.toThrow();
  }
});
