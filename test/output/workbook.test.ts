/** Workbooks are read by other programs and by catalog as they were written. */
import { read, utils } from "@e965/xlsx";
import fc from "fast-check";
import { unzipSync } from "fflate";
import { XmlDocument } from "libxml2-wasm";
import { expect, test } from "vitest";
import type { PlainObject } from "../../src/base/values.ts";
import { readWorkbook } from "../../src/files/workbook.ts";
import { anyCharacter } from "../any-character.ts";
import { IS_LONG } from "../long.ts";
import { render } from "./rig.ts";

async function packed(names: readonly string[], ...courses: PlainObject[]): Promise<Buffer> {
  const options = { layout: "xlsx", columns: names, fields: names, workbook: "1" } as const;
  const bytes = await render(courses, options);
  return Buffer.from(bytes, "latin1");
}

/** A part of a workbook with one text in its header, and one in a cell. */
async function part(name: string): Promise<string> {
  const parts = unzipSync(await packed(["name", "url"], { name: "=1+1" }));
  return Buffer.from(parts[name] ?? []).toString();
}

const TEXTS = [
  ...["constructor", "__proto__", "toString", "_x0041_", "_x005F_x0041_", "_X000d_", "_x0041\x01"],
  ...["null", '"null"', "=1+1", "'=1+1", "'", " a ", "a\r\nb\rc\nd", "\t", "\ud800", "a\udc00"],
  ...[
    "\x00\x07\x1f\x7f\x85\x9f",
    "\ufffd\ufffe\uffff\u{1fffe}",
    "\u2028",
    "<b>&amp;</b>",
    "👩‍👩‍👧",
  ],
];
const text = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.string({ unit: anyCharacter, minLength: 1 }),
  fc
    .array(fc.constantFrom("_x", "_X", "00", "41", "_", "5F", "\x01", "\ud800", "a"))
    .map((some) => `a${some.join("")}`),
);

test("any text is read from its workbook cell as it was written, except for the kind of line breaks", async () => {
  const texts = fc.array(text, { minLength: 1, maxLength: 20 });
  const property = fc.asyncProperty(texts, async (some) => {
    const bytes = await packed(["name"], ...[...TEXTS, ...some].map((name) => ({ name })));
    const { table } = await readWorkbook("c.xlsx", bytes, undefined);
    const read = [...TEXTS, ...some].map((name) => [name.replace(/\r\n?/g, "\n")]);
    expect(table.rows.map(({ cells }) => cells)).toEqual([["name"], ...read]);
  });
  await fc.assert(property, { numRuns: IS_LONG ? 9 : 1 });
});

test("every part of a workbook is valid XML for any texts", async () => {
  const courses = TEXTS.map((name) => ({ name }));
  const parts = Object.entries(unzipSync(await packed(["name", "\x07<&"], ...courses)));
  expect(parts).toHaveLength(10);
  for (const [, bytes] of parts) XmlDocument.fromBuffer(bytes).dispose();
});

test("another program reads the cells of a workbook as strings, not as formulas, numbers or dates", async () => {
  const names = ["name", "duration_in_hours", "prices[0].price", "video", "published", "url"];
  const course = {
    name: "=1+1",
    duration_in_hours: 7.5,
    prices: [{ price: "49.90" }],
    video: { id: "1" },
    published: true,
    url: null,
  };
  const { SheetNames, Sheets } = read(await packed(names, course), { cellFormula: true });
  expect(SheetNames).toEqual(["Courses", "catalog"]);
  const sheet = Sheets.Courses ?? {};
  expect(utils.sheet_to_json(sheet, { header: 1, raw: true })).toEqual([
    names,
    ["=1+1", "7.5", "49.90", '{"id":"1"}', "true"],
  ]);
  expect(utils.sheet_to_formulae(sheet).filter((each) => !/^\w+='/.test(each))).toEqual([]);
});

test.each([["free"], [[{ price: { amount: 1 } }]]])(
  "prices that are %j have one column",
  async (prices) => {
    const columns = ["name", "prices"];
    const bytes = await render([{ name: "a", prices }], { layout: "xlsx", columns });
    const { Sheets } = read(Buffer.from(bytes, "latin1"));
    const cells = utils.sheet_to_json<unknown[]>(Sheets.Courses ?? {}, { header: 1 });
    expect(cells[0]).toContain("prices");
  },
);

test("the sheet has a bold header that stays in view, and the format of strings in every cell", async () => {
  const sheet = await part("xl/worksheets/sheet1.xml");
  expect(sheet).toContain('ySplit="1"');
  expect(sheet).toContain('state="frozen"');
  const cells = [...sheet.matchAll(/<c r="\w+" s="\d"/g)].map(([cell]) => cell.slice(6));
  // Also the empty cell.
  expect(cells.join()).toBe('A1" s="1",B1" s="1",A2" s="2",B2" s="2"');
  const styles = await part("xl/styles.xml");
  const cellFormats = /<cellXfs.*<\/cellXfs>/s.exec(styles)?.[0] ?? "";
  const formats = [...cellFormats.matchAll(/<xf ([^>]*)>/g)].map(([, attributes]) =>
    attributes?.trim(),
  );
  const id = /numFmtId="(\d+)" formatCode="@"/.exec(styles)?.[1];
  expect(formats[1]).toMatch(new RegExp(`numFmtId="${id}" .*fontId="1"`));
  expect(formats[2]).toContain(`numFmtId="${id}"`);
  expect(styles).toMatch(/<cellStyleXfs.*<cellXfs.*<cellStyle name="Normal"/s);
});

test("the sheet has columns as wide as their texts, within bounds", async () => {
  const course = { id: "x", name: "Knitting for Beginners", long_description: "x".repeat(5000) };
  const parts = unzipSync(await packed(["id", "name", "long_description"], course));
  const sheet = Buffer.from(parts["xl/worksheets/sheet1.xml"] ?? []).toString();
  expect([...sheet.matchAll(/ width="(\d+)"/g)].map(([, width]) => width).join()).toBe("8,24,50");
});

test.runIf(IS_LONG)(
  "a workbook refuses the course with which it would be larger than 64 MiB when it is unpacked",
  async () => {
    // Each of these characters takes five bytes.
    const long_description = "&".repeat(32_767);
    const courses = Array.from({ length: 1000 }, (_, at) => {
      return { long_description, name: `Course ${at + 1}` };
    });
    await expect(packed(["long_description"], ...courses)).rejects.toThrow(
      'a workbook cannot contain "Course 409": the workbook would be larger than 64 MiB',
    );
  },
);
