/**
 * Recognizes current language, country and currency codes (ISO 639-1, ISO 3166-1, ISO 4217), and suggests
 * codes for everything else that people write:
 *
 *     checkLanguage("en")          → undefined
 *     checkLanguage("deu")         → suggestions ["de"]
 *     checkCurrency("DEM")         → withdrawn, suggestions ["EUR"]
 *     languageByName("Portuguese (Brazil)") → "pt-BR"
 */
import { memoize } from "../base/values.ts";
import {
  COUNTRY_CODES,
  CURRENCY_CODES,
  LANGUAGE_CODES,
  OTHER_DECIMALS,
  WITHDRAWN_COUNTRIES,
  WITHDRAWN_CURRENCIES,
  WITHDRAWN_LANGUAGES,
} from "./iso-codes.ts";

export interface CodeFault {
  readonly isWithdrawn: boolean;
  /** The current codes that could replace the string: the successors of a withdrawn code, or the intended code. */
  readonly suggestions: readonly string[];
  /** Whether the suggestion is likely, but not certain. */
  readonly isGuess: boolean;
}

interface CodeList {
  readonly shape: RegExp;
  /** Every current code between spaces. */
  readonly current: string;
  /** Every withdrawn code between spaces, with its successors: `AN:CW,SX,BQ`. */
  readonly withdrawn: string;
  fold(code: string): string;
  /** Current codes by the strings that people often write instead: `jp` → `ja`. */
  readonly intended: Readonly<Record<string, string>>;
  /** Current codes by their names. */
  readonly names: () => ReadonlyMap<string, string>;
}

const LANGUAGES: CodeList = {
  shape: /^[a-z]{2}$/,
  current: LANGUAGE_CODES,
  withdrawn: WITHDRAWN_LANGUAGES,
  fold: (code) => code.toLowerCase(),
  // Codes of countries, written for their languages.
  intended: { cn: "zh", cz: "cs", dk: "da", gr: "el", jp: "ja", ua: "uk", vn: "vi" },
  names: memoize(() => indexNames("language", LANGUAGE_CODES)),
};

const COUNTRIES: CodeList = {
  shape: /^[A-Z]{2}$/,
  current: COUNTRY_CODES,
  withdrawn: WITHDRAWN_COUNTRIES,
  fold: (code) => code.toUpperCase(),
  // Codes that ISO 3166 reserves or omits.
  intended: { EL: "GR", UK: "GB" },
  names: memoize(() => indexNames("region", COUNTRY_CODES)),
};

const CURRENCIES: CodeList = {
  shape: /^[A-Z]{3}$/,
  current: CURRENCY_CODES,
  withdrawn: WITHDRAWN_CURRENCIES,
  fold: (code) => code.toUpperCase(),
  // Common abbreviations and symbols.
  intended: {
    ...{ CNH: "CNY", EURO: "EUR", NIS: "ILS", NTD: "TWD", RMB: "CNY", UKP: "GBP", "€": "EUR" },
    ...{ "£": "GBP", "₹": "INR", "₽": "RUB", "₴": "UAH", "₺": "TRY", "₩": "KRW", "₪": "ILS" },
    ...{ "₫": "VND", "₦": "NGN", "₱": "PHP", "฿": "THB", ZŁ: "PLN", KČ: "CZK", FT: "HUF" },
    ...{ US$: "USD", R$: "BRL", A$: "AUD", C$: "CAD", CA$: "CAD", $: "USD", "¥": "JPY" },
  },
  names: memoize(() => indexNames("currency", CURRENCY_CODES)),
};

/** Checks the language of an entry of `audio`, such as `pt`. */
export const checkLanguage = (code: string): CodeFault | undefined => findFault(LANGUAGES, code);
/** Checks the country of an entry of `audio`, such as `BR` in `pt-BR`. */
export const checkCountry = (code: string): CodeFault | undefined => findFault(COUNTRIES, code);
/** Checks the currency of a price, such as `EUR`. */
export const checkCurrency = (code: string): CodeFault | undefined => findFault(CURRENCIES, code);

/** How many decimals amounts of a currency have at most. */
export function decimalsOf(currency: string): number {
  const other = Object.keys(OTHER_DECIMALS).map(Number);
  return other.find((decimals) => OTHER_DECIMALS[decimals]?.includes(` ${currency} `)) ?? 2;
}

