/**
 * The formats of single strings, and what is wrong with a string that does not match its format:
 *
 *     formatProblem("language", "en", path)    → undefined
 *     formatProblem("language", "pt_BR", path) → audio[0] must be a language code such as en or pt-BR, not "pt_BR"
 */
import { parseUrl } from "../base/credentials.ts";
import { cutText, escapeLine, joinList } from "../base/text.ts";
import { type Path, type PlainObject, UUID_PATTERN } from "../base/values.ts";
import {
  COUNTRIES,
  type CodeList,
  CURRENCIES,
  findLanguage,
  LANGUAGES,
  successorsOf,
} from "./codes.ts";
import { type Problem, problemAt, type RuleId } from "./problem.ts";
import type { StringFormat } from "./shape.ts";

interface Format {
  readonly rule: RuleId;
  /** What a string of the format is, for messages. */
  readonly text: string;
  /** For JSON Schema, which has no flags. */
  readonly pattern: string;
}

function anyOf({ current }: CodeList): string {
  return `(?:${[...current].join("|")})`;
}

export const FORMATS: Readonly<Record<StringFormat, Format>> = {
  uuid: { rule: "uuid", text: "a UUID", pattern: UUID_PATTERN },
  url: {
    rule: "url",
    text: "a URL such as https://academy.example/knitting",
    // Programs read a backslash differently.
    pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#\\\\][^\\s\\\\]*$",
  },
  language: {
    rule: "language-code",
    text: "a language code such as en or pt-BR",
    pattern: `^${anyOf(LANGUAGES)}(?:-${anyOf(COUNTRIES)})?$`,
  },
  currency: {
    rule: "currency-code",
    text: "a currency code such as EUR",
    pattern: `^${anyOf(CURRENCIES)}$`,
  },
  amount: { rule: "amount", text: "an amount such as 49.99", pattern: "^[0-9]+(?:\\.[0-9]+)?$" },
};

const PATTERNS = new Map(
  Object.entries(FORMATS).map(([format, { pattern }]) => [format, new RegExp(pattern)]),
);

function matches(format: StringFormat, value: string): boolean {
  if (PATTERNS.get(format)?.test(value) !== true) return false;
  // The parser drops invisible characters of a host, so the url would not be the written one.
  return format !== "url" || (!/[\p{Cc}\p{Cf}]/u.test(value) && parseUrl(value) !== undefined);
}

/** The problem of a string that does not match its format; undefined if it does. */
export function formatProblem(
  format: StringFormat,
  value: string,
  path: Path,
): Problem | undefined {
  if (matches(format, value)) return undefined;
  const { rule, text } = FORMATS[format];
  const meant = findMeant(format, value);
  return problemAt(path, rule, withdrawnText(format, value) ?? `must be ${text}${notText(value)}`, {
    suggestion: meant,
    // A currency is money, so it is never fixed.
    fix: format === "language" && meant !== undefined ? { path, value: meant } : undefined,
  });
}

/** The value that was probably meant: `https://academy.example/x` for `academy.example/x`. */
function findMeant(format: StringFormat, value: string): string | undefined {
  const code = value.toUpperCase();
  if (format === "language") return findLanguage(value);
  if (format !== "url") return CURRENCIES.current.has(code) ? code : undefined;
  const trimmed = value.trim();
  const urls = /^[\w-]+\.\w/.test(trimmed) ? [`https://${trimmed}`] : [trimmed];
  return urls.find((url) => matches(format, url));
}

/** The end of a message about an invalid string: `, not "x"`. */
export function notText(value: string): string {
  return `, not ${escapeLine(JSON.stringify(cutText(value, 60)))}`;
}

/** What is wrong with a withdrawn code, or with one in a language such as `pt-AN`; undefined if nothing is withdrawn. */
function withdrawnText(format: StringFormat, value: string): string | undefined {
  const [language = "", country = ""] = value.split("-");
  const codes = [
    [LANGUAGES, format === "language" ? language : ""],
    [COUNTRIES, format === "language" ? country : ""],
    [CURRENCIES, format === "currency" ? value : ""],
  ] as const;
  for (const [list, code] of codes) {
    const successors = successorsOf(list, code);
    if (successors === undefined) continue;
    const advice = successors.length === 0 ? "" : `; use ${joinList(successors)}`;
    return `has the code ${code}, which is no longer in use${advice}`;
  }
  return undefined;
}

const YOUTUBE =
  /^https?:\/\/(?:(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com\/(?:watch\?(?:.*&)?v=|(?:embed|shorts|live|v)\/)|youtu\.be\/)([\w-]{11})(?![\w-])/i;
const VIMEO = /^https?:\/\/(?:(?:www|player)\.)?vimeo\.com\/(?:[^?#]*\/)?(\d+)(?![^/?#])/i;

/** The `video` field for a URL: `https://youtu.be/dQw4w9WgXcQ` → `{ type: "youtube", id: "dQw4w9WgXcQ" }`. */
export function videoByAddress(address: string): PlainObject | undefined {
  if (!matches("url", address)) return undefined;
  const [, youtube] = YOUTUBE.exec(address) ?? [];
  if (youtube !== undefined) return { type: "youtube", id: youtube };
  const [, vimeo] = VIMEO.exec(address) ?? [];
  return vimeo === undefined ? { type: "self_hosted", url: address } : { type: "vimeo", id: vimeo };
}
