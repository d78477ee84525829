/** js-yaml, which reads YAML, and yaml, which edits it, give the same values for every file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { parseYaml } from "../../src/files/yaml.ts";
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
