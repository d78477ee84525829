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

const LISTS = [
  {
    check: checkLanguage,
    current: LANGUAGE_CODES,
    count: 183,
    withdrawn: WITHDRAWN_LANGUAGES,
    real: "en pt he id yi jv ro sr zh no nb nn mi",
    unreal: "me xx EN-US e",
  },
  {
    check: checkCountry,
    current: COUNTRY_CODES,
    count: 249,
    withdrawn: WITHDRAWN_COUNTRIES,
    real: "US GB GR ME RS SS BQ CW SX AX TW PS SK AI GE BY",
    unreal: "XK EU UN ZZ USA",
  },
  {
    check: checkCurrency,
    current: CURRENCY_CODES,
    count: 178,
    withdrawn: WITHDRAWN_CURRENCIES,
    real: "EUR USD XCG XAD ZWG SLE VED VES MRU STN BYN CUP SYP XXX",
    unreal: "BTC ZZZ US constructor __proto__",
  },
];

describe.each(LISTS)("$check.name", ({ check, current, count, withdrawn, real, unreal }) => {
  const codes = current.trim().split(" ");

  test(`${check.name} accepts every current code, each of which is listed once`, () => {
    expect(new Set(codes).size).toBe(count);
    expect(codes.filter((code) => check(code) !== undefined)).toEqual([]);
    expect(real.split(" ").filter((code) => check(code) !== undefined)).toEqual([]);
  });

  test.each(["", " ", ...unreal.split(" ")])(`${check.name} rejects %j`, (code) => {
    expect(check(code)).toEqual({ isWithdrawn: false, suggestions: [] });
  });

  test(`${check.name} rejects a code with anything around it`, () => {
    const wrapped = [` ${real.slice(0, 2)}`, `${codes[0]}\n`, codes.slice(0, 2).join(" ")];
    expect(wrapped.filter((code) => check(code) === undefined)).toEqual([]);
  });

  test(`${check.name} suggests the successors of every withdrawn code, all of them current`, () => {
    for (const entry of withdrawn.trim().split(" ")) {
      const [code = "", list] = entry.split(":");
      const suggestions = list?.split(",") ?? [];
      expect(check(code)).toEqual({ isWithdrawn: true, suggestions });
      expect(suggestions.filter((successor) => check(successor) !== undefined)).toEqual([]);
    }
  });
});

test.each([
  [checkLanguage, "iw", ["he"]],
  [checkLanguage, "sh", ["sr", "hr", "bs"]],
  [checkLanguage, "bh", []],
  [checkCountry, "TP", ["TL"]],
  [checkCountry, "AN", ["CW", "SX", "BQ"]],
  [checkCountry, "yu", ["RS", "ME"]],
  [checkCurrency, "BGN", ["EUR"]],
  [checkCurrency, "HRK", ["EUR"]],
  [checkCurrency, "HRD", ["EUR"]],
  [checkCurrency, "CSK", ["CZK", "EUR"]],
  [checkCurrency, "ANG", ["XCG"]],
  [checkCurrency, "ZWL", ["ZWG"]],
  [checkCurrency, "SLL", ["SLE"]],
  [checkCurrency, "CUC", ["CUP"]],
  [checkCurrency, "XRE", []],
] as const)("%o reports %s as withdrawn and suggests %j", (check, code, suggestions) => {
  expect(check(code)).toEqual({ isWithdrawn: true, suggestions });
});

test.each([
  [checkLanguage, "EN", "en"],
  [checkCountry, "br", "BR"],
  [checkCurrency, "Eur", "EUR"],
  [checkLanguage, "eng", "en"],
  [checkLanguage, "ger", "de"],
  [checkLanguage, "jp", "ja"],
  [checkCountry, "UK", "GB"],
  [checkCountry, "EL", "GR"],
  [checkCurrency, "RMB", "CNY"],
] as const)("%o rejects %s and suggests %s", (check, code, suggestion) => {
  expect(check(code)).toMatchObject({ isWithdrawn: false, suggestions: [suggestion] });
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
