import currencies from "currency-codes";
import countries from "i18n-iso-countries";
import languages from "iso-639-1";
import { describe, expect, test } from "vitest";
import {
  COUNTRY_CODES,
  CURRENCY_CODES,
  checkCountry,
  checkCurrency,
  checkLanguage,
  decimalsOf,
  LANGUAGE_CODES,
  WITHDRAWN_COUNTRIES,
  WITHDRAWN_CURRENCIES,
  WITHDRAWN_LANGUAGES,
} from "../../src/course/codes.ts";

describe.each([
  { check: checkLanguage, withdrawn: WITHDRAWN_LANGUAGES },
  { check: checkCountry, withdrawn: WITHDRAWN_COUNTRIES },
  { check: checkCurrency, withdrawn: WITHDRAWN_CURRENCIES },
])("$check.name", ({ check, withdrawn }) => {
  test(`${check.name} suggests the successors of every withdrawn code, all of them current`, () => {
    for (const entry of withdrawn.trim().split(" ")) {
      const [code = "", list] = entry.split(":");
      const suggestions = list?.split(",") ?? [];
      expect(check(code)).toEqual({ isWithdrawn: true, suggestions });
      expect(suggestions.filter((successor) => check(successor) !== undefined)).toEqual([]);
    }
  });
});

/** Decisions that are later than the editions in the packages. */
const AMENDMENTS = {
  // ISO 3166-1: XK is user-assigned, not an assigned code.
  countries: { removed: ["XK"], added: [] },
  // ISO 4217, amendments 176 (ANG to XCG), 178 (CUC), 179 (XAD) and 180 (BGN).
  currencies: { removed: ["ANG", "BGN", "CUC"], added: ["XAD", "XCG"] },
};

function listed(codes: string): string[] {
  return codes.trim().split(" ");
}

test("the current codes are the codes of the packages that publish them, with later amendments", () => {
  const amended = (codes: string[], { removed, added }: Record<"removed" | "added", string[]>) =>
    [...codes.filter((code) => !removed.includes(code)), ...added].sort();
  expect(listed(LANGUAGE_CODES)).toEqual(languages.getAllCodes().sort());
  const published = Object.keys(countries.getAlpha2Codes());
  expect(listed(COUNTRY_CODES)).toEqual(amended(published, AMENDMENTS.countries));
  expect(listed(CURRENCY_CODES)).toEqual(amended(currencies.codes(), AMENDMENTS.currencies));
});

test("decimalsOf knows how many decimals each currency with decimals has", () => {
  // The published list also says 0 where ISO 4217 says that decimals do not apply, as for gold.
  const others = currencies.data.filter(({ code }) => !/^X(?!A[F]|OF|PF|CD|CG)/.test(code));
  expect(others.filter(({ code, digits }) => decimalsOf(code) !== digits)).toEqual([]);
});
