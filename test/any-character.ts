/** Any character at all, for properties that hold of every text. */
import fc from "fast-check";

/** The numbers from which to which there are halves of characters alone. */
const HALVES = { from: 0xd800, to: 0xdfff };
const HOW_MANY = HALVES.to - HALVES.from + 1;
const LAST = 0x10ffff;

/**
 * What fast-check's unit "binary" says, which takes a second in each worker to be made: it learns to tell
 * the number of every character, for which nobody asks here.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: LAST - HOW_MANY })
  .map((number) => String.fromCodePoint(number < HALVES.from ? number : number + HOW_MANY));
