/** The places of any data in any style, against those that were counted while it was written. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject } from "../../src/base/values.ts";
import { parseJson } from "../../src/files/json.ts";
import { LineIndex, spanAt } from "../../src/files/position.ts";
import { parseYaml } from "../../src/files/yaml.ts";
import { writePlaced } from "../commands/placed-text.ts";
import { STYLES, type Style } from "../commands/text-styles.ts";

type Steps = readonly (string | number)[];

/** Texts that look like something else, and marks that could end or begin something. */
const texts = fc.oneof(
  fc.constantFrom("", " ", "a", "a-b", "- x", "]", "}", "[", "# no", "a # b", "a: b", "a,b", "? x"),
  fc.constantFrom(
    "編🧶",
    "it's",
    'say "x"',
    "&x",
    "*y",
    "|",
    "true",
    "5",
    "x\ty",
    "\\",
    "---",
    "~",
  ),
  fc.string(),
);
const keys = fc.oneof(
  fc.constantFrom("a", "b", "c d", "x-y", "編", "5", "true", "]", "- a"),
  texts,
);
const { data } = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.oneof(texts, fc.constant(null), fc.integer(), fc.boolean()),
    fc.array(tie("data"), { maxLength: 3 }),
    fc
      .array(fc.tuple(keys, tie("data")), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

/** The path of every value of some data, itself included. */
function pathsOf(value: unknown, path: Steps = []): Steps[] {
  const parts = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...parts.flatMap(([step, part]) => pathsOf(part, [...path, step]))];
}

function expectPlaces(values: readonly unknown[], { extension, manner }: Style): void {
  const { text, spot } = writePlaced(values, { ...manner, several: "list" });
  const shown = text.replace(/^\ufeff/, "");
  const parsed = extension === "json" ? parseJson(shown) : parseYaml(shown);
  expect(parsed.problems).toEqual([]);
  const [root] = parsed.positions().places;
  const lines = new LineIndex(shown);
  for (const path of pathsOf(values).slice(1)) {
    const { key, value } = spot(Number(path[0]), path.slice(1)) ?? {};
    const place = (at: "key" | "value") => root && lines.range(spanAt(root, path, at));
    expect({ text, path, place: place("value") }).toEqual({ text, path, place: value });
    if (key !== undefined) expect({ text, path, key: place("key") }).toEqual({ text, path, key });
  }
}

describe("any data has its places", () => {
  test.each(STYLES)("$style", (style) => {
    fc.assert(
      fc.property(fc.array(data, { minLength: 1, maxLength: 2 }), (values) =>
        expectPlaces(values, style),
      ),
      { numRuns: 60 },
    );
  });
});
