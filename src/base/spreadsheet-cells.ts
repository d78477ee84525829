/**
 * Texts in cells of tables that mean something else there: an apostrophe protects those that a spreadsheet
 * would execute, and quotation marks the text `null`, which clears a field.
 */

/** How a cell begins that a spreadsheet would execute, and the same after apostrophes. */
const FORMULA = /^'*[=+\-@\t\r]/;
const PROTECTED = /^'+[=+\-@\t\r]/;

/** A text as a cell contains it. @param isSafe whether no spreadsheet may execute it */
export function protectCell(text: string, isSafe: boolean): string {
  return (isSafe ? FORMULA : PROTECTED).test(text) ? `'${text}` : text;
}

/** The text that a cell contains. */
export function unprotectCell(text: string): string {
  return PROTECTED.test(text) ? text.slice(1) : text;
}

/** A text as a cell of a workbook contains it. */
export function quoteNull(text: string): string {
  return /^("*)null\1$/.test(text) ? `"${text}"` : text;
}

/** The content of a cell of a workbook: null for `null` without quotation marks. */
export function unquoteNull(text: string): string | null {
  if (text === "null") return null;
  return /^("+)null\1$/.test(text) ? text.slice(1, -1) : text;
}
