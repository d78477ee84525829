/**
 * The formats of single strings, and the URLs of videos. Each check describes what is wrong, as a clause
 * that follows the path of the value:
 *
 *     checkFormat("language", "en")    → undefined
 *     checkFormat("language", "pt_BR") → must be a language code such as en or pt-BR, not "pt_BR"
 */
import { parseUrl } from "../base/http.ts";
import { joinList, truncateJson } from "../base/text.ts";
import { isUuid, type PlainObject, UUID_PATTERN } from "../base/values.ts";
import {
  type CodeFault,
  checkCountry,
  checkCurrency,
  checkLanguage,
  currencyByName,
  languageByName,
} from "./codes.ts";
import type { RuleId } from "./problem.ts";

type StringSchema = Readonly<Record<string, unknown>>;

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

export const UUID_SCHEMA: StringSchema = {
  pattern: UUID_PATTERN.replace(/\$$/, ""),
  maxLength: 36,
};

/** An http or https URL without whitespace, backslashes and invisible characters. */
export const URL_SCHEMA: StringSchema = {
  pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]",
  not: { pattern: `[${SPACES}${INVISIBLE}\\\\]` },
};

/** Digits, or digits, a point and digits. */
export const AMOUNT_SCHEMA: StringSchema = {
  anyOf: [
    { minLength: 1, not: { pattern: "[^0-9]" } },
    {
      pattern: "^[0-9]+\\.[0-9]",
      not: { anyOf: [{ pattern: "[^0-9.]" }, { pattern: "\\.[0-9]*\\." }] },
    },
  ],
};

/** A word of two letters, a hyphen, and another word of two letters: `pt-BR`. */
export function pairSchema(first: readonly string[], second: readonly string[]): StringSchema {
  const pattern = `^(?:${first.join("|")})-(?:${second.join("|")})`;
  return { type: "string", pattern, maxLength: "xx-YY".length };
}

/** The formats, by the names that zod's issues and schemas have. */
export type StringFormat = "uuid" | "url" | "language" | "currency" | "amount";

export interface FormatFault {
  readonly rule: RuleId;
  /** A clause that follows the path of the value. */
  readonly text: string;
  readonly suggestion?: string | undefined;
  /** Whether the suggestion is likely, but not certain, so that `--fix` does not apply it. */
  readonly isGuess?: boolean;
}

export const LANGUAGE_PLACEHOLDER = "Replace this with a language code";

/** What is wrong with a value that is a placeholder of the template. */
export const STILL_PLACEHOLDER = "still has the placeholder text; replace it";

/** A value longer than this is not shown in a message. */
const LONGEST_SHOWN = 60;

/** The end of a message about an invalid value: `, not "x"`; empty for a long string. */
export function notValue(value: unknown): string {
  const text = typeof value === "string" ? truncateJson(value) : String(value);
  return text.length > LONGEST_SHOWN ? "" : `, not ${text}`;
}

