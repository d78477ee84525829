/** YAML: js-yaml, which reads it, and yaml, which edits it, give the same values for every file, and every value has the position at which it was written. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { isObject } from "../../src/base/values.ts";
import { LineIndex, spanAt } from "../../src/files/diagnostic.ts";
import { parseAs } from "../../src/files/parse.ts";
import { parseYaml } from "../../src/files/yaml.ts";
import { writeWithPositions } from "../commands/position-writer.ts";
import { STYLES, type Style } from "../commands/text-styles.ts";
import { scaleRuns } from "../long.ts";
import { damaged } from "./damage.ts";

/** Documents without empty ones, which have no course: yaml reads a tag without a value as an empty text. */
function normalized(documents: readonly unknown[]): unknown[] {
  return documents.filter((value) => (value ?? "") !== "");
}

/**
 * Numbers beyond those of JavaScript, which yaml reads as infinite, indentation that is given, which it
 * reads differently in a text that is not in an object, byte order marks, which it counts as a column, lone carriage
 * returns, which it ignores, and
 * escaped line breaks before an empty line, of which neither reads a line break.
 */
const UNEQUAL = /^\ufeff|1e999|[|>][-+]?[1-9]|\r(?!\n)|\\\r?\n/;

/** A value with objects for maps: a key that is null is called so. */
function asObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asObjects);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(Array.from(value, ([key, each]) => [String(key), asObjects(each)]));
}

async function expectAgreement(text: string): Promise<void> {
  const { documents, problems } = await parseYaml(text);
  if (problems.length > 0) return;
  const parsed = parseAllDocuments(text, { schema: "core", logLevel: "silent" });
  if (UNEQUAL.test(text) || !Array.isArray(parsed)) return;
  // It refuses some texts, such as longer keys.
  if (parsed.some(({ errors }) => errors.length > 0)) return;
  const values = parsed.map((document) => asObjects(document.toJS({ mapAsMap: true })));
  expect({ text, values: normalized(values) }).toEqual({ text, values: normalized(documents) });
}

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

test("a tag without a value is not a course for js-yaml or yaml", async () => {
  await expectAgreement("!x ");
});

test("the examples are read as js-yaml and yaml read them", async () => {
  const names = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /\.ya?ml$/.test(name));
  expect(files.length).toBeGreaterThan(5);
  for (const name of files) await expectAgreement(readFileSync(join(EXAMPLES, name), "utf8"));
});

test("randomly damaged examples are read as js-yaml and yaml read them", async () => {
  const texts = damaged.map(({ bytes }) => bytes.toString().replace(/^\ufeff/, ""));
  await fc.assert(fc.asyncProperty(texts, expectAgreement), { numRuns: scaleRuns(40) });
});

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
