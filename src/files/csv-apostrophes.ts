/**
 * Spreadsheets execute a cell that begins like a formula, unless an apostrophe precedes it. Reading removes
 * one apostrophe from what looks so protected, so writing adds one to texts that look so by themselves.
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
