/** Finds codes by the names that people write: languages, countries and currencies. */
import { memoize } from "../base/values.ts";
import { splitCodes } from "./codes.ts";
import { COUNTRY_CODES, CURRENCY_CODES, LANGUAGE_CODES } from "./iso-codes.ts";

type Kind = "language" | "region" | "currency";

const CODES: Readonly<Record<Kind, string>> = {
  language: LANGUAGE_CODES,
  region: COUNTRY_CODES,
  currency: CURRENCY_CODES,
};

/** Languages in which names are understood. Where a name means different things, the first counts. */
const LANGUAGES = ["en", "de", "fr", "es"];

/** The codes by their names in these languages, in lower case. */
function codesByName(kind: Kind): ReadonlyMap<string, string> {
  const codes = new Map<string, string>();
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type: kind, fallback: "none" });
    for (const code of splitCodes(CODES[kind])) {
      const name = names.of(code);
      if (name !== undefined && !codes.has(fold(name))) codes.set(fold(name), code);
    }
  }
  return codes;
}

const NAMES: Readonly<Record<Kind, () => ReadonlyMap<string, string>>> = {
  language: memoize(() => codesByName("language")),
  region: memoize(() => codesByName("region")),
  currency: memoize(() => codesByName("currency")),
};

/** Languages by their names in themselves: `Deutsch`. Loading all takes some time. */
const OWN_NAMES = memoize(() => {
  const names = new Map<string, string>();
  for (const code of splitCodes(LANGUAGE_CODES)) {
    const name = new Intl.DisplayNames(code, { type: "language", fallback: "none" }).of(code);
    if (name !== undefined && !names.has(fold(name))) names.set(fold(name), code);
  }
  return names;
});

/** Names that differ from those of the runtime's data. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{ mandarin: "zh", farsi: "fa", castilian: "es", flemish: "nl", "simplified chinese": "zh" },
  ...{ usa: "US", "united states of america": "US", "great britain": "GB", england: "GB" },
  ...{ us: "US", uk: "GB", holland: "NL", "czech republic": "CZ", turkey: "TR" },
  ...{ euros: "EUR", dollars: "USD", "us dollars": "USD", "pound sterling": "GBP" },
};

/** A name longer than this is none. */
const LONGEST = 60;

function fold(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/g, " ");
}

function codeOf(kind: Kind, name: string): string | undefined {
  const folded = fold(name);
  const other = Object.hasOwn(OTHER_NAMES, folded) ? OTHER_NAMES[folded] : undefined;
  if (other !== undefined && CODES[kind].includes(` ${other} `)) return other;
  return NAMES[kind]().get(folded);
}

/** The language code that a name means, with its country: `English`, `Portuguese (Brazil)`. */
export function languageByName(text: string): string | undefined {
  if (text.length > LONGEST || !/\p{L}{3}/u.test(text)) return undefined;
  const [, first = text, second] = /^([^(,]+?)\s*(?:[(,]\s*([^()]+?)\s*\)?)$/.exec(text) ?? [];
  const language = codeOf("language", first) ?? OWN_NAMES().get(fold(first));
  if (language === undefined || second === undefined) return language;
  const country = countryByName(second);
  return country === undefined ? undefined : `${language}-${country}`;
}

/** The country code that a name means, or that is written in small letters. */
export function countryByName(text: string): string | undefined {
  if (text.length > LONGEST) return undefined;
  const code = text.trim().toUpperCase();
  const isCode = /^[A-Z]{2}$/.test(code) && COUNTRY_CODES.includes(` ${code} `);
  return isCode ? code : codeOf("region", text);
}

/** The currency code that a name means. */
export function currencyByName(text: string): string | undefined {
  return text.length > LONGEST || text.length < 3 ? undefined : codeOf("currency", text);
}
