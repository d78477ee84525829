/** Recognizes current language, country and currency codes, and suggests them for others. */
import { memoize } from "../base/values.ts";
import {
  COUNTRY_CODES,
  CURRENCY_CODES,
  LANGUAGE_CODES,
  WITHDRAWN_COUNTRIES,
  WITHDRAWN_CURRENCIES,
  WITHDRAWN_LANGUAGES,
} from "./iso-codes.ts";

/**
 * Whether a string is a current code and, if not, which current ones could replace it: the successors
 * of a withdrawn code, else the probable intention.
 */
export type CodeVerdict =
  | { ok: true }
  | {
      ok: false;
      withdrawn: boolean;
      suggestions: readonly string[];
      /** Whether the suggestion is only likely. */
      isGuess?: true;
    };

interface CodeList {
  readonly shape: RegExp;
  readonly current: () => ReadonlySet<string>;
  /** Every withdrawn code between spaces, with its successors: `AN:CW,SX,BQ`. */
  readonly withdrawn: string;
  /** Converts a code to the case of this list. */
  fold(code: string): string;
  /** Current codes by the unknown ones that are often written for them. */
  readonly intended: Readonly<Record<string, string>>;
}

const LANGUAGES: CodeList = {
  shape: /^[a-z]{2}$/,
  current: memoize(() => new Set(splitCodes(LANGUAGE_CODES))),
  withdrawn: WITHDRAWN_LANGUAGES,
  fold: (code) => code.toLowerCase(),
  // Countries of the languages.
  intended: { cn: "zh", cz: "cs", dk: "da", gr: "el", jp: "ja", ua: "uk", vn: "vi" },
};

const COUNTRIES: CodeList = {
  shape: /^[A-Z]{2}$/,
  current: memoize(() => new Set(splitCodes(COUNTRY_CODES))),
  withdrawn: WITHDRAWN_COUNTRIES,
  fold: (code) => code.toUpperCase(),
  // Codes that ISO 3166 reserves or omits.
  intended: { EL: "GR", UK: "GB" },
};

const CURRENCIES: CodeList = {
  shape: /^[A-Z]{3}$/,
  current: memoize(() => new Set(splitCodes(CURRENCY_CODES))),
  withdrawn: WITHDRAWN_CURRENCIES,
  fold: (code) => code.toUpperCase(),
  // Common abbreviations and symbols.
  intended: {
    ...{ CNH: "CNY", EURO: "EUR", NIS: "ILS", NTD: "TWD", RMB: "CNY", UKP: "GBP", "€": "EUR" },
    ...{ "£": "GBP", "₹": "INR", "₽": "RUB", "₴": "UAH", "₺": "TRY", "₩": "KRW", "₪": "ILS" },
    ...{ "₫": "VND", "₦": "NGN", "₱": "PHP", "฿": "THB", ZŁ: "PLN", KČ: "CZK", FT: "HUF" },
    ...{ US$: "USD", R$: "BRL", A$: "AUD", C$: "CAD", CA$: "CAD", $: "USD", "¥": "JPY" },
  },
};

/** What is written for several currencies, or for the language of another country. */
const GUESSES = new Set(["$", "¥"]);

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
  if (isCurrent(list, folded)) return { ok: false, withdrawn: false, suggestions: [folded] };
  const successors = list.shape.test(folded) ? successorsOf(list, folded) : undefined;
  if (successors !== undefined) return { ok: false, withdrawn: true, suggestions: successors };
  const known = Object.hasOwn(list.intended, folded) ? list.intended[folded] : undefined;
  const intended = known ?? (list === LANGUAGES ? shortCode(folded) : undefined);
  if (intended === undefined) return { ok: false, withdrawn: false, suggestions: [] };
  const isGuess = GUESSES.has(folded) || (list === LANGUAGES && known !== undefined);
  const guess = isGuess ? ({ isGuess: true } as const) : {};
  return { ok: false, withdrawn: false, suggestions: [intended], ...guess };
}

function successorsOf(list: CodeList, code: string): readonly string[] | undefined {
  const found = new RegExp(` ${code}(?::(\\S+))? `).exec(list.withdrawn);
  return found === null ? undefined : (found[1]?.split(",") ?? []);
}

function isCurrent(list: CodeList, code: string): boolean {
  return list.shape.test(code) && list.current().has(code);
}

/** The two-letter code for a three-letter one of ISO 639-2 or 639-3, from the runtime's data. */
function shortCode(folded: string): string | undefined {
  if (!/^[a-z]{3}$/.test(folded)) return undefined;
  const language = Intl.getCanonicalLocales(folded)[0]?.split("-")[0] ?? "";
  return isCurrent(LANGUAGES, language) ? language : undefined;
}

/** The codes of a list in `iso-codes.ts`. */
export function splitCodes(list: string): string[] {
  return list.trim().split(" ");
}
