/** An arbitrary for any Unicode character. */
import fc from "fast-check";

/** The range of surrogates, which are not characters. */
const SURROGATES = { from: 0xd800, to: 0xdfff };
const SURROGATE_COUNT = SURROGATES.to - SURROGATES.from + 1;
const LAST = 0x10ffff;

/**
 * The same characters as fast-check's unit "binary", which takes a second per worker to build its
 * table of characters.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: LAST - SURROGATE_COUNT })
  .map((number) =>
    String.fromCodePoint(number < SURROGATES.from ? number : number + SURROGATE_COUNT),
  );
