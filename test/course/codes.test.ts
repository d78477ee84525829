import currencies from "currency-codes";
import countries from "i18n-iso-countries";
import languages from "iso-639-1";
import { expect, test } from "vitest";
import { checkCourse } from "../../src/course/check.ts";
import {
  COUNTRIES,
  CURRENCIES,
  decimalsOf,
  findLanguage,
  LANGUAGES,
  successorsOf,
} from "../../src/course/string-formats.ts";
import { course } from "../rig.ts";

/** Decisions that are later than the editions in the packages. */
const AMENDMENTS = {
  // ISO 3166-1: XK is user-assigned, not an assigned code.
  countries: { removed: ["XK"], added: [] },
  // ISO 4217, amendments 176 (ANG to XCG), 178 (CUC), 179 (XAD) and 180 (BGN).
  currencies: { removed: ["ANG", "BGN", "CUC"], added: ["XAD", "XCG"] },
};

test("the current codes are the codes of the packages that publish them, with later amendments", () => {
  const amended = (codes: string[], { removed, added }: Record<"removed" | "added", string[]>) =>
    [...codes.filter((code) => !removed.includes(code)), ...added].sort();
  expect([...LANGUAGES.current]).toEqual(languages.getAllCodes().sort());
  const published = Object.keys(countries.getAlpha2Codes());
  expect([...COUNTRIES.current]).toEqual(amended(published, AMENDMENTS.countries));
  expect([...CURRENCIES.current]).toEqual(amended(currencies.codes(), AMENDMENTS.currencies));
});

test("withdrawn codes are not current codes, and their successors are", () => {
  for (const list of [LANGUAGES, COUNTRIES, CURRENCIES]) {
    const withdrawn = list.withdrawn.map((entry) => entry.replace(/:.*/, ""));
    const successors = withdrawn.flatMap((code) => successorsOf(list, code) ?? []);
    expect(withdrawn.filter((code) => list.current.has(code))).toEqual([]);
    expect(successors.filter((code) => !list.current.has(code))).toEqual([]);
  }
});

test.each([
  [{ audio: ["sh"] }, "sh, which is no longer in use; use sr, hr or bs"],
  [{ audio: ["bh"] }, "bh, which is no longer in use"],
  [{ audio: ["nl-AN"] }, "AN, which is no longer in use; use CW, SX or BQ"],
  [{ certificate: { type: "paid", currency: "BGN" } }, "BGN, which is no longer in use; use EUR"],
])("checkCourse names the successors of a withdrawn code: %j", (fields, text) => {
  const [problem] = checkCourse(course(fields));
  expect(problem?.message.split(" code ")[1]).toBe(text);
});

test.each([
  ["PT_br", "pt-BR"],
  ["pt-Brazil", "pt-BR"],
  ["日本語", "ja"],
  ["Brazilian Portuguese", "pt-BR"],
  ["en-Nowhere", undefined],
  [`a${" ".repeat(1_000_000)}b`, undefined],
])("findLanguage reads %s as %s", (text, code) => {
  expect(findLanguage(text)).toBe(code);
});

test("decimalsOf returns the number of decimals of each currency that has decimals", () => {
  // The published list also says 0 where ISO 4217 says that decimals do not apply, as for gold.
  const others = currencies.data.filter(({ code }) => !/^X(?!A[F]|OF|PF|CD|CG)/.test(code));
  expect(others.filter(({ code, digits }) => decimalsOf(code) !== digits)).toEqual([]);
});
