/** Protected cells of a table are read as the text that was written. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { protectCell, unprotectCell } from "../../src/base/spreadsheet-cells.ts";

/** Begins with what a spreadsheet may execute, or with apostrophes, more often than any text does. */
const start = fc.string({ unit: fc.constantFrom("'", "=", "+", "-", "@", "\t", "\r", "a") });
const text = fc.tuple(start, fc.string()).map((parts) => parts.join(""));

test.each([true, false])("a protected cell is read as its text, with isSafe %s", (isSafe) => {
  fc.assert(
    fc.property(text, (any) => {
      expect(unprotectCell(protectCell(any, isSafe))).toBe(any);
    }),
  );
});

test("a safe cell never begins with a character that starts a formula in a spreadsheet", () => {
  fc.assert(
    fc.property(text, (any) => {
      expect(protectCell(any, true)).not.toMatch(/^[=+\-@\t\r]/);
    }),
  );
});