/** Checks a string against a format; undefined if it matches. */
export function checkFormat(format: StringFormat, value: string): FormatFault | undefined {
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

function urlFault(value: string): FormatFault | undefined {
  const fault = (expected: string): FormatFault => {
    return { rule: "url", text: `must be ${expected}${notValue(value)}` };
  };
  // The parser would accept and change them, so the URL would not be the written one.
  if (/[\s\\]/.test(value)) return fault("a URL without spaces or backslashes");
  // Almost every URL has only these characters, and the other pattern is slow to compile.
  if (!/^[!-~]*$/.test(value) && /[\p{Cc}\p{Cf}]/u.test(value))
    return fault("a URL without invisible characters");
  if (!/^https?:\/\//i.test(value)) return fault("a URL that starts with http:// or https://");
  if (!/^https?:\/\/[^/?#]/i.test(value) || !isWellFormed(value)) return fault("a valid URL");
  return undefined;
}

/**
 * Whether a URL is valid by the URL standard. Node.js before 24 refuses two kinds of hosts that newer versions
 * accept: Punycode labels that encode nothing in an ASCII host, and capitals without a mapping in Unicode 15.
 */
function isWellFormed(value: string): boolean {
  if (parseUrl(value) !== undefined) return true;
  const [host = ""] = /^https?:\/\/[^/?#]+/.exec(value.toLowerCase()) ?? [];
  return parseUrl(/^[!-~]*$/.test(host) ? host.replace(/xn-+/g, "x") : host) !== undefined;
}

const AMOUNT = /^\d+(\.\d+)?$/;

function amountFault(value: string): FormatFault | undefined {
  if (AMOUNT.test(value)) return undefined;
  const text = `must be an amount such as 49.99${notValue(value)}`;
  // Only if no other amount can be meant: a decimal comma, or a currency next to the number. It is money, so never a fix.
  const only = /^[^\d.,-]*(\d{1,20})(?:[.,](\d{1,2}))?[^\d.,-]*$/.exec(value);
  const suggestion = only?.[2] === undefined ? only?.[1] : `${only[1]}.${only[2]}`;
  return { rule: "amount", text, suggestion, isGuess: true };
}

function currencyFault(value: string): FormatFault | undefined {
  const fault = checkCurrency(value);
  if (fault === undefined) return undefined;
  const text = fault.isWithdrawn
    ? `is ${value}, which is no longer in use${successors(fault)}`
    : `must be a currency code such as EUR${notValue(value)}`;
  const suggestion = onlySuggestion(fault) ?? currencyByName(value);
  return { rule: "currency-code", text, suggestion, isGuess: true };
}

function languageFault(value: string): FormatFault | undefined {
  if (value === LANGUAGE_PLACEHOLDER) return { rule: "language-code", text: STILL_PLACEHOLDER };
  const parts = /^([a-z]{2})(?:-([A-Z]{2}))?$/.exec(value);
  if (parts === null) return misspelledLanguage(value);
  const [, language = "", country] = parts;
  const ending = country === undefined ? "" : `-${country}`;
  const fault = checkLanguage(language);
  if (fault !== undefined) {
    return codeFault(fault, `language code ${language}`, (code) => code + ending);
  }
  const inCountry = country === undefined ? undefined : checkCountry(country);
  if (inCountry === undefined) return undefined;
  return codeFault(inCountry, `country code ${country}`, (code) => `${language}-${code}`);
}

function codeFault(
  fault: CodeFault,
  code: string,
  complete: (code: string) => string,
): FormatFault {
  const text = fault.isWithdrawn
    ? `has the ${code}, which is no longer in use${successors(fault)}`
    : `has the unknown ${code}`;
  const only = onlySuggestion(fault);
  const suggestion = only === undefined ? undefined : complete(only);
  return { rule: "language-code", text, suggestion, isGuess: fault.isGuess };
}

/** A code in another case, with an underscore or of three letters: `PT_br` can only mean `pt-BR`. */
function misspelledLanguage(value: string): FormatFault {
  const text = `must be a language code such as en or pt-BR${notValue(value)}`;
  const [, first = "", second] = /^([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2}))?$/.exec(value) ?? [];
  const language = currentCode(checkLanguage, first.toLowerCase());
  const country = second && currentCode(checkCountry, second.toUpperCase());
  if (language === undefined || (second !== undefined && country === undefined)) {
    return { rule: "language-code", text, suggestion: languageByName(value) };
  }
  const suggestion = country === undefined ? language : `${language}-${country}`;
  const isGuess = checkLanguage(first.toLowerCase())?.isGuess === true;
  return { rule: "language-code", text, suggestion, isGuess };
}

/** The code itself if it is current, else the only current code that can replace it. */
function currentCode(check: typeof checkLanguage, code: string): string | undefined {
  const fault = check(code);
  return fault === undefined ? code : onlySuggestion(fault);
}

/** The advice for a code with several successors. A single successor is the suggestion. */
function successors({ suggestions }: CodeFault): string {
  return suggestions.length < 2 ? "" : `; use ${joinList(suggestions)}`;
}

function onlySuggestion({ suggestions }: CodeFault): string | undefined {
  return suggestions.length === 1 ? suggestions[0] : undefined;
}

const YOUTUBE = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com)$/;

/** The `video` field for a URL: `https://youtu.be/dQw4w9WgXcQ` → `{ type: "youtube", id: "dQw4w9WgXcQ" }`. */
export function videoByAddress(
  address: string,
): { readonly value: PlainObject; readonly isCertain: boolean } | undefined {
  const url = /^https?:\/\//i.test(address) && parseUrl(address);
  if (!url) return undefined;
  const found = hostedVideo(url);
  if (found !== undefined) return { value: found, isCertain: true };
  const isCertain = /\.(?:mp4|webm|mov|m4v)$/i.test(url.pathname);
  return { value: { type: "self_hosted", url: address }, isCertain };
}

function hostedVideo({ hostname, pathname, searchParams }: URL): PlainObject | undefined {
  const youtube = YOUTUBE.test(hostname)
    ? (searchParams.get("v") ?? /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(pathname)?.[1])
    : hostname === "youtu.be"
      ? pathname.slice(1)
      : undefined;
  if (youtube !== undefined) {
    return /^[\w-]{11}$/.test(youtube) ? { type: "youtube", id: youtube } : undefined;
  }
  if (!/^(?:www\.|player\.)?vimeo\.com$/.test(hostname)) return undefined;
  const vimeo = /\/(\d+)(?:\/|$)/.exec(pathname)?.[1];
  return vimeo === undefined ? undefined : { type: "vimeo", id: vimeo };
}
