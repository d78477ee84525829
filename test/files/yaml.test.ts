/** YAML: js-yaml, which reads it, gives the same values for every file as the package `yaml`, and each at the place at which `yaml` finds it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isList } from "../../src/base/values.ts";
import { spanAt } from "../../src/files/diagnostic.ts";
import { parseAs } from "../../src/files/parse.ts";
import { scaleRuns } from "../long.ts";
import { damaged } from "./damage.ts";
import { STYLES } from "./text-styles.ts";
import { readWithYaml } from "./yaml-oracle.ts";

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

/** Expects the values and places of a text that both packages accept. */
async function expectAgreement(text: string, extension: "yaml" | "json" = "yaml"): Promise<void> {
  const { documents, problems, place } = await parseAs(extension, text);
  const other = readWithYaml(text);
  if (problems.length > 0 || other === undefined || UNEQUAL.test(text)) return;
  const [read, expected] = [normalized(documents), normalized(other.documents)];
  expect({ text, documents: read }).toEqual({ text, documents: expected });
  const wrong: unknown[] = [];
  for (const each of other.values) {
    const [document, ...steps] = each.path;
    const isItem = isList(documents[Number(document)]) && steps.length > 0;
    const root = await place({
      document: Number(document),
      ...(isItem && { item: Number(steps.shift()) }),
    });
    for (const at of ["value", "key"] as const) {
      const span = each[at];
      const { start, end } = spanAt(root, steps, at);
      if (span === undefined || (span.start === start && (span.end ?? end) === end)) continue;
      wrong.push({ path: each.path, at, span, found: { start, end } });
    }
  }
  expect({ text, wrong }).toEqual({ text, wrong: [] });
}

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

test.each([
  "!x ",
  "a: 0x1F\nb: 1e3\nc: .inf\nd: -.INF\ne: 0o17\nf: .NaN\ng: +12.50\nh: !!str 5\ni: !!int 5\n",
  '"a": b\n\'na\\u006de\': c\n"\\x63": d\n',
  "? a\n: b\n? c\n:\n  - ? d\n    : e\n",
  "a: &b c\nd: *b\ne: [*b, f]\n",
  "a: b\n  and c\n\n  d   # e\nf: 5\n",
  "a: \"b\n  and c\"   # d\ne: 'f\n\n  g'\n",
  "a: |\n  b\n  and c\n\n# d\ne: 5\n",
  "a: >-\r\n  b\r\n\r\nc: 5\r\n",
  "a: [\n  b,   # c\n  d\n ]  # e\n",
  "a: [[b], [c]]\nd: {e: {f: []}}\n",
  'a: ["]", \'}\', "\\"]"]\n',
  "a:\n  - b\n  - c  # d\n\ne: 5\n",
  'a: "b\u2028c\u0085d"\ne: f\n',
  "a:\t\tb\t# c\n",
  "%YAML 1.2\n---\na: b\n...\n---\n# c\n--- {a: d}\n",
  "just\n  text\n--- more\n",
  "a: [b: c, d]\ne: 5\n",
])("yaml and the program find the same values of %j at the same places", async (text) => {
  await expectAgreement(text);
});

test("the examples are read as js-yaml and yaml read them", async () => {
  const names = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => /\.ya?ml$/.test(name));
  expect(files.length).toBeGreaterThan(5);
  for (const name of files) await expectAgreement(readFileSync(join(EXAMPLES, name), "utf8"));
});

test("randomly damaged examples are read as js-yaml and yaml read them", async () => {
  const texts = damaged.map(({ bytes }) => bytes.toString().replace(/^\ufeff/, ""));
  await fc.assert(
    fc.asyncProperty(texts, (text) => expectAgreement(text)),
    { numRuns: scaleRuns(40) },
  );
});

/** Strings that look like other values, and characters with a meaning in YAML or JSON. */
const WORDS = [
  ...' |a|a-b|- x|]|}|[|# no|a # b|a: b|a,b|? x|編🧶|it\'s|say "x"|&x|*y|true|5|x\ty|\\|---|~'.split(
    "|",
  ),
  ...["", "|", "two\nlines\n", "x ".repeat(50)],
];
const texts = fc.oneof(fc.constantFrom(...WORDS), fc.string());
const { data } = fc.letrec((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.oneof(texts, fc.constant(null), fc.integer(), fc.boolean()),
    fc.array(tie("data"), { maxLength: 3 }),
    fc
      .array(fc.tuple(texts, tie("data")), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));

test.each(STYLES)(
  "every value of random data has the position at which it was written: $style",
  async ({ write, extension }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 2 }), (values) =>
        expectAgreement(write(values), extension),
      ),
      { numRuns: scaleRuns(25) },
    );
  },
);
