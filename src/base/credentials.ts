/** Parses base URLs and API keys, compares base URLs, and finds API keys that were typed in the wrong place. */
import { usageError } from "./errors.ts";
import { isHeaderValue, parseUrl } from "./http.ts";
import { escapeLine } from "./text.ts";

/** The start of a URL, valid or not. Other text may be the API key in the wrong place, and is not shown. */
const URL_START = /^(https?:|[a-z][a-z\d+.-]*:\/\/)/i;

/** The start of every path of the service, which the service's documentation includes in its URLs. */
const API_PATH = /\/developer\/v1(\/(courses|providers))?$/i;

/**
 * Parses a base URL: `" https://api.catalog.example/ "` gives `https://api.catalog.example`.
 *
 * @param origin where the value comes from, for messages: `CATALOG_BASE_URL`
 * @throws CatalogError of kind `usage`
 */
export function parseBaseUrl(text: string, origin: string): string {
  const trimmed = text.trim();
  const invalid = (problem: string, advice?: string) =>
    usageError(`the base URL from ${origin} ${problem}`, advice);
  // Text before an @ may be a password, and is not shown.
  if (trimmed.includes("@")) throw invalid("must not contain a user name or password");
  if (trimmed === "") throw invalid("is empty");
  if (!URL_START.test(trimmed)) {
    throw invalid("must be a complete URL, such as https://api.catalog.example");
  }
  const url = parseUrl(trimmed);
  if (url === undefined) throw invalid(`must be a valid URL${notKey(trimmed)}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalid(`must be an http or https URL${notKey(trimmed)}`);
  }
  if (url.search !== "" || url.hash !== "") throw invalid("must not have a query or fragment");
  // A URL parser ignores some control characters, but messages would print them.
  if (escapeLine(trimmed) !== trimmed) throw invalid("must not contain control characters");
  const baseUrl = trimmed.replace(/\/+$/, "");
  if (!API_PATH.test(baseUrl)) return baseUrl;
  const advice = `Use ${baseUrl.replace(API_PATH, "")} instead.`;
  throw invalid("must not end with /developer/v1, which catalog adds itself", advice);
}

/** Whether two base URLs have the same scheme, host, port and path, apart from final slashes. */
export function isSameBaseUrl(one: string, other: string): boolean {
  const first = normalize(one);
  return first !== undefined && first === normalize(other);
}

function normalize(text: string): string | undefined {
  const url = parseUrl(text);
  return url && `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

/**
 * Parses an API key: `" one.secret "` gives `one.secret`. No message contains the value.
 *
 * @param origin where the value comes from, for messages: `CATALOG_API_KEY`
 * @throws CatalogError of kind `usage`
 */
export function parseApiKey(text: string, origin: string): string {
  const key = text.trim();
  const invalid = (problem: string, advice?: string) =>
    usageError(`the API key from ${origin} ${problem}`, advice);
  if (key === "") throw invalid("is empty");
  if (/^bearer\b/i.test(key)) {
    throw invalid('starts with "Bearer"', 'Use only the key, without "Bearer".');
  }
  if (/^["'\u201c\u2018]|["'\u201d\u2019]$/.test(key)) {
    throw invalid("is in quotes", "Remove the quotes.");
  }
  if (isHeaderValue(key)) return key;
  const advice = "Use only the key: letters, digits and one dot, without spaces.";
  throw invalid("contains invalid characters", advice);
}

/** Whether a variable may contain an API key: `CATALOG_API_KEY`, or `CATALOG_API_KEY_<PROFILE>`. Windows ignores case. */
export function isKeyVariable(name: string): boolean {
  return /^CATALOG_API_KEY(_|$)/i.test(name);
}

/** The separators around an API key in a longer text, as in `Bearer one.two` or `apiKey=one.two`. */
const SEPARATORS = /[\s:;,='"`/@?&#{}[\]()<>]+/;
/** A shorter second part may belong to the name of a host or file. */
const SHORTEST_SECRET = 8;
/** A second part of this length needs no digit to count as a secret. */
const LONG_SECRET = 16;

/** Whether a string contains something like an API key: two parts joined by one dot, the second one a secret. */
export function looksLikeKey(text: string): boolean {
  return text.split(SEPARATORS).some((word) => {
    const [first = "", second = "", ...others] = word.split(".");
    if (first === "" || others.length > 0 || second.length < SHORTEST_SECRET) return false;
    return /\d/.test(second) || second.length >= LONG_SECRET;
  });
}

/** `, not "value"` for the end of a message; empty if the value may be an API key in the wrong place. */
export function notKey(value: string): string {
  return looksLikeKey(value) ? "" : `, not ${JSON.stringify(value)}`;
}

/**
 * An API key in a longer text. Unlike the names of files and hosts, the secret has both digits and letters, and
 * nothing else; a time such as 20261123T101500Z is not a secret. Punctuation or a file extension may follow.
 */
const TYPED_KEY =
  /(?<![\w.-])[\w-]+\.(?!\d+t\d+z?\b)(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{12,}(?=(\.(ya?ml|json|jsonl|ndjson|csv|tsv|xlsx|txt|md|jsonata))?[._-]*(?![\w.-]))/gi;

/** The strings in the words of a command line that are most probably API keys, typed in the wrong place. */
export function typedKeys(words: readonly string[]): string[] {
  return words.flatMap((word) => word.match(TYPED_KEY) ?? []);
}
