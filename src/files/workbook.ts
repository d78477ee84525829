/** Reads a sheet of an Excel workbook as a table, in which positions are cells. */
import { type CatalogError, unreadError } from "../base/errors.ts";
import { joinList, listSome, truncateJson } from "../base/text.ts";
import type { Records } from "./csv-table.ts";
import type { LineIndex } from "./position.ts";
import { SheetGrid } from "./sheet-grid.ts";
import { SheetLines } from "./sheet-lines.ts";
import { isTrue, readNumberKinds, readSharedStrings, unescapeText } from "./sheet-values.ts";
import { WorkbookParts } from "./workbook-parts.ts";

export interface Sheet {
  readonly table: Records;
  readonly lines: LineIndex;
  /** What the user should know about how the sheet was read: clauses after the name of the file. */
  readonly notices: readonly string[];
}

/**
 * Reads the sheet with a name or, without a name, the first visible sheet. The cells A1 `name` and A2 `Knitting` give the
 * rows `["name"]` and `["Knitting"]`.
 *
 * @throws CatalogError of kind `file` if the workbook is damaged, or has no sheet with the name
 */
export async function readWorkbook(
  file: string,
  bytes: Buffer,
  name: string | undefined,
): Promise<Sheet> {
  const parts = await WorkbookParts.open(file, bytes);
  const { sheets, is1904 } = await readSheetList(parts);
  if (sheets.length === 0) throw parts.damaged("it has no sheets");
  const sheet =
    name === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find((each) => each.name.trim() === name.trim());
  if (sheet === undefined) throw noSheet(file, String(name), sheets);
  const related = await readRelations(parts);
  const at = related.get(sheet.id);
  if (at === undefined || !parts.has(at))
    throw parts.damaged(`the sheet ${truncateJson(sheet.name)} is missing`);
  const [strings = "", styles = ""] = ["sharedStrings", "styles"].map((part) =>
    [...related.values()].find((path) => path.endsWith(`/${part}.xml`)),
  );
  const context = {
    is1904,
    strings: await readSharedStrings(parts, strings),
    kinds: await readNumberKinds(parts, styles),
  };
  const grid = new SheetGrid(parts, context);
  await grid.read(at);
  const others = sheets.filter(({ isHidden, id }) => !isHidden && id !== sheet.id);
  const notices = grid.notices();
  if (name === undefined && others.length > 0) {
    const names = listSome(others.map((other) => truncateJson(other.name)));
    notices.unshift(
      `read only the sheet ${truncateJson(sheet.name)}; to read another one (${names}), pass --sheet`,
    );
  }
  return { table: grid, lines: new SheetLines(grid), notices };
}

const WORKBOOK = "xl/workbook.xml";

interface SheetEntry {
  readonly name: string;
  /** The id of the relation that names the part with the sheet. */
  readonly id: string;
  readonly isHidden: boolean;
}

async function readSheetList(parts: WorkbookParts) {
  if (!parts.has(WORKBOOK)) throw parts.damaged("it is a ZIP archive without a workbook");
  const sheets: SheetEntry[] = [];
  let is1904 = false;
  await parts.read(WORKBOOK, {
    open: (tag, attributes) => {
      if (tag === "workbookPr") is1904 = isTrue(attributes.date1904);
      if (tag !== "sheet") return;
      const [, id = ""] = Object.entries(attributes).find(([key]) => key.endsWith(":id")) ?? [];
      const { name = "", state = "visible" } = attributes;
      sheets.push({ id, name: unescapeText(name), isHidden: state !== "visible" });
    },
  });
  return { sheets, is1904 };
}

function noSheet(file: string, name: string, sheets: readonly SheetEntry[]): CatalogError {
  const names = sheets.slice(0, 20).map((sheet) => truncateJson(sheet.name));
  const advice = `Pass one of its sheets with --sheet: ${joinList(names)}.`;
  return unreadError(file, "unreadable", `${file} has no sheet ${truncateJson(name)}`, advice);
}

/** The names of the parts that the workbook refers to, by the ids of the relations. */
async function readRelations(parts: WorkbookParts): Promise<ReadonlyMap<string, string>> {
  const related = new Map<string, string>();
  await parts.read("xl/_rels/workbook.xml.rels", {
    open: (tag, { Id = "", Target = "" }) => {
      if (tag !== "Relationship") return;
      related.set(Id, Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`);
    },
  });
  return related;
}
