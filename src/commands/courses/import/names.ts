/** Language and country codes, by the names and spellings that other systems use. */
import { checkCountry, checkLanguage } from "../../../course/codes.ts";
import { countryByName, languageByName } from "../../../course/names.ts";

/** The country code of a code in any case, or of a name. */
export function countryCode(text: string): string | undefined {
  const code = text.trim();
  const verdict = checkCountry(code);
  if (verdict.ok) return code;
  const [suggestion] = code.length === 2 ? verdict.suggestions : [];
  return suggestion ?? countryByName(code);
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
function codeOf(text: string): string {
  const name = text.trim();
  const [, language = name, region] = /^([a-z]{2,3})[-_]([a-z]{2})$/i.exec(name) ?? [];
  const code = languageCode(language);
  if (code === undefined) return languageByName(name) ?? name;
  const country = region === undefined ? undefined : countryCode(region);
  return country === undefined ? code : `${code}-${country}`;
}

function languageCode(text: string): string | undefined {
  if (text.length > 3) return undefined;
  const verdict = checkLanguage(text);
  return verdict.ok ? text : verdict.suggestions[0];
}
