/** Tells real language, country and currency codes from others (cli.md sections 7 and 11). */
import {
  COUNTRY_CODES,
  CURRENCY_CODES,
  LANGUAGE_CODES,
  WITHDRAWN_COUNTRIES,
  WITHDRAWN_CURRENCIES,
  WITHDRAWN_LANGUAGES,
} from "./iso-codes.ts";

/**
 * Whether a text is a current code and, if not, why: it differs by case only, it was withdrawn, or
 * it never was one. `suggestions` are current codes: the successors of a withdrawn code (none if it
 * has none), else what was probably meant.
 */
export type CodeVerdict =
  | { ok: true }
  | { ok: false; why: "unknown" | "withdrawn" | "case"; suggestions: readonly string[] };

interface CodeList {
  readonly shape: RegExp;
  /** Every current code between blanks: shorter to ship, and quicker to load, than a set. */
  readonly current: string;
  readonly withdrawn: Readonly<Record<string, readonly string[]>>;
  /** Writes a code in the case of this list. */
  fold(code: string): string;
  /** The current code that a folded text which is no code is often written for. */
  meant(folded: string): string | undefined;
}

/** Codes of countries, which people write for the language spoken there. */
const MEANT_LANGUAGES: ReadonlyMap<string, string> = new Map([
  ["cn", "zh"],
  ["cz", "cs"],
  ["dk", "da"],
  ["gr", "el"],
  ["jp", "ja"],
  ["ua", "uk"],
  ["vn", "vi"],
]);

/** Codes that ISO 3166 reserves or leaves out: the United Kingdom's, and the EU's for Greece. */
const MEANT_COUNTRIES: ReadonlyMap<string, string> = new Map([
  ["EL", "GR"],
  ["UK", "GB"],
]);

/** Abbreviations and signs in everyday use that stand for one currency only. */
const MEANT_CURRENCIES: ReadonlyMap<string, string> = new Map([
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
  meant: (folded) => MEANT_LANGUAGES.get(folded) ?? shortened(folded),
};

const COUNTRIES: CodeList = {
  shape: /^[A-Z]{2}$/,
  current: COUNTRY_CODES,
  withdrawn: WITHDRAWN_COUNTRIES,
  fold: (code) => code.toUpperCase(),
  meant: (folded) => MEANT_COUNTRIES.get(folded),
};

const CURRENCIES: CodeList = {
  shape: /^[A-Z]{3}$/,
  current: CURRENCY_CODES,
  withdrawn: WITHDRAWN_CURRENCIES,
  fold: (code) => code.toUpperCase(),
  meant: (folded) => MEANT_CURRENCIES.get(folded),
};

/** Takes the language part of an audio entry, as in "pt": ISO 639-1 (api.md, Course: audio). */
export function checkLanguage(code: string): CodeVerdict {
  return verdict(LANGUAGES, code);
}

/** Takes the country part of an audio entry, as in "BR": ISO 3166-1 (api.md, Course: audio). */
export function checkCountry(code: string): CodeVerdict {
  return verdict(COUNTRIES, code);
}

/** Takes the currency of a price, as in "EUR": ISO 4217 (cli.md sections 7 and 11). */
export function checkCurrency(code: string): CodeVerdict {
  return verdict(CURRENCIES, code);
}

function verdict(list: CodeList, code: string): CodeVerdict {
  if (isCurrent(list, code)) return { ok: true };
  const folded = list.fold(code);
  if (isCurrent(list, folded)) return { ok: false, why: "case", suggestions: [folded] };
  const successors = list.shape.test(folded) ? list.withdrawn[folded] : undefined;
  if (successors !== undefined) return { ok: false, why: "withdrawn", suggestions: successors };
  const meant = list.meant(folded);
  return { ok: false, why: "unknown", suggestions: meant === undefined ? [] : [meant] };
}

function isCurrent(list: CodeList, code: string): boolean {
  return list.shape.test(code) && list.current.includes(` ${code} `);
}

/** The two-letter code for a three-letter one of ISO 639-2 or 639-3, which the runtime knows. */
function shortened(folded: string): string | undefined {
  if (!/^[a-z]{3}$/.test(folded)) return undefined;
  const language = Intl.getCanonicalLocales(folded)[0]?.split("-")[0] ?? "";
  return isCurrent(LANGUAGES, language) ? language : undefined;
}
