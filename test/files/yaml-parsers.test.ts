/** js-yaml and yaml give the same values for every file that is accepted. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseYaml } from "../../src/files/yaml.ts";
import { placeYaml } from "../../src/files/yaml-positions.ts";
import { randomYaml } from "../../tools/fuzz/random-yaml.ts";
import { scaleRuns } from "../long.ts";
import { damaged } from "./damage.ts";

/** Documents without empty ones at the end, which have no course. */
function normalized(documents: readonly unknown[]): unknown[] {
  const values = [...documents];
  while (values.length > 0 && (values.at(-1) ?? null) === null) values.pop();
  return values;
}

/** Whether a key is longer than `yaml` accepts; no course has such a key. */
const LONG_KEY = /a key has at most 1,024 characters/;

async function expectAgreement(text: string): Promise<void> {
  const { documents, problems } = await parseYaml(text);
  if (problems.length > 0) return;
  const placed = placeYaml(text);
  if (LONG_KEY.test(placed?.problem?.message ?? "")) return;
  expect({ text, problem: placed?.problem }).toEqual({ text, problem: undefined });
  expect({ text, values: normalized(placed?.values ?? []) }).toEqual({
    text,
    values: normalized(documents),
  });
}

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

describe("yaml: both parsers agree wherever a file is accepted:", () => {
  test("the examples", async () => {
    const names = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" });
    const files = names.filter((name) => /\.ya?ml$/.test(name));
    expect(files.length).toBeGreaterThan(5);
    for (const name of files) await expectAgreement(readFileSync(join(EXAMPLES, name), "utf8"));
  });

  test("random YAML", async () => {
    await fc.assert(fc.asyncProperty(randomYaml, expectAgreement), { numRuns: scaleRuns(100) });
  });

  test("randomly damaged examples", async () => {
    const texts = damaged.map(({ bytes }) => bytes.toString().replace(/^\ufeff/, ""));
    await fc.assert(fc.asyncProperty(texts, expectAgreement), { numRuns: scaleRuns(40) });
  });
});