function findFault(list: CodeList, code: string): CodeFault | undefined {
  if (isCurrent(list, code)) return undefined;
  const folded = list.fold(code);
  const facts = { isWithdrawn: false, isGuess: false };
  if (isCurrent(list, folded)) return { ...facts, suggestions: [folded] };
  const successors = list.shape.test(folded) ? successorsOf(list, folded) : undefined;
  if (successors !== undefined) return { ...facts, isWithdrawn: true, suggestions: successors };
  const known = Object.hasOwn(list.intended, folded) ? list.intended[folded] : undefined;
  const intended = known ?? (list === LANGUAGES ? shortCode(folded) : undefined);
  const isGuess = list === LANGUAGES && known !== undefined;
  return { ...facts, isGuess, suggestions: intended === undefined ? [] : [intended] };
}

function successorsOf(list: CodeList, code: string): readonly string[] | undefined {
  const found = new RegExp(` ${code}(?::(\\S+))? `).exec(list.withdrawn);
  return found === null ? undefined : (found[1]?.split(",") ?? []);
}

function isCurrent({ shape, current }: CodeList, code: string): boolean {
  return shape.test(code) && current.includes(` ${code} `);
}

/** The two-letter code for a three-letter code of ISO 639-2 or 639-3, from the data of Node.js: `deu` → `de`. */
function shortCode(folded: string): string | undefined {
  if (!/^[a-z]{3}$/.test(folded)) return undefined;
  const language = Intl.getCanonicalLocales(folded)[0]?.split("-")[0] ?? "";
  return isCurrent(LANGUAGES, language) ? language : undefined;
}

/** The codes of a list in `iso-codes.ts`: `" aa ab "` → `["aa", "ab"]`. */
export function splitCodes(list: string): string[] {
  return list.trim().split(" ");
}

/** Codes by their English names. */
function indexNames(type: "language" | "region" | "currency", list: string) {
  const codes = new Map<string, string>();
  const names = new Intl.DisplayNames("en", { type, fallback: "none" });
  for (const code of splitCodes(list)) addName(codes, names.of(code), code);
  return codes;
}

function addName(codes: Map<string, string>, name: string | undefined, code: string): void {
  if (name !== undefined && !codes.has(foldName(name))) codes.set(foldName(name), code);
}

/** Language codes by what speakers call their language, such as `deutsch`. Built on demand, because it takes time. */
const OWN_NAMES = memoize(() => {
  const codes = new Map<string, string>();
  for (const code of splitCodes(LANGUAGE_CODES)) {
    const names = new Intl.DisplayNames(code, { type: "language", fallback: "none" });
    addName(codes, names.of(code), code);
  }
  return codes;
});

function foldName(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

function codeByName({ names }: CodeList, name: string): string | undefined {
  return names().get(foldName(name));
}

/** The language code of a name: `English` → `en`, `pt-Brazil` → `pt-BR`. */
export function languageByName(text: string): string | undefined {
  if (!/\p{L}{3}|\p{Script=Han}{2}/u.test(text)) return undefined;
  const [, first = text, second] = /^([^(,_-]+?)\s*[(,_-]\s*([^()]+?)\s*\)?$/.exec(text) ?? [];
  const language = findLanguage(text);
  if (language !== undefined || second === undefined) return language;
  const [known, country] = [findLanguage(first), countryByName(second)];
  return known === undefined || country === undefined ? undefined : `${known}-${country}`;
}

function findLanguage(text: string): string | undefined {
  const folded = foldName(text);
  if (isCurrent(LANGUAGES, folded)) return folded;
  return codeByName(LANGUAGES, text) ?? OWN_NAMES().get(folded);
}

/** The country code of a name or of a lowercase code: `Brazil` → `BR`, `br` → `BR`. */
export function countryByName(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return isCurrent(COUNTRIES, code) ? code : codeByName(COUNTRIES, text);
}

/** The currency code of a name: `Swiss Franc` → `CHF`. */
export function currencyByName(text: string): string | undefined {
  return text.length < 3 ? undefined : codeByName(CURRENCIES, text);
}
