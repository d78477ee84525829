/** Makes Excel workbooks: by another library, or part by part, as hostile ones are. */
import { utils, write } from "@e965/xlsx";
import { strToU8, zipSync } from "fflate";
// The first import bundles the reader, which takes longer than a test.
import "../src/files/workbook.ts";

type Row = readonly (string | number | boolean | Date | null)[];

/** A workbook as another program writes it, with sheets of rows by name. */
export function workbook(sheets: Readonly<Record<string, readonly Row[]>>): Buffer {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = utils.aoa_to_sheet(
      rows.map((row) => [...row]),
      { cellDates: true },
    );
    utils.book_append_sheet(book, sheet, name);
  }
  return write(book, { type: "buffer", bookType: "xlsx" });
}

const RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPES = "http://schemas.openxmlformats.org/package/2006/content-types";
const CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml";

function relation(id: number, kind: string, target: string): string {
  return `<Relationship Id="rId${id}" Type="${RELATION}/${kind}" Target="${target}"/>`;
}

function contentType(part: string, kind: string): string {
  return `<Override PartName="/xl/${part}.xml" ContentType="${CONTENT}.${kind}+xml"/>`;
}

/** The parts of a workbook with one sheet. @param data what `sheetData` contains */
export function workbookParts(data: string): Record<string, string> {
  const types = [
    contentType("workbook", "sheet.main"),
    contentType("worksheets/sheet1", "worksheet"),
    contentType("styles", "styles"),
  ];
  return {
    "[Content_Types].xml": `<Types xmlns="${TYPES}">${types.join("")}</Types>`,
    "xl/styles.xml": `<styleSheet xmlns="${MAIN}"/>`,
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${RELATION}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relation(1, "worksheet", "worksheets/sheet1.xml")}${relation(2, "styles", "styles.xml")}</Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${MAIN}" xmlns:r="${RELATION}"><sheetData>${data}</sheetData></worksheet>`,
  };
}

/** Styles with one format for cells. @param code of the format with the number 164 */
export function stylesXml(id: number, code = ""): string {
  const format = `<numFmt numFmtId="164" formatCode="${code.replaceAll('"', "&quot;")}"/>`;
  return `<styleSheet xmlns="${MAIN}"><numFmts>${format}</numFmts><cellXfs><xf numFmtId="${id}"/></cellXfs></styleSheet>`;
}

/** An archive of these parts. */
export function pack(parts: Readonly<Record<string, string>>): Buffer {
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(files)));
}

/** A row of cells with texts, in which a cell can also be written as XML. */
export function rowXml(number: number, cells: readonly string[], attributes = ""): string {
  const written = cells.map((cell, index) => {
    if (cell.startsWith("<c")) return cell;
    const name = String.fromCharCode(65 + index) + number;
    return cell === "" ? "" : `<c r="${name}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${number}" ${attributes}>${written.join("")}</row>`;
}
