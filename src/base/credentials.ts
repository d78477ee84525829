/** The base URL of a service and the API key: parses and compares them, and finds a key in the wrong place. */
import { usageError } from "./errors.ts";
import { isHeaderValue, parseUrl } from "./http.ts";
import { escapeLine } from "./text.ts";

/** How a URL begins, valid or not. Other text may be the key in the wrong place, and is not shown. */
const URL_START = /^(https?:|[a-z][a-z\d+.-]*:\/\/)/i;

/** What every path of the service begins with; documentation shows addresses with it. */
const API_PATH = /\/developer\/v1(\/(courses|providers))?$/i;

/** The base URL in a value, without slashes at its end. @param origin the source of the value */
export function parseBaseUrl(text: string, origin: string): string {
  const trimmed = text.trim();
  const invalid = (problem: string) => usageError(`the base URL from ${origin} ${problem}`);
  // Text before an @ may be a password, and is not shown.
  if (trimmed.includes("@")) throw invalid("must not contain a user name or password");
  if (trimmed === "") throw invalid("is empty");
  if (!URL_START.test(trimmed)) {
    throw invalid("is not a valid URL; enter a full address such as https://api.catalog.example");
  }
  const url = parseUrl(trimmed);
  if (url === undefined) throw invalid(`is not a valid URL${quoteUnlessKey(trimmed)}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalid(`must be an http or https URL${quoteUnlessKey(trimmed)}`);
  }
  if (url.search !== "" || url.hash !== "") throw invalid("must not have a query or fragment");
  // A URL parser ignores some of them, but messages would print them.
  if (escapeLine(trimmed) !== trimmed) throw invalid("must not contain control characters");
  const baseUrl = trimmed.replace(/\/+$/, "");
  if (!API_PATH.test(baseUrl)) return baseUrl;
  throw usageError(
    `the base URL from ${origin} ends with /developer/v1, which is added automatically`,
    `Use ${baseUrl.replace(API_PATH, "")} instead.`,
  );
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

/** The API key in a value; no message contains it. @param origin the source of the value */
export function parseApiKey(text: string, origin: string): string {
  const key = text.trim();
  if (key === "") throw usageError(`the API key from ${origin} is empty`);
  if (/^bearer\b/i.test(key)) {
    throw usageError(
      `the API key from ${origin} starts with "Bearer"`,
      'Use only the key, without "Bearer".',
    );
  }
  if (/^["'\u201c\u2018]|["'\u201d\u2019]$/.test(key)) {
    throw usageError(`the API key from ${origin} is in quotes`, "Remove the quotes.");
  }
  if (isHeaderValue(key)) return key;
  throw usageError(
    `the API key from ${origin} contains invalid characters`,
    "Use only the key: letters, digits and one dot, without spaces.",
  );
}

/** Whether a variable may have an API key: `CATALOG_API_KEY`, or that of a profile; Windows ignores case. */
export function isKeyVariable(name: string): boolean {
  return /^CATALOG_API_KEY(_|$)/i.test(name);
}

/** The separators around a key in a longer text, as in `Bearer one.two` or `apiKey=one.two`. */
const SEPARATORS = /[\s:;,='"`/@?&#{}[\]()<>]+/;
/** Shorter second parts are those of host names and file names. */
const SHORTEST_SECRET = 8;
/** Longer second parts need no digit to count as a secret. */
const LONG_SECRET = 16;

/** Whether a string contains something like a key: two parts joined by one dot, the second one a secret. */
export function looksLikeKey(text: string): boolean {
  return text.split(SEPARATORS).some((word) => {
    const [first = "", second = "", ...others] = word.split(".");
    if (first === "" || others.length > 0 || second.length < SHORTEST_SECRET) return false;
    return /\d/.test(second) || second.length >= LONG_SECRET;
  });
}

/** `: value` for the end of a message; nothing if the value may be a key in the wrong place. */
function quoteUnlessKey(value: string): string {
  return looksLikeKey(value) ? "" : `: ${value}`;
}

/**
 * A key in a longer text. Unlike names of files and hosts, its secret has digits and letters, and nothing
 * else; a time such as 20261123T101500Z is none. Punctuation or the ending of a file may follow.
 */
const TYPED_KEY =
  /(?<![\w.-])[\w-]+\.(?!\d+t\d+z?\b)(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{12,}(?=(\.(ya?ml|json|jsonl|ndjson|csv|tsv|xlsx|txt|md|jsonata))?[._-]*(?![\w.-]))/gi;

/** What is a key, most probably, in the words of a command line: one that was typed in the wrong place. */
export function typedKeys(words: readonly string[]): string[] {
  return words.flatMap((word) => word.match(TYPED_KEY) ?? []);
}
