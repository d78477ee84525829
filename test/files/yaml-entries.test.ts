/** The positions found from one entry of a YAML file are those found from the complete file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { dump } from "js-yaml";
import { describe, expect, test } from "vitest";
import { isObject, type Path } from "../../src/base/values.ts";
import { spanAt } from "../../src/files/position.ts";
import { parseYaml } from "../../src/files/yaml.ts";
import { randomYaml } from "../../tools/fuzz/random-yaml.ts";
import { scaleRuns } from "../long.ts";
import { damaged } from "./damage.ts";

/** The path of every value, and of a key that each object does not have. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  const parts = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isObject(value)
      ? Object.entries(value)
      : [];
  const missing: Path[] = isObject(value) ? [[...path, "missing"]] : [];
  return [path, ...missing, ...parts.flatMap(([step, part]) => pathsOf(part, [...path, step]))];
}

/** Returns how many paths were placed without the positions of the complete text. */
async function expectEqualPositions(text: string): Promise<number> {
  const { documents, positions, placeAlong, start } = await parseYaml(text);
  const complete = (await positions()).place({ document: 0 });
  const first = start?.();
  if (first !== undefined && complete !== undefined) {
    expect({ text, start: first }).toEqual({ text, start: complete.span.start });
  }
  let placed = 0;
  if (documents.length !== 1 || placeAlong === undefined) return placed;
  for (const path of pathsOf(documents[0])) {
    const root = await placeAlong(path);
    if (root === undefined || complete === undefined) continue;
    placed++;
    for (const at of ["value", "key"] as const) {
      const [found, expected] = [root, complete].map((place) => spanAt(place, path, at));
      expect({ text, path, at, span: found }).toEqual({ text, path, at, span: expected });
    }
  }
  return placed;
}

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

describe("yaml: an entry by itself has the positions that it has in the complete file:", () => {
  test("the examples", async () => {
    const names = readdirSync(EXAMPLES, { recursive: true, encoding: "utf8" });
    let placed = 0;
    for (const name of names.filter((file) => /\.ya?ml$/.test(file))) {
      placed += await expectEqualPositions(readFileSync(join(EXAMPLES, name), "utf8"));
    }
    expect(placed).toBeGreaterThan(100);
  });

  test("random objects", async () => {
    const objects = fc.dictionary(
      fc.constantFrom("name", "a b", "x", "5", "- y", "#"),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(objects, async (object) => void (await expectEqualPositions(dump(object)))),
      { numRuns: scaleRuns(50) },
    );
  });

  test("random YAML", async () => {
    await fc.assert(
      fc.asyncProperty(randomYaml, async (text) => void (await expectEqualPositions(text))),
      { numRuns: scaleRuns(100) },
    );
  });

  test("randomly damaged examples", async () => {
    const texts = damaged.map(({ bytes }) => bytes.toString().replace(/^\ufeff/, ""));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => void (await expectEqualPositions(text))),
      { numRuns: scaleRuns(40) },
    );
  });
});
