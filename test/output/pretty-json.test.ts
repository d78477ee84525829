import fc from "fast-check";
import { expect, test } from "vitest";
import { prettyJson } from "../../src/output/json.ts";

test("prettyJson: prints one value per line", () => {
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

test("prettyJson: numbers, duplicate keys and escapes are unchanged", () => {
  const text = '{"n":11223344556677889911,"d":1.50,"n":-0.0e+2,"s":"\\u00e9\\/"}';
  expect(prettyJson(text)?.replace(/\s/g, "")).toBe(text);
});

test("prettyJson: returns undefined for a string that is not JSON", () => {
  for (const text of ["", " ", "{", "{a:1}", "[1,]", "<p>", "\ufeff{}", "NaN", "1 2"]) {
    expect(prettyJson(text)).toBeUndefined();
  }
});

test("prettyJson: prints any value as JSON.stringify does", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, 4, "\t"), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      expect(prettyJson(text)).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test("prettyJson: deeply nested brackets use memory in proportion to their number", () => {
  const depth = 100_000;
  const pretty = prettyJson("[".repeat(depth) + "]".repeat(depth));
  expect(pretty?.length).toBeLessThan(200 * depth);
  expect(pretty?.replace(/\s/g, "")).toBe("[".repeat(depth) + "]".repeat(depth));
});
