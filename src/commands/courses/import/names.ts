/** Language and country codes, by the names and spellings that other systems use. */
import { memoize } from "../../../base/values.ts";
import { checkCountry, checkLanguage, splitCodes } from "../../../course/codes.ts";
import { COUNTRY_CODES, LANGUAGE_CODES } from "../../../course/iso-codes.ts";

const LANGUAGES = memoize(() => namesOf(LANGUAGE_CODES, "language"));
const COUNTRIES = memoize(() => namesOf(COUNTRY_CODES, "region"));

/** Codes by their names in English and, for languages, in themselves; in lower case. */
function namesOf(codes: string, type: "language" | "region"): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const add = (locale: string, code: string): void => {
    const name = new Intl.DisplayNames(locale, { type, fallback: "none" }).of(code)?.toLowerCase();
    if (name !== undefined && !names.has(name)) names.set(name, code);
  };
  for (const code of splitCodes(codes)) add("en", code);
  if (type === "language") for (const code of splitCodes(codes)) add(code, code);
  return names;
}

/** The country code of a code in any case, or of an English name. */
export function countryCode(text: string): string | undefined {
  const code = text.trim();
  const verdict = checkCountry(code);
  if (verdict.ok) return code;
  const [suggestion] = code.length === 2 ? verdict.suggestions : [];
  return suggestion ?? COUNTRIES().get(code.toLowerCase());
}

/** The codes of languages: of a list, or of a text such as `en_US` or `English; Portuguese (Brazil)`. */
export function languageCodes(value: unknown): readonly string[] | undefined {
  const parts = Array.isArray(value) ? value : typeof value === "string" ? splitNames(value) : [];
  const codes = parts.flatMap((part) => (typeof part === "string" ? codeOf(part) : []));
  return codes.length === 0 ? undefined : [...new Set(codes)];
}

function splitNames(text: string): string[] {
  return text.split(/[,;|/]/).filter((part) => part.trim() !== "");
}

/** The code of one language; text that is none is left for the checker to report. */
/** No name of a language is longer; the expressions below take too long for hostile texts. */
const LONGEST_NAME = 100;

function codeOf(text: string): string {
  const name = text.trim();
  if (name.length > LONGEST_NAME) return name;
  const [, language = name, region] =
    /^([^()]+?)\s*\(([^()]+)\)$/.exec(name) ?? /^([a-z]{2,3})[-_]([a-z]{2})$/i.exec(name) ?? [];
  const code = languageCode(language);
  if (code === undefined) return name;
  const country = region === undefined ? undefined : countryCode(region);
  return country === undefined ? code : `${code}-${country}`;
}

function languageCode(text: string): string | undefined {
  const verdict = checkLanguage(text);
  if (verdict.ok) return text;
  const [suggestion] = text.length <= 3 ? verdict.suggestions : [];
  return suggestion ?? LANGUAGES().get(text.toLowerCase());
}
