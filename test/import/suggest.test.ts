/** A suggested mapping is a valid expression for any column names and values. */
import fc from "fast-check";
import jsonata from "jsonata";
import { expect, test } from "vitest";
import { LineIndex } from "../../src/files/diagnostic.ts";
import type { SourceRows } from "../../src/files/rows.ts";
import { MAPPING_FUNCTIONS } from "../../src/import/mapping-functions.ts";
import { suggestMapping } from "../../src/import/suggest.ts";
import { anyCharacter } from "../any-character.ts";
import { scaleRuns } from "../long.ts";

const NAMES = "Title,Status,Mode,Price,Currency,Level,Duration (minutes),Duration,hidden".split(
  ",",
);
const VALUES = '*/|draft|Self-paced|"|\\|`|3 hours|16 UE*/|1.299,00 €|beginner|0|yes|12'.split("|");
const text = fc.oneof(
  fc.constantFrom(...VALUES),
  fc.constantFrom(...NAMES),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
);
const row = fc.dictionary(
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: text }),
  fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) }),
);

function sourceOf(values: readonly unknown[], isTable: boolean): SourceRows {
  const span = async () => ({ start: 0, end: 0 });
  const rows = values.map((value, index) => ({ value, number: index + 1, span }));
  const columns = isTable ? { columns: new Map() } : {};
  return { name: "a.csv", lines: new LineIndex(""), notices: [], rows, problems: [], ...columns };
}

const SOURCE = { paths: ["a.csv"], from: undefined, sheet: undefined, encoding: undefined };

test("a suggested mapping can be compiled and evaluated for any columns and values", async () => {
  const filled = row.map((cells) => ({ x: "1", ...cells }));
  const rows = fc.array(filled, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rows, fc.boolean(), async (values, isTable) => {
      const { mapping } = suggestMapping([sourceOf(values, isTable)], SOURCE);
      const expression = jsonata(mapping);
      for (const [name, { run, signature }] of Object.entries(MAPPING_FUNCTIONS)) {
        expression.registerFunction(name, run, signature);
      }
      for (const value of values) expect(await expression.evaluate(value)).toBeTypeOf("object");
    }),
    { numRuns: scaleRuns(50) },
  );
});
