/** How single strings must be written, and the addresses of videos, which have an id in them. */
import { parseUrl } from "../base/http.ts";
import { joinList } from "../base/text.ts";
import { isUuid, type PlainObject } from "../base/values.ts";
import {
  type CodeFault,
  checkCountry,
  checkCurrency,
  checkLanguage,
  currencyByName,
  languageByName,
} from "./codes.ts";
import type { RuleId } from "./problem.ts";

/** The formats; zod issues and schemas carry these ids. */
export type StringFormat = "uuid" | "url" | "language" | "currency" | "amount";

/** Why a string does not have its format: the rest of a sentence that begins with the field. */
export interface FormatFault {
  readonly rule: RuleId;
  readonly text: string;
  readonly suggestion?: string | undefined;
  /** Whether the suggestion is only likely, so that `--fix` does not apply it. */
  readonly isGuess?: boolean;
}

/** Checks a string against a format; undefined if it matches. */
export function checkFormat(format: StringFormat, value: string): FormatFault | undefined {
  switch (format) {
    case "uuid":
      return isUuid(value) ? undefined : { rule: "uuid", text: "must be a UUID" };
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
  const fault = (text: string): FormatFault => ({ rule: "url", text });
  // The parser accepts spaces, tabs and backslashes and changes the address; a file should not.
  if (/[\s\\]/.test(value)) return fault("must be a URL without spaces and backslashes");
  // Almost every address is of these characters, and the other pattern is slow to compile.
  if (!/^[!-~]*$/.test(value) && /[\p{Cc}\p{Cf}]/u.test(value))
    return fault("must be a URL without invisible characters");
  if (!/^https?:\/\//i.test(value))
    return fault("must be a URL that starts with http:// or https://");
  if (!/^https?:\/\/[^/?#]/i.test(value) || !isWellFormed(value))
    return fault("must be a valid URL");
  return undefined;
}

/**
 * Node.js before 24 refuses hosts that newer versions accept, as the URL standard requires: labels of Punycode
 * that encode nothing, if the host is ASCII, and capital letters without a mapping in Unicode 15.
 */
function isWellFormed(value: string): boolean {
  if (parseUrl(value) !== undefined) return true;
  const [host = ""] = /^https?:\/\/[^/?#]+/.exec(value.toLowerCase()) ?? [];
  return parseUrl(/^[!-~]*$/.test(host) ? host.replace(/xn-+/g, "x") : host) !== undefined;
}

/** Digits, optionally a point and digits. */
const AMOUNT = /^\d+(\.\d+)?$/;

function amountFault(value: string): FormatFault | undefined {
  if (AMOUNT.test(value)) return undefined;
  const text = "must be an amount such as 49.99: digits, optionally a point and more digits";
  // Only what cannot be another amount: a decimal comma, a currency next to the number.
  const only = /^[^\d.,-]*(\d{1,20})(?:[.,](\d{1,2}))?[^\d.,-]*$/.exec(value);
  const suggestion = only?.[2] === undefined ? only?.[1] : `${only[1]}.${only[2]}`;
  return { rule: "amount", text, suggestion };
}

function currencyFault(value: string): FormatFault | undefined {
  const fault = checkCurrency(value);
  if (fault === undefined) return undefined;
  const text = fault.isWithdrawn
    ? `must be a current currency code: ${value} is withdrawn${successors(fault)}`
    : "must be an ISO 4217 currency code such as EUR";
  const suggestion = onlySuggestion(fault) ?? currencyByName(value);
  return { rule: "currency-code", text, suggestion, isGuess: fault.isGuess };
}

function languageFault(value: string): FormatFault | undefined {
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
  const suggestion = onlySuggestion(fault);
  return {
    rule: "language-code",
    text: fault.isWithdrawn
      ? `has the withdrawn ${code}${successors(fault)}`
      : `has the unknown ${code}`,
    suggestion: suggestion === undefined ? undefined : complete(suggestion),
    isGuess: fault.isGuess,
  };
}

/** A code in another case, with an underscore, or of three letters has one right spelling. */
function misspelledLanguage(value: string): FormatFault {
  const text = "must be a language code such as en or pt-BR";
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

/** The code itself if it is current, else the only current one that it can be replaced by. */
function currentCode(check: typeof checkLanguage, code: string): string | undefined {
  const fault = check(code);
  return fault === undefined ? code : onlySuggestion(fault);
}

function successors({ suggestions }: CodeFault): string {
  if (suggestions.length === 0) return "";
  const noun = suggestions.length === 1 ? "successor is" : "successors are";
  return `; its ${noun} ${joinList(suggestions)}`;
}

function onlySuggestion({ suggestions }: CodeFault): string | undefined {
  return suggestions.length === 1 ? suggestions[0] : undefined;
}

const YOUTUBE = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com)$/;

/** The `video` field for the address of a video. */
export function videoByAddress(
  address: string,
): { readonly value: PlainObject; readonly isCertain: boolean } | undefined {
  const url = /^https?:\/\//i.test(address) && parseUrl(address);
  if (!url) return undefined;
  const found = hostedVideo(url);
  return found === undefined
    ? {
        value: { type: "self_hosted", url: address },
        isCertain: /\.(?:mp4|webm|mov|m4v)$/i.test(url.pathname),
      }
    : { value: found, isCertain: true };
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

/** The video without the address of its page, whose id identifies it; undefined without an id. */
export function videoWithId(video: PlainObject): PlainObject | undefined {
  const { url, ...rest } = video;
  const address = typeof url === "string" ? parseUrl(url) : undefined;
  const hosted = address === undefined ? undefined : hostedVideo(address);
  if (hosted === undefined || hosted.type !== video.type) return undefined;
  return (video.id ?? hosted.id) === hosted.id ? { ...rest, id: hosted.id } : undefined;
}
