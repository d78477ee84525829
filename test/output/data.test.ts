/** The formats that programs read: every value reads back unchanged. */
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { CORE_SCHEMA, load, YAML11_SCHEMA } from "js-yaml";
import { describe, expect, test } from "vitest";
import { unprotectCell } from "../../src/base/spreadsheet-cells.ts";
import { createRenderer } from "../../src/output/layouts.ts";
import { plain } from "../../src/output/text-measure.ts";
import { scaleRuns } from "../long.ts";
import { Memory, render, rows, tricky, UNSAFE } from "./rig.ts";

describe.each([undefined, 80])("formats for a terminal of %s columns", (terminal) => {
  const options = terminal === undefined ? {} : { terminal };

  test("json and ndjson preserve any value", async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const json = await render(given, { ...options, layout: "json" });
        const ndjson = await render(given, { ...options, layout: "ndjson" });
        expect(JSON.parse(json)).toEqual(plainNumbers(given));
        expect(linesOf(ndjson).map((line) => JSON.parse(line))).toEqual(plainNumbers(given));
        expect(json + ndjson).not.toMatch(UNSAFE);
      }),
    );
  });

  test("yaml preserves any value for readers of YAML 1.1 and 1.2", async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (given) => {
        const yaml = await render(given, { ...options, layout: "yaml" });
        expect(load(yaml, { schema: CORE_SCHEMA })).toEqual(given);
        // YAML 1.1 has no numbers with an exponent and without a dot.
        if (!/\de[-+]?\d/.test(yaml)) {
          expect(load(yaml, { schema: YAML11_SCHEMA })).toEqual(given);
        }
        // A tab may be in a block.
        expect(yaml.replaceAll("\t", "")).not.toMatch(UNSAFE);
      }),
      { numRuns: scaleRuns(15) },
    );
  });
});

const cells = fc.array(
  fc.record({
    id: tricky(),
    name: fc.oneof(tricky(), fc.boolean(), fc.integer(), fc.constant(null)),
    prices: fc.oneof(fc.array(tricky()), fc.dictionary(fc.string(), tricky())),
  }),
);

const asText = (value: unknown): string => {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

test("csv preserves any value, with a header and with lists as JSON", async () => {
  const allColumns = ["id", "name", "prices"];
  await fc.assert(
    fc.asyncProperty(cells, async (given) => {
      const csv = await render(given, { layout: "csv", allColumns });
      const [header, ...records] = parse(csv, { record_delimiter: "\r\n" });
      expect(header).toEqual(allColumns);
      expect(records.map((record) => record.map(unprotectCell))).toEqual(
        given.map(({ id, name, prices }) => [id, name, prices].map(asText)),
      );
    }),
  );
});
test("tsv preserves any value, with backslashes and control characters escaped", async () => {
  const restored = (text: string): string =>
    text.replace(/\\(?:u(....)|(.))/g, (_, code: string | undefined, letter = "") =>
      code === undefined
        ? ({ t: "\t", n: "\n", r: "\r" }[letter as string] ?? letter)
        : String.fromCharCode(Number.parseInt(code, 16)),
    );
  await fc.assert(
    fc.asyncProperty(cells, async (given) => {
      const text = await render(given, { layout: "tsv", columns: ["id", "name", "prices"] });
      expect(text.replaceAll("\t", "")).not.toMatch(UNSAFE);
      const read = linesOf(text).map((line) =>
        line.split("\t").map((cell) => (cell === '"null"' ? "null" : restored(cell))),
      );
      expect(read).toEqual(given.map(({ id, name, prices }) => [id, name, prices].map(asText)));
    }),
  );
});

test("createRenderer writes a large batch in parts and waits for each part", async () => {
  let open = 0;
  let most = 0;
  class Slow extends Memory {
    override async write(text: string): Promise<void> {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      await super.write(text);
    }
  }
  const out = new Slow();
  const options = { columns: [], allColumns: [], out, styles: plain };
  const renderer = await createRenderer("json", options);
  const long = "x".repeat(1000);
  await renderer.rows(Array.from({ length: 1000 }, () => ({ long })));
  await renderer.end();
  expect(most).toBe(1);
  expect(out.writes.length).toBeGreaterThan(10);
  expect(Math.max(...out.writes.map((text) => text.length))).toBeLessThan(100_000);
  expect(JSON.parse(out.text)).toHaveLength(1000);
});

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** JSON has no negative zero. */
function plainNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
