/** The formats that programs read: every value reads back unchanged. */
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { CORE_SCHEMA, load, YAML11_SCHEMA } from "js-yaml";
import { describe, expect, test, vi } from "vitest";
import { unprotectCell } from "../../src/base/spreadsheet-cells.ts";
import type { PlainObject } from "../../src/base/values.ts";
import {
  createRenderer,
  defaultLayout,
  PRINTED_FORMATS,
  WORKBOOK,
} from "../../src/output/formats.ts";
import { plain } from "../../src/output/text-measure.ts";
import { scaleRuns } from "../long.ts";
import { courseRow, HOSTILE, Memory, render, rows, tricky, UNSAFE } from "./rig.ts";

test("the default layout depends on the command and the terminal", () => {
  expect(defaultLayout("list", true)).toBe("table");
  expect(defaultLayout("list", false)).toBe("tsv");
  expect(defaultLayout("single", true)).toBe("blocks");
  expect(defaultLayout("single", false)).toBe("json");
});

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

describe("csv", () => {
  const allColumns = ["id", "name", "prices"];

  test("csv preserves any value, with a header and with lists as JSON", async () => {
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

  test("csv ends each record with CR LF and quotes values that contain either", async () => {
    const csv = await render([{ id: "a\rb", name: "c\nd", prices: 'e"f' }], {
      layout: "csv",
      allColumns,
    });
    expect(csv).toBe('id,name,prices\r\n"a\rb","c\nd","e""f"\r\n');
  });

  test("csv prints only the header if there are no rows", async () => {
    expect(await render([], { layout: "csv", allColumns })).toBe("id,name,prices\r\n");
  });

  test("csv prints a record for each null in a single column", async () => {
    expect(await render([{ slug: null }, {}], { layout: "csv", fields: ["slug"] })).toBe(
      'slug\r\n""\r\n""\r\n',
    );
  });

  test("csv does not change values that look like formulas", async () => {
    expect(await render([{ id: "=1+1" }], { layout: "csv", fields: ["id"] })).toBe(
      "id\r\n=1+1\r\n",
    );
  });

  test("csv prints one header for several batches", async () => {
    const out = new Memory();
    const options = {
      columns: ["id"],
      allColumns: ["id"],
      out,
      styles: plain,
    } as const;
    const renderer = await createRenderer("csv", options);
    for (const id of ["a", "b", "c"]) await renderer.rows([{ id }]);
    await renderer.end();
    expect(out.writes).toEqual(["id\r\na\r\n", "b\r\n", "c\r\n"]);
  });
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

/** Those that can be printed on a terminal. */
const LAYOUTS = [
  ...PRINTED_FORMATS.courses.filter((format) => format !== WORKBOOK),
  "blocks",
] as const;

describe("every layout", () => {
  test.each(LAYOUTS)("%s prints valid output without rows", async (layout) => {
    const empty = { json: "[]\n", yaml: "[]\n", csv: "id\r\n" }[layout as string] ?? "";
    expect(await render([], { layout, allColumns: ["id"] })).toBe(empty);
    expect(await render([], { layout, allColumns: ["id"], terminal: 80 })).toBe(empty);
  });

  test.each(LAYOUTS)("%s escapes control characters on a terminal", async (layout) => {
    const hostile = {
      id: layout === "id" ? null : HOSTILE,
      name: HOSTILE,
      approval_status: HOSTILE,
      [HOSTILE]: HOSTILE,
      prices: [{ [HOSTILE]: HOSTILE }, [HOSTILE]],
      audio: [HOSTILE],
    };
    for (const single of [true, false]) {
      const text = await render([hostile], { layout, terminal: 80, single });
      expect(
        text.replaceAll(layout === "csv" ? "\r\n" : layout === "tsv" ? "\t" : "", ""),
      ).not.toMatch(UNSAFE);
      const fields = ["id", HOSTILE, "prices", "audio[0]"];
      const some = await render([hostile], {
        layout,
        terminal: 80,
        single,
        fields,
      });
      expect(
        some.replaceAll(layout === "csv" ? "\r\n" : layout === "tsv" ? "\t" : "", ""),
      ).not.toMatch(UNSAFE);
    }
  });

  test.each([...PRINTED_FORMATS.courses, "blocks"] as const)(
    "%s stops when the output is closed",
    async (layout) => {
      const out = new Memory();
      const renderer = await createRenderer(layout, {
        columns: ["id"],
        allColumns: ["id"],
        out,
        styles: plain,
      });
      out.closed = true;
      let read = 0;
      const row: PlainObject = {
        get id() {
          read++;
          return "a";
        },
      };
      const write = vi.spyOn(out, "write");
      await renderer.rows(Array.from({ length: 1000 }, () => row));
      await renderer.end();
      expect(read).toBe(0);
      expect(write).not.toHaveBeenCalled();
    },
  );
});

describe("ids", () => {
  const uuid = "0b6ec7b5-6c8b-4a5e-9f1d-2f4c9b1e7a10";

  test("the format id prints one id per line, on and off a terminal", async () => {
    const given = [{ id: uuid }, { id: null }, { name: "no id" }, { id: uuid.toUpperCase() }];
    const printed = `${uuid}\n${uuid.toUpperCase()}\n`;
    expect(await render(given, { layout: "id" })).toBe(printed);
    expect(await render(given, { layout: "id", terminal: 40, fields: ["name"] })).toBe(printed);
  });

  test("the format id refuses values that are not UUIDs", async () => {
    const given = [{ id: uuid }, { id: `${uuid}\n\x1b[31m` }];
    await expect(render(given, { layout: "id" })).rejects.toThrow(
      `an id must be a UUID, not "${uuid}\\n\\u001b[31m"`,
    );
  });
});

describe("single rows", () => {
  test("json and yaml print a single row as one object", async () => {
    const row = courseRow({ unknown: { kept: [1, null] } });
    expect(JSON.parse(await render([row], { single: true }))).toEqual(row);
    expect(load(await render([row], { layout: "yaml", single: true }))).toEqual(row);
    expect(await render([{ id: "a" }], { single: true })).toBe('{\n  "id": "a"\n}\n');
  });
});

test("json is indented by two spaces, for one batch and for several", async () => {
  expect(await render([{ id: "a", prices: [1] }, {}])).toBe(
    '[\n  {\n    "id": "a",\n    "prices": [\n      1\n    ]\n  },\n  {}\n]\n',
  );
});

test("yaml prints long text as block scalars", async () => {
  const long = `${"Knit a scarf in six evenings. ".repeat(6)}\nThen a hat.\n`;
  const yaml = await render([{ name: long }], { layout: "yaml" });
  expect(yaml).toMatch(/^- name: \|\n/);
  expect(await render([{ name: "a\nb\n" }], { layout: "yaml" })).toBe("- name: |\n    a\n    b\n");
});

describe("--fields", () => {
  const row = courseRow({ "a.b": 1, certificate: { type: "paid" } });
  const fields = [
    "prices[0].currency",
    "certificate.type",
    "a.b",
    "missing",
    "prices[1].currency",
    "x[",
  ];

  test("--fields accepts paths, prints them in the given order, and prints null for missing values", async () => {
    const [read] = JSON.parse(await render([row], { fields }));
    expect(Object.entries(read)).toEqual([
      ["prices[0].currency", "EUR"],
      ["certificate.type", "paid"],
      ["a.b", 1],
      ["missing", null],
      ["prices[1].currency", null],
      ["x[", null],
    ]);
  });

  test("--fields selects the same values in every format", async () => {
    expect(await render([row], { fields, layout: "tsv" })).toBe("EUR\tpaid\t1\t\t\t\n");
    expect(await render([row], { fields, layout: "csv" })).toBe(
      "prices[0].currency,certificate.type,a.b,missing,prices[1].currency,x[\r\nEUR,paid,1,,,\r\n",
    );
    expect(load(await render([row], { fields, layout: "yaml" }))).toEqual(
      JSON.parse(await render([row], { fields, layout: "ndjson" }).then((text) => `[${text}]`)),
    );
  });

  test("--fields does not read inherited keys", async () => {
    const inherited = ["constructor", "constructor.name", "__proto__", "prices.length"];
    expect(await render([row], { fields: inherited.slice(0, 3), layout: "tsv" })).toBe("\t\t\n");
  });
});

describe("large batches", () => {
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
    const renderer = await createRenderer("json", {
      columns: [],
      allColumns: [],
      out,
      styles: plain,
    });
    const long = "x".repeat(1000);
    await renderer.rows(Array.from({ length: 1000 }, () => ({ long })));
    await renderer.end();
    expect(most).toBe(1);
    expect(out.writes.length).toBeGreaterThan(10);
    expect(Math.max(...out.writes.map((text) => text.length))).toBeLessThan(100_000);
    expect(JSON.parse(out.text)).toHaveLength(1000);
  });
});

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** JSON has no negative zero. */
function plainNumbers(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
