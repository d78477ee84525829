/** Reads and edits workbooks as a spreadsheet program does. */
import { read, utils, write } from "@e965/xlsx";
import type { CellStep } from "./history.ts";
import type { Course } from "./model.ts";

/** The cells of the first sheet of a workbook. */
export function readSheet(bytes: Buffer): string[][] {
  const book = read(bytes);
  const sheet = book.Sheets[book.SheetNames[0] ?? ""] ?? {};
  return utils.sheet_to_json<string[]>(sheet, { header: 1, defval: "" });
}

/** A workbook after an edit, as a spreadsheet program saves it. */
export function setCell(bytes: Buffer, { id, column, value }: CellStep): Buffer {
  const book = read(bytes);
  const rows = readSheet(bytes);
  const [header = []] = rows;
  const row = rows.findIndex((cells) => id && cells[header.indexOf("id")]?.toLowerCase() === id);
  const index = header.indexOf(column ?? "");
  if (column === undefined && value !== undefined) {
    const cells: Course = JSON.parse(value);
    rows.push(header.map((name) => String(cells[name] ?? "")));
  } else if ((row === -1 && id !== undefined) || (index === -1 && column !== undefined))
    return bytes;
  else if (id === undefined) for (const cells of rows) cells.splice(index, 1);
  else if (column === undefined) rows.splice(row, 1);
  else (rows[row] as string[])[index] = value ?? "";
  book.Sheets[book.SheetNames[0] ?? ""] = utils.aoa_to_sheet(rows);
  return write(book, { type: "buffer", bookType: "xlsx" });
}
