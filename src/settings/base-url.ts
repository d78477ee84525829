/** Parses and compares base URLs. */
import { usageError } from "../base/errors.ts";
import { isLoopback, parseUrl } from "../base/http.ts";
import { escapeLine } from "../base/text.ts";
import { quoted } from "./quote.ts";

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
  if (url === undefined) throw invalid(`is not a valid URL${quoted(trimmed)}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw invalid(`must be an http or https URL${quoted(trimmed)}`);
  }
  if (url.search !== "" || url.hash !== "") throw invalid("must not have a query or fragment");
  // A URL parser ignores some of them, but messages would print them.
  if (escapeLine(trimmed) !== trimmed) throw invalid("must not contain control characters");
  const baseUrl = trimmed.replace(/\/+$/, "");
  if (!API_PATH.test(baseUrl)) return baseUrl;
  throw usageError(
    `the base URL from ${origin} ends with /developer/v1, which the command adds itself`,
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

/** Whether requests to a base URL carry the key unencrypted to another machine. */
export function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}
