/** Reads the service's base address, below which the paths of api.md are. */
import { usageError } from "../base/errors.ts";
import { parseUrl } from "../base/http.ts";

/**
 * The address with a slash at its end, without query and fragment.
 *
 * @throws CatalogError of kind `usage` for a text that is no http or https address, or holds a password
 */
export function baseAddress(text: string): URL {
  if (text.includes("@")) throw usageError("the base URL holds a user name or password");
  const url = parseUrl(text);
  if (url === undefined) throw usageError(`the base URL is not a URL: ${text}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw usageError(`the base URL is not an http or https URL: ${text}`);
  }
  // A relative path replaces everything after the last slash.
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  url.search = "";
  url.hash = "";
  return url;
}
