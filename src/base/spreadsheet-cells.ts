/**
 * Protects text whose meaning would change in a cell of a table: an apostrophe protects text that a spreadsheet
 * would execute as a formula, and quotation marks protect words such as `null`.
 */

/** The start of a cell that a spreadsheet would execute, and of a cell that apostrophes protect. */
const FORMULA = /^'*[=+\-@\t\r]/;
const PROTECTED = /^'+[=+\-@\t\r]/;

/** The content of a cell for a string: `=1+1` gives `'=1+1`. @param isSafe whether to protect against execution */
export function protectCell(text: string, isSafe: boolean): string {
  return (isSafe ? FORMULA : PROTECTED).test(text) ? `'${text}` : text;
}

/** The text of a cell: `'=1+1` gives `=1+1`. */
export function unprotectCell(text: string): string {
  return PROTECTED.test(text) ? text.slice(1) : text;
}

/** A cell without quotation marks that clears its field, or that exports of databases and programs write for no value. */
export const NULL_WORD = /^(?:null|NULL|\\N|None|NaN)$/;
const QUOTED_WORD = /^("*)(?:null|NULL|\\N|None|NaN)\1$/;

/** The text of a cell of CSV, in quotation marks where its meaning or its limits need them. */
export function quoteCell(text: string): string {
  const needsQuotes = NULL_WORD.test(text) || /^\s|\s$|[",;\t\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The value of a cell without quotation marks: `null` gives null, which clears the field, and `NULL` gives an empty text. */
export function readCell(text: string): string | null {
  if (text === "null") return null;
  return NULL_WORD.test(text) ? "" : unprotectCell(text);
}

/** The content of a workbook's cell for a string: `null` gives `"null"`. */
export function quoteNull(text: string): string {
  return QUOTED_WORD.test(text) ? `"${text}"` : text;
}

/** The value of a workbook's cell: `null` gives null, and `"null"` the string `null`. */
export function readSheetCell(text: string): string | null {
  return text.startsWith('"') && QUOTED_WORD.test(text) ? text.slice(1, -1) : readCell(text);
}

/**
 * Characters that the XML of a workbook cannot contain or would lose: control characters, unpaired surrogates,
 * reserved code points and U+FFFD. Also the beginning of text that looks like an escape.
 */
const ESCAPED = /[^\P{Cc}\t\n]|[\p{Cs}\p{Noncharacter_Code_Point}\ufffd]|_(?=[xX][\da-fA-F]{4})/gu;

/** The text with such characters as escapes: U+0007 gives `_x0007_`. */
export function escapeSheetText(text: string): string {
  return text.replace(ESCAPED, escapeUnits);
}

/** The escapes of all UTF-16 units of a string: `ab` gives `_x0061__x0062_`. */
export function escapeUnits(text: string): string {
  const codes = text.split("").map((unit) => unit.charCodeAt(0).toString(16).toUpperCase());
  return codes.map((code) => `_x${code.padStart(4, "0")}_`).join("");
}

/** The hidden sheet of a workbook that catalog wrote, with the values that the workbook had then. */
export const MEMORY_SHEET = "catalog";

/** The column of the hidden sheet whose first row has the id of the workbook, by which records of runs name it. */
export const WORKBOOK_ID = "x-workbook";

/** The letters of a column: `A` for 0, `AA` for 26. */
export function nameColumn(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? nameColumn(rest - 1) : "") + String.fromCharCode(65 + (column % 26));
}
