/** API keys and base URLs: checks, defaults of requests, and masks for keys in text for people, but never in data. */
import { domainToUnicode } from "node:url";
import { attempt, usageError } from "./errors.ts";
import { type Environment, isUnattended, type Output } from "./io.ts";
import { escapeJson, escapeLine } from "./text.ts";
import { isList, isObject, numberFrom } from "./values.ts";

/** The defaults of the settings of requests; times in seconds. */
export const DEFAULTS = { timeout: 30, retries: 6, concurrency: 4, vendor: "pgrst" } as const;

/** Parse the numbers of requests; times in seconds. One request with its repetitions takes at most five minutes. */
export const PARSERS = {
  timeout: numberFrom(0.001, 300, "a number"),
  retries: numberFrom(0, 100),
  concurrency: numberFrom(1, 256),
} as const;

/** Whether a string can be the value of a header: printable ASCII without spaces. */
export function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

/** Whether a host in the spelling of a URL is this machine: `localhost`, `127.0.0.1`, `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return /^((.*\.)?localhost|\[::1\]|127(\.\d+){3})$/i.test(hostname);
}

/** Parses a URL; undefined if it is invalid. `URL.canParse` of Node.js 20 may reject `é.example` once optimized. */
export function parseUrl(text: string): URL | undefined {
  const url = attempt(() => new URL(text));
  const { hostname = "" } = url ?? {};
  // Since Node.js 24, a host may have a part with xn-- that no name is encoded as.
  const isInvalid = hostname.includes("xn--") && /(?:^|\.)xn--/.test(domainToUnicode(hostname));
  return isInvalid ? undefined : url;
}

/** The end of a base URL that is not part of it: slashes, and the path that the service's documentation includes. */
const END = /(\/developer\/v1(\/(courses|providers))?)?\/*$/i;

/**
 * Parses a base URL: `" https://api.catalog.example/ "` gives `https://api.catalog.example`. No message contains the
 * value, which may contain a password, or be an API key.
 *
 * @param origin where the value comes from, for messages: `CATALOG_BASE_URL`
 * @throws CatalogError of kind `usage`
 */
export function parseBaseUrl(text: string, origin: string): string {
  const url = text.trim().replace(END, "");
  // A URL parser ignores some control characters, but messages would print them.
  const isPlain = /^https?:\/\/[^@?#]+$/i.test(url) && escapeLine(url) === url;
  if (isPlain && parseUrl(url) !== undefined) return url;
  const message = `the base URL from ${origin} must be a complete http or https URL without a user name, query or fragment`;
  throw usageError(message, "For example: https://api.catalog.example");
}

/** Whether two base URLs have the same scheme, host, port and path. */
export function isSameBaseUrl(one: string, other: string): boolean {
  const [first, second] = [one, other].map((url) =>
    attempt(() => parseUrl(parseBaseUrl(url, ""))?.href),
  );
  return first !== undefined && first === second;
}

/**
 * Parses an API key: `" one.secret "` gives `one.secret`. No message contains the value.
 *
 * @param origin where the value comes from, for messages: `CATALOG_API_KEY`
 * @throws CatalogError of kind `usage`
 */
export function parseApiKey(text: string, origin: string): string {
  const key = text.trim();
  if (key === "") throw usageError(`the API key from ${origin} is empty`);
  if (isHeaderValue(key) && !/^["']|["']$/.test(key)) return key;
  const advice = 'Use only the API key, without quotes, spaces or "Bearer".';
  throw usageError(`the API key from ${origin} contains invalid characters`, advice);
}

/** Replaces a secret; shows nothing of the secret, not even its length. */
export const MASK = "********";

/** The API keys of a run, which the service may echo in its messages. */
export class Secrets {
  readonly #keys = new Set<string>();

  /** Masks a key of at least 8 characters from now on: fewer letters may be ordinary text. */
  add(key: string): void {
    if (key.length >= 8) this.#keys.add(key);
  }

  mask(text: string): string {
    // A key may begin with another one.
    const keys = [...this.#keys].sort((one, other) => other.length - one.length);
    const masked = keys.reduce((rest, key) => rest.replaceAll(key, MASK), text);
    // A name may have been cut within a key.
    return masked.includes("…") ? keys.reduce(maskStart, masked) : masked;
  }
}

/** Masks the start of a key before the sign of a cut; fewer than four characters may be the end of a word. */
function maskStart(text: string, key: string): string {
  const starts = Array.from(key.slice(4), (_, index) => key.slice(0, -1 - index));
  return starts.reduce((rest, start) => rest.replaceAll(`${start}…`, `${MASK}…`), text);
}

/**
 * A copy of a value in which all strings and names of fields are masked. Must run before layout, because a string
 * that was cut, wrapped or quoted may no longer contain the key in one piece.
 */
export function maskValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (isList(value)) return value.map((element) => maskValue(element, mask));
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, inner]) => [mask(name), maskValue(inner, mask)]));
}

/**
 * An output that masks secrets in messages, and in which data can neither change the terminal nor give commands to a CI
 * service that reads the log.
 */
export function guardedOutput(output: Output, secrets: Secrets, environment: Environment): Output {
  const isLog = isUnattended(environment);
  const mask = (text: string): string => secrets.mask(text);
  const write: Output["write"] = async (text, kind = "message") => {
    const isUnchanged = kind === "verbatim" || (kind === "lines" && !isLog);
    if (isUnchanged || typeof text !== "string") return await output.write(text);
    await output.write(escapeJson(kind === "message" ? mask(text) : text));
  };
  // All other properties are inherited, because some of them change.
  return Object.assign(Object.create(output), { mask, write });
}
