/**
 * The formats of single strings. Each check describes what is wrong, as a clause that follows the path of the value:
 *
 *     checkFormat("language", "en")    → undefined
 *     checkFormat("language", "pt_BR") → must be a language code such as en or pt-BR, not "pt_BR"
 */
import { parseUrl } from "../base/http.ts";
import { cutText, escapeLine, joinList } from "../base/text.ts";
import { isUuid, type PlainObject, UUID_PATTERN } from "../base/values.ts";
import {
  COUNTRY_CODES,
  type CodeFault,
  CURRENCY_CODES,
  checkCountry,
  checkCurrency,
  checkLanguage,
  currencyByName,
  LANGUAGE_CODES,
  languageByName,
  splitCodes,
} from "./codes.ts";
import { LANGUAGE_PLACEHOLDER, STILL_PLACEHOLDER } from "./placeholders.ts";
import type { Fault } from "./problem.ts";
import type { StringFormat } from "./shape.ts";

/**
 * Whitespace as JavaScript defines it, for a class of characters. Control characters are escaped, because some
 * programs cannot read a NUL. The escapes have two digits, because only these mean the same to every engine.
 */
const SPACES = "\\x09-\\x0d \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** Control and format characters of one UTF-16 unit. */
const INVISIBLE =
  "\\x00-\\x1f\\x7f-\\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e" +
  "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb";

/** The pattern of a string with a character that is not whitespace. */
export const NOT_BLANK = `[^${SPACES}]`;

/** What no url may contain: the parser would accept and change it, so the url would not be the written one. */
const UNWANTED = `[${SPACES}${INVISIBLE}\\\\]`;

const [LANGUAGES, COUNTRIES] = [splitCodes(LANGUAGE_CODES), splitCodes(COUNTRY_CODES)];

/** The keywords of JSON Schema that state each format. */
export const FORMAT_SCHEMAS: Readonly<Record<StringFormat, Readonly<Record<string, unknown>>>> = {
  uuid: { pattern: UUID_PATTERN.replace(/\$$/, ""), maxLength: 36 },
  url: { pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]", not: { pattern: UNWANTED } },
  // Digits, or digits, a point and digits.
  amount: {
    anyOf: [
      { minLength: 1, not: { pattern: "[^0-9]" } },
      {
        pattern: "^[0-9]+\\.[0-9]",
        not: { anyOf: [{ pattern: "[^0-9.]" }, { pattern: "\\.[0-9]*\\." }] },
      },
    ],
  },
  currency: { enum: splitCodes(CURRENCY_CODES) },
  // The languages as a list, so that editors can offer them; a pattern for languages with a country.
  language: {
    anyOf: [
      { enum: LANGUAGES },
      {
        type: "string",
        pattern: `^(?:${LANGUAGES.join("|")})-(?:${COUNTRIES.join("|")})`,
        maxLength: "xx-YY".length,
      },
    ],
  },
};

/** The end of a message about an invalid value: `, not "x"`. */
export function notValue(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return `, not ${escapeLine(cutText(text, 60))}`;
}

/** Checks a string against a format; undefined if it matches. */
export function checkFormat(format: StringFormat, value: string): Fault | undefined {
  switch (format) {
    case "uuid":
      return isUuid(value) ? undefined : { rule: "uuid", text: `must be a UUID${notValue(value)}` };
    case "url":
      return urlFault(value);
    case "language":
      return languageFault(value);
    case "currency":
      return currencyFault(value);
    case "amount":
      return amountFault(value);
  }
}

function urlFault(value: string): Fault | undefined {
  const expected = expectedUrl(value);
  if (expected === undefined) return undefined;
  const likely = /^https?:/i.test(value.trim()) ? value.trim() : `https://${value.trim()}`;
  const isLikely = /[.]\w+[/:]|:\/\//.test(value) && expectedUrl(likely) === undefined;
  const text = `must be ${expected}${notValue(value)}`;
  return { rule: "url", text, suggestion: isLikely ? likely : undefined };
}

