/** Properties of workbooks: any content gives a problem at a cell, or a correct result. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { loadCourses } from "../../src/files/load.ts";
import { pack, workbookParts } from "../../test/workbooks.ts";
import { type AnyProperty, property } from "./property.ts";
import { anyText } from "./random-strings.ts";
import type { Runner } from "./runner.ts";

async function checkWorkbook(bytes: Uint8Array, { folder }: Runner): Promise<void> {
  writeFileSync(join(folder, "case.xlsx"), bytes);
  const input = { stream: Readable.from([]) };
  const options = { folder, environment: {}, input };
  for await (const { diagnostics, failure } of loadCourses(["case.xlsx"], options)) {
    if (failure !== undefined) {
      assert(failure.kind === "usage" || failure.kind === "file", failure.message);
      continue;
    }
    for (const { line, column, endLine, endColumn, message } of diagnostics) {
      const isPlace = line >= 1 && column >= 1 && endLine >= line && endColumn >= 1;
      assert(isPlace && Number.isInteger(line + column + endLine + endColumn), message);
      assert(/^(cell [A-Z]+\d+|row \d+)\b/.test(message), message);
    }
  }
}

const escaped = anyText.map((text) =>
  text.replace(/[&<>"]/g, "").replace(/[^\t\n\r\x20-\ud7ff]/g, "?"),
);
const number = fc.oneof(
  fc.double().map(String),
  fc.constantFrom("0", "1", "45000.5", "-1", "1e300", "", "x", "99999999999999999999"),
);
const name = fc.oneof(
  fc.tuple(fc.constantFrom("A", "B", "C", "AA", "XFD", "ZZZ", ""), fc.nat({ max: 12 })),
  fc.constant(["x", 1] as const),
);
const cell = fc
  .record({
    r: fc.option(name.map((parts) => parts.join(""))),
    t: fc.constantFrom("n", "s", "str", "b", "e", "d", "inlineStr", "x"),
    s: fc.option(fc.constantFrom("0", "1", "2", "9", "x")),
    f: fc.option(escaped),
    v: fc.option(fc.oneof(number, escaped)),
    text: fc.option(escaped),
  })
  .map(({ r, t, s, f, v, text }) => {
    const attributes = [r && `r="${r}"`, `t="${t}"`, s && `s="${s}"`].filter(Boolean).join(" ");
    const inside = [
      f === null ? "" : `<f>${f}</f>`,
      v === null ? "" : `<v>${v}</v>`,
      text === null ? "" : `<is><rPh><t>x</t></rPh><t>${text}</t></is>`,
    ];
    return `<c ${attributes}>${inside.join("")}</c>`;
  });
const row = fc
  .tuple(fc.option(fc.constantFrom("1", "2", "3", "7", "1048576", "x", "-1")), fc.array(cell))
  .map(([r, cells]) => `<row${r === null ? "" : ` r="${r}"`}>${cells.join("")}</row>`);
const HEADER =
  '<row r="1"><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>prices[0].price</t></is></c></row>';
const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>';

/** The properties of workbooks. */
export const WORKBOOK_PROPERTIES: readonly AnyProperty[] = [
  property({
    name: "workbook-cells",
    says: "the problems of a workbook with any cells name a cell or a row",
    arbitrary: fc.array(row, { maxLength: 8 }),
    check: async (rows, runner) => {
      const parts = workbookParts(HEADER + rows.join(""));
      await checkWorkbook(pack({ ...parts, "xl/styles.xml": STYLES }), runner);
    },
  }),
  property({
    name: "workbook-bytes",
    says: "a damaged workbook is read with problems, or refused",
    arbitrary: fc.array(fc.tuple(fc.nat({ max: 2000 }), fc.nat({ max: 255 })), { maxLength: 20 }),
    check: async (changes, runner) => {
      const bytes = pack(workbookParts(`${HEADER}<row r="2"><c r="A2"><v>1</v></c></row>`));
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      bytes.write("PK\x03\x04", "latin1");
      await checkWorkbook(bytes, runner);
    },
  }),
];
