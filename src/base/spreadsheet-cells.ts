/** Texts in cells of CSV that a spreadsheet would execute: an apostrophe before them protects them. */

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