/** What a string must be to be a url; undefined if it is one. */
function expectedUrl(value: string): string | undefined {
  if (/[\s\\]/.test(value)) return "a URL without spaces or backslashes";
  // Almost every url has only these characters, and the other pattern is slow to compile.
  const isPlain = /^[!-~]*$/.test(value);
  if (!isPlain && /[\p{Cc}\p{Cf}]/u.test(value)) return "a URL without invisible characters";
  if (!/^https?:\/\//i.test(value)) return "a URL that starts with http:// or https://";
  const isValid = /^https?:\/\/[^/?#]/i.test(value) && parseUrl(value) !== undefined;
  return isValid ? undefined : "a valid URL";
}

function amountFault(value: string): Fault | undefined {
  if (/^\d+(\.\d+)?$/.test(value)) return undefined;
  const text = `must be an amount such as 49.99${notValue(value)}`;
  // Only if no other amount can be meant: a decimal comma, or a currency next to the number. It is money, so never fixed.
  const plain = value.replace(/(?<=\d)([.,])(\d{3})(?=(?:\1\d{3})*(?!\1)[.,]\d{1,2}(?!\d))/g, "$2");
  const only = /^[^\d.,-]*(\d{1,20})(?:[.,](\d{1,2}))?[^\d.,-]*$/.exec(plain);
  const suggestion = only?.[2] === undefined ? only?.[1] : `${only[1]}.${only[2]}`;
  return { rule: "amount", text, suggestion };
}

function currencyFault(value: string): Fault | undefined {
  const fault = checkCurrency(value);
  if (fault === undefined) return undefined;
  const text = fault.isWithdrawn
    ? `is ${value}, which is no longer in use${successors(fault)}`
    : `must be a currency code such as EUR${notValue(value)}`;
  return {
    rule: "currency-code",
    text,
    suggestion: onlySuggestion(fault) ?? currencyByName(value),
  };
}

/** Codes in another case, with an underscore or of three letters have a suggestion: `PT_br` can only mean `pt-BR`. */
function languageFault(value: string): Fault | undefined {
  if (value === LANGUAGE_PLACEHOLDER) return { rule: "language-code", text: STILL_PLACEHOLDER };
  const [, language = "", country] = /^([a-z]{2,3})(?:[-_]([a-z]{2}))?$/i.exec(value) ?? [];
  const parts = [{ name: "language", code: language, fault: checkLanguage(language) }];
  if (country !== undefined) {
    parts.push({ name: "country", code: country, fault: checkCountry(country) });
  }
  const isForm = /^[a-z]{2}(?:-[A-Z]{2})?$/.test(value);
  const wrong = parts.find(({ fault }) => fault !== undefined);
  if (isForm && wrong === undefined) return undefined;
  const codes = parts.map(({ code, fault }) =>
    fault === undefined ? code : onlySuggestion(fault),
  );
  const byName = isForm ? undefined : languageByName(value);
  const suggestion = codes.includes(undefined) ? byName : codes.join("-");
  const text =
    isForm && wrong !== undefined
      ? codeText(`${wrong.name} code ${wrong.code}`, wrong.fault)
      : `must be a language code such as en or pt-BR${notValue(value)}`;
  return { rule: "language-code", text, suggestion, fixed: suggestion };
}

function codeText(code: string, fault: CodeFault | undefined): string {
  return fault?.isWithdrawn
    ? `has the ${code}, which is no longer in use${successors(fault)}`
    : `has the unknown ${code}`;
}

/** The advice for a code with several successors. A single successor is the suggestion. */
function successors({ suggestions }: CodeFault): string {
  return suggestions.length < 2 ? "" : `; use ${joinList(suggestions)}`;
}

function onlySuggestion({ suggestions }: CodeFault): string | undefined {
  return suggestions.length === 1 ? suggestions[0] : undefined;
}

const VIDEO_SITES = [
  {
    type: "youtube",
    address:
      /^https?:\/\/(?:(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|(?:embed|shorts|live|v)\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i,
  },
  {
    type: "vimeo",
    address: /^https?:\/\/(?:(?:www|player)\.)?vimeo\.com\/(?:[^?#]*\/)?(\d+)(?![^/?#])/i,
  },
];

/** The `video` field for a URL: `https://youtu.be/dQw4w9WgXcQ` → `{ type: "youtube", id: "dQw4w9WgXcQ" }`. */
export function videoByAddress(address: string): PlainObject | undefined {
  if (expectedUrl(address) !== undefined) return undefined;
  for (const site of VIDEO_SITES) {
    const [, id] = site.address.exec(address) ?? [];
    if (id !== undefined) return { type: site.type, id };
  }
  return { type: "self_hosted", url: address };
}
