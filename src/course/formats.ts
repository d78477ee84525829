/** The rules for how single texts are written (cli.md sections 7 and 11). */

import { parseUrl } from "../base/http.ts";
import { joinList } from "../base/text.ts";
import { isUuid } from "../base/uuid.ts";
import { type CodeVerdict, checkCountry, checkCurrency, checkLanguage } from "./codes.ts";
import type { RuleId } from "./problem.ts";
import type { Format } from "./shape.ts";

/** Why a text is not written as its format wants: a clause that follows the field's name. */
export interface FormatFault {
  readonly rule: RuleId;
  readonly message: string;
  readonly suggestion?: string;
}

/** Checks a text against a format; undefined when it is fine. */
export function formatFault(format: Format, value: string): FormatFault | undefined {
  switch (format) {
    case "uuid":
      return isUuid(value) ? undefined : { rule: "uuid", message: "is not a UUID" };
    case "url":
      return urlFault(value);
    case "language":
      return languageFault(value);
    case "currency":
      return codeFault(checkCurrency(value), "currency-code", "an ISO 4217 currency code");
    case "amount":
      return amountFault(value);
    case "timestamp":
    case "version":
      return undefined;
  }
}

function urlFault(value: string): FormatFault | undefined {
  const wrong = (message: string): FormatFault => ({ rule: "url", message });
  // The parser forgives blanks, tabs and backslashes by changing the address; a file should not.
  if (/[\s\\]/.test(value)) return wrong("is not a URL: it holds a blank or a backslash");
  // Almost every address is of these characters, and the other pattern takes long to make.
  if (!/^[!-~]*$/.test(value) && /[\p{Cc}\p{Cf}]/u.test(value))
    return wrong("is not a URL: it holds an invisible character");
  if (!/^https?:\/\//i.test(value)) return wrong("is not an http or https URL");
  if (!/^https?:\/\/[^/?#]/i.test(value) || parseUrl(value) === undefined)
    return wrong("is not a valid URL");
  return undefined;
}

/** Digits, optionally a point and digits. */
export const AMOUNT = /^\d+(\.\d+)?$/;

function amountFault(value: string): FormatFault | undefined {
  if (AMOUNT.test(value)) return undefined;
  const message = "is not an amount: digits, optionally a point and digits";
  // Only what cannot mean another amount: a decimal comma, a currency beside the number.
  const only = /^[^\d.,-]*(\d{1,20})(?:[.,](\d{1,2}))?[^\d.,-]*$/.exec(value);
  if (only === null) return { rule: "amount", message };
  const suggestion = only[2] === undefined ? only[1] : `${only[1]}.${only[2]}`;
  return { rule: "amount", message, ...(suggestion === undefined ? {} : { suggestion }) };
}

const LANGUAGE = /^([a-z]{2})(?:-([A-Z]{2}))?$/;

function languageFault(value: string): FormatFault | undefined {
  const shaped = LANGUAGE.exec(value);
  if (shaped === null) return misshapenLanguage(value);
  const [, language = "", country] = shaped;
  const verdict = checkLanguage(language);
  if (!verdict.ok) {
    const fault = codeFault(verdict, "language-code", "an ISO 639 alpha-2 language code");
    return withCountry(fault, language, country);
  }
  if (country === undefined) return undefined;
  const fault = codeFault(
    checkCountry(country),
    "language-code",
    "an ISO 3166-1 alpha-2 country code",
  );
  if (fault === undefined) return undefined;
  const message = fault.message.replace(/^(is not|is a)/, `names ${country}, which $1`);
  return fault.suggestion === undefined
    ? { ...fault, message }
    : { ...fault, message, suggestion: `${language}-${fault.suggestion}` };
}

function withCountry(
  fault: FormatFault | undefined,
  language: string,
  country?: string,
): FormatFault | undefined {
  if (fault === undefined || country === undefined) return fault;
  const message = fault.message.replace(/^(is not|is a)/, `names ${language}, which $1`);
  return fault.suggestion === undefined
    ? { ...fault, message }
    : { ...fault, message, suggestion: `${fault.suggestion}-${country}` };
}

function misshapenLanguage(value: string): FormatFault {
  const message = "is not a language code: xx or xx-YY, such as en or pt-BR";
  const parts = /^([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2}))?$/.exec(value);
  if (parts === null) return { rule: "language-code", message };
  const language = known(checkLanguage, parts[1]?.toLowerCase());
  const country = parts[2] === undefined ? undefined : known(checkCountry, parts[2].toUpperCase());
  if (language === undefined || (parts[2] !== undefined && country === undefined)) {
    return { rule: "language-code", message };
  }
  const suggestion = country === undefined ? language : `${language}-${country}`;
  return { rule: "language-code", message, suggestion };
}

/** The code itself if it is one, else the only one that it stands for. */
function known(check: (code: string) => CodeVerdict, code = ""): string | undefined {
  const verdict = check(code);
  if (verdict.ok) return code;
  return verdict.suggestions.length === 1 ? verdict.suggestions[0] : undefined;
}

function codeFault(verdict: CodeVerdict, rule: RuleId, noun: string): FormatFault | undefined {
  if (verdict.ok) return undefined;
  const { suggestions } = verdict;
  if (verdict.why === "withdrawn") {
    const successor =
      suggestions.length === 0
        ? ""
        : `; its ${suggestions.length === 1 ? "successor is" : "successors are"} ${joinList(suggestions)}`;
    const message = `is a withdrawn code, not ${noun}${successor}`;
    return { rule, message, ...single(suggestions) };
  }
  return { rule, message: `is not ${noun}`, ...single(suggestions) };
}

function single(suggestions: readonly string[]): { suggestion?: string } {
  const [only] = suggestions;
  return suggestions.length === 1 && only !== undefined ? { suggestion: only } : {};
}
