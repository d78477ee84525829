/** Checks API keys and base URLs, and masks keys in text for people, but never in data. */

import { usageError } from "./errors.ts";
import { isHeaderValue, parseUrl } from "./http.ts";
import type { Output } from "./io.ts";
import { type Environment, isUnattended } from "./process.ts";
import { escapeJson, escapeLine } from "./text.ts";
import { isList, isObject } from "./values.ts";

/** The start of every path of the service, which the service's documentation includes in its URLs. */
const API_PATH = /\/developer\/v1(\/(courses|providers))?$/i;

/**
 * Parses a base URL: `" https://api.catalog.example/ "` gives `https://api.catalog.example`.
 *
 * @param origin where the value comes from, for messages: `CATALOG_BASE_URL`
 * @throws CatalogError of kind `usage`
 */
export function parseBaseUrl(text: string, origin: string): string {
  const trimmed = text.trim().replace(/\/+$/, "");
  const invalid = (problem: string, advice?: string) =>
    usageError(`the base URL from ${origin} ${problem}`, advice);
  if (trimmed === "") throw invalid("is empty");
  // Text before an @ may be a password, and is not shown.
  if (trimmed.includes("@")) throw invalid("must not contain a user name or password");
  // Other text may be an API key, and is not shown either.
  if (!/^https?:/i.test(trimmed)) {
    throw invalid("must be a complete URL, such as https://api.catalog.example");
  }
  const url = parseUrl(trimmed);
  // A URL parser ignores some control characters, but messages would print them.
  const isPlain = url !== undefined && escapeLine(trimmed) === trimmed;
  if (!isPlain || url.search !== "" || url.hash !== "") {
    const shown = JSON.stringify(trimmed);
    throw invalid(`must be a valid URL without a query and a fragment, not ${shown}`);
  }
  if (!API_PATH.test(trimmed)) return trimmed;
  const advice = `Use ${trimmed.replace(API_PATH, "")} instead.`;
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
  throw invalid("contains invalid characters", "Use only the key, without spaces.");
}

/** Replaces a secret; shows nothing of the secret, not even its length. */
export const MASK = "********";

/** Shorter keys are not masked, because the same letters may be ordinary text. */
const SHORTEST_KEY = 8;

/** The API keys of a run, which the service may echo in its messages. */
export class Secrets {
  readonly #keys = new Set<string>();

  /** Masks a key from now on. */
  add(key: string): void {
    if (key.length >= SHORTEST_KEY) this.#keys.add(key);
  }

  mask(text: string): string {
    return [...this.#keys].reduce((rest, key) => rest.replaceAll(key, MASK), text);
  }
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
  return {
    get stream() {
      return output.stream;
    },
    get isTerminal() {
      return output.isTerminal;
    },
    get columns() {
      return output.columns;
    },
    get closed() {
      return output.closed;
    },
    mask,
    write: (text, kind = "message") => {
      const isUnchanged = kind === "verbatim" || (kind === "lines" && !isLog);
      if (isUnchanged || typeof text !== "string") return output.write(text);
      return output.write(escapeJson(kind === "message" ? mask(text) : text));
    },
  };
}
