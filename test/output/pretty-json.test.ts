import fc from "fast-check";
import { expect, test } from "vitest";
import { prettyJson } from "../../src/output/json.ts";

test("pretty JSON: a JSON text gets one value per line", () => {
  expect(prettyJson('{"a":[1,2,{"b":"c, [d]: \\"{"}],"e":{},"f":[ ],"g":null}\n')).toBe(
    [
      "{",
      '  "a": [',
      "    1,",
      "    2,",
      "    {",
      '      "b": "c, [d]: \\"{"',
      "    }",
      "  ],",
      '  "e": {},',
      '  "f": [],',
      '  "g": null',
      "}",
    ].join("\n"),
  );
});

test("pretty JSON: numbers, duplicate keys and escapes stay unchanged", () => {
  const text = '{"n":11223344556677889911,"d":1.50,"n":-0.0e+2,"s":"\\u00e9\\/"}';
  expect(prettyJson(text)?.replace(/\s/g, "")).toBe(text);
});

test("pretty JSON: text that is not JSON is not formatted", () => {
  for (const text of ["", " ", "{", "{a:1}", "[1,]", "<p>", "\ufeff{}", "NaN", "1 2"]) {
    expect(prettyJson(text)).toBeUndefined();
  }
});

test("pretty JSON: any value is formatted as JSON.stringify does", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, 4, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(prettyJson(text)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test("pretty JSON: endless brackets use a bounded amount of memory", () => {
  const depth = 100_000;
  const pretty = prettyJson("[".repeat(depth) + "]".repeat(depth));
  expect(pretty?.length).toBeLessThan(200 * depth);
  expect(pretty?.replace(/\s/g, "")).toBe("[".repeat(depth) + "]".repeat(depth));
});
