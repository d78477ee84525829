/** The positions of random data in every style equal the positions that were recorded while writing. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { isObject } from "../../src/base/values.ts";
import { LineIndex, spanAt } from "../../src/files/diagnostic.ts";
import { parseAs } from "../../src/files/parse.ts";
import { writeWithPositions } from "../commands/position-writer.ts";
import { STYLES, type Style } from "../commands/text-styles.ts";
import { scaleRuns } from "../long.ts";

type Steps = readonly (string | number)[];

/** Strings that look like other values, and characters with a meaning in YAML or JSON. */
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

/** The path of every value in the data, including the data itself. */
function pathsOf(value: unknown, path: Steps = []): Steps[] {
  const parts = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...parts.flatMap(([step, part]) => pathsOf(part, [...path, step]))];
}

async function expectPositions(
  values: readonly unknown[],
  { extension, layout }: Style,
): Promise<void> {
  const { text, find: findWritten } = writeWithPositions(values, { ...layout, several: "list" });
  const content = text.replace(/^\ufeff/, "");
  const parsed = await parseAs(extension, content);
  expect(parsed.problems).toEqual([]);
  const lines = new LineIndex(content);
  const paths = pathsOf(values).slice(1);
  const written = paths.map((path) => ({ path, ...findWritten(Number(path[0]), path.slice(1)) }));
  const find = async (path: Steps, key: unknown) => {
    const [item, ...steps] = path;
    const root = await parsed.place({ document: 0, item: Number(item) });
    const place = (at: "key" | "value") => lines.range(spanAt(root, steps, at));
    return { path, value: place("value"), ...(key === undefined ? {} : { key: place("key") }) };
  };
  const found = await Promise.all(written.map(({ path, key }) => find(path, key)));
  expect({ text, found }).toEqual({ text, found: written });
}

test.each(STYLES)(
  "every value of random data has the position at which it was written: $style",
  async (style) => {
    await fc.assert(
      fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 2 }), (values) =>
        expectPositions(values, style),
      ),
      { numRuns: scaleRuns(25) },
    );
  },
);
