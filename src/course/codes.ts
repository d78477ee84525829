/** Recognizes current language, country and currency codes, and suggests them for others. */
import {
  COUNTRY_CODES,
  CURRENCY_CODES,
  LANGUAGE_CODES,
  WITHDRAWN_COUNTRIES,
  WITHDRAWN_CURRENCIES,
  WITHDRAWN_LANGUAGES,
} from "./iso-codes.ts";

/**
 * Whether a string is a current code and, if not, why: it differs only in case, it was withdrawn, or
 * it never was one. `suggestions` are current codes: the successors of a withdrawn code (none if it
 * has none), else the probable intention.
 */
export type CodeVerdict =
  | { ok: true }
  | { ok: false; why: "unknown" | "withdrawn" | "case"; suggestions: readonly string[] };

interface CodeList {
  readonly shape: RegExp;
  /** Every current code between spaces: smaller, and faster to load, than a set. */
  readonly current: string;
  /** Every withdrawn code between spaces, with its successors: `AN:CW,SX,BQ`. */
  readonly withdrawn: string;
  /** Converts a code to the case of this list. */
  fold(code: string): string;
  /** The current code that an unknown one is often written for. */
  intended(folded: string): string | undefined;
}

/** Country codes that are written for the language of the country. */
const INTENDED_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ["cn", "zh"],
  ["cz", "cs"],
  ["dk", "da"],
  ["gr", "el"],
  ["jp", "ja"],
  ["ua", "uk"],
  ["vn", "vi"],
]);

/** Codes that ISO 3166 reserves or omits: of the United Kingdom, and of Greece in the EU. */
const INTENDED_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ["EL", "GR"],
  ["UK", "GB"],
]);

/** Common abbreviations and symbols of one currency only. */
const INTENDED_CURRENCIES: ReadonlyMap<string, string> = new Map([
  ["CNH", "CNY"],
  ["EURO", "EUR"],
  ["NIS", "ILS"],
  ["NTD", "TWD"],
  ["RMB", "CNY"],
  ["UKP", "GBP"],
  ["€", "EUR"],
]);

const LANGUAGES: CodeList = {
  shape: /^[a-z]{2}$/,
  current: LANGUAGE_CODES,
  withdrawn: WITHDRAWN_LANGUAGES,
  fold: (code) => code.toLowerCase(),
  intended: (folded) => INTENDED_LANGUAGES.get(folded) ?? shortCode(folded),
};

const COUNTRIES: CodeList = {
  shape: /^[A-Z]{2}$/,
  current: COUNTRY_CODES,
  withdrawn: WITHDRAWN_COUNTRIES,
  fold: (code) => code.toUpperCase(),
  intended: (folded) => INTENDED_COUNTRIES.get(folded),
};

const CURRENCIES: CodeList = {
  shape: /^[A-Z]{3}$/,
  current: CURRENCY_CODES,
  withdrawn: WITHDRAWN_CURRENCIES,
  fold: (code) => code.toUpperCase(),
  intended: (folded) => INTENDED_CURRENCIES.get(folded),
};

/** Checks the language of an audio entry, such as "pt": ISO 639-1. */
export function checkLanguage(code: string): CodeVerdict {
  return verdict(LANGUAGES, code);
}

/** Checks the country of an audio entry, such as "BR": ISO 3166-1. */
export function checkCountry(code: string): CodeVerdict {
  return verdict(COUNTRIES, code);
}

/** Checks the currency of a price, such as "EUR": ISO 4217. */
export function checkCurrency(code: string): CodeVerdict {
  return verdict(CURRENCIES, code);
}

function verdict(list: CodeList, code: string): CodeVerdict {
  if (isCurrent(list, code)) return { ok: true };
  const folded = list.fold(code);
  if (isCurrent(list, folded)) return { ok: false, why: "case", suggestions: [folded] };
  const successors = list.shape.test(folded) ? successorsOf(list, folded) : undefined;
  if (successors !== undefined) return { ok: false, why: "withdrawn", suggestions: successors };
  const intended = list.intended(folded);
  return { ok: false, why: "unknown", suggestions: intended === undefined ? [] : [intended] };
}

function successorsOf(list: CodeList, code: string): readonly string[] | undefined {
  const found = new RegExp(` ${code}(?::(\\S+))? `).exec(list.withdrawn);
  return found === null ? undefined : (found[1]?.split(",") ?? []);
}

function isCurrent(list: CodeList, code: string): boolean {
  return list.shape.test(code) && list.current.includes(` ${code} `);
}

/** The two-letter code for a three-letter one of ISO 639-2 or 639-3, from the runtime's data. */
function shortCode(folded: string): string | undefined {
  if (!/^[a-z]{3}$/.test(folded)) return undefined;
  const language = Intl.getCanonicalLocales(folded)[0]?.split("-")[0] ?? "";
  return isCurrent(LANGUAGES, language) ? language : undefined;
}
