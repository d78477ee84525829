/** Checks the base URL and the key that a client is created with (README, "As a library"). */
import { usageError } from "../base/errors.ts";
import { isHeaderValue, parseUrl } from "../base/http.ts";

/**
 * The base URL with a slash at its end, without query and fragment.
 *
 * @throws CatalogError of kind `usage`
 */
export function parseServiceUrl(text: string | undefined): URL {
  // JavaScript and an empty variable can leave it out, although the type does not allow it.
  if (text === undefined || text.trim() === "") {
    throw usageError(
      "no base URL is set",
      "Pass baseUrl to new CatalogClient: the service's address.",
    );
  }
  if (text.includes("@")) throw usageError("the base URL contains a user name or password");
  const url = parseUrl(text);
  if (url === undefined) throw usageError(`the base URL is not a valid URL: ${text}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw usageError(`the base URL must start with http:// or https://: ${text}`);
  }
  // A relative path replaces everything after the last slash.
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  url.search = "";
  url.hash = "";
  return url;
}

/** Requires a key that can be sent in a header. @throws CatalogError of kind `usage` */
export function requireKey(apiKey: string | undefined): asserts apiKey is string {
  if (apiKey === undefined || apiKey.trim() === "") {
    throw usageError("no API key is set", "Pass apiKey to new CatalogClient.");
  }
  if (!isHeaderValue(apiKey)) throw usageError("the API key contains invalid characters");
}
