/** Selects and checks the base URL and the API key of a run. */

import { isLoopback } from "../base/credentials.ts";
import { attemptOrError, CatalogError, usageError } from "../base/errors.ts";
import { quoteShell, truncateJson } from "../base/text.ts";
import { CI_ADVICE, type Settings } from "./resolve.ts";

/** The connection that the settings describe. @throws CatalogError of kind `usage` or `auth` */
export async function connectionOf(
  settings: Settings,
  user: {
    readonly allowInsecureHttp: boolean;
    /** Whether catalog runs in CI. */
    readonly isUnattended: boolean;
    /** Asks a question; where catalog cannot ask, the answer is no. */
    readonly confirm: (question: string) => Promise<boolean>;
  },
): Promise<{ readonly baseUrl: string; readonly apiKey: string }> {
  const { baseUrl, apiKey } = requireAccount(settings, user.isUnattended);
  requireEncryption(baseUrl.value, user.allowInsecureHttp);
  const unconfirmed = settings.unconfirmed();
  const question = `Send the API key from ${apiKey.origin} to ${baseUrl.value}, the base URL in ${unconfirmed}?`;
  if (unconfirmed === undefined || (await user.confirm(question)))
    return { baseUrl: baseUrl.value, apiKey: apiKey.value };
  throw usageError(
    `the API key from ${apiKey.origin} is not sent to ${baseUrl.value}: the base URL is from ${unconfirmed}, which may not be yours`,
    `Set CATALOG_BASE_URL, or pass --base-url. If you trust the file, pass --config ${quoteShell(unconfirmed)}.`,
  );
}

/** The base URL and the key. @throws CatalogError that names both, if both are missing */
function requireAccount(settings: Settings, isUnattended: boolean) {
  const profile = settings.get("profile")?.value;
  const baseUrl = attemptOrError(() => settings.get("baseUrl"));
  const apiKey = attemptOrError(() => settings.get("apiKey"));
  if (baseUrl instanceof CatalogError) {
    // Without a base URL, only a variable says whether there is a key.
    if (!(apiKey instanceof CatalogError)) throw baseUrl;
    const advice = [...new Set([baseUrl.facts.advice, apiKey.facts.advice])].join(" ");
    throw usageError(`${baseUrl.message} and ${apiKey.message}`, advice);
  }
  if (apiKey instanceof CatalogError) throw apiKey;
  const login = `catalog login${profile === undefined ? "" : ` --profile ${quoteShell(profile)}`}`;
  const where = profile === undefined ? "" : ` in the profile ${truncateJson(profile)}`;
  if (baseUrl === undefined) {
    // One run shows all there is to do.
    const [missing, variables] =
      apiKey === undefined
        ? ["no base URL and no API key are set", "CATALOG_BASE_URL and CATALOG_API_KEY"]
        : ["no base URL is set", "CATALOG_BASE_URL"];
    const own = `Run "${login}", or set ${variables}.`;
    const advice = `${own} Without an account, "catalog sandbox" runs the API on your machine.`;
    throw usageError(`${missing}${where}`, isUnattended ? CI_ADVICE : advice);
  }
  if (apiKey === undefined) {
    const unused = settings.unusedKey();
    const own = `Run "${login} --base-url ${baseUrl.value}", or set CATALOG_API_KEY.`;
    const advice = unused
      ? `The API key in ${unused} is not used, because you have saved another one. If you trust the file, pass --config ${quoteShell(unused)}.`
      : own;
    const facts = { advice: isUnattended ? CI_ADVICE : advice };
    throw new CatalogError("auth", `no API key is set for ${baseUrl.value}${where}`, facts);
  }
  return { baseUrl, apiKey };
}

/** Refuses a base URL to which the key would be sent unencrypted. @throws CatalogError of kind `usage` */
export function requireEncryption(baseUrl: string, allowInsecureHttp: boolean): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (allowInsecureHttp || protocol !== "http:" || isLoopback(hostname)) return;
  throw usageError(
    `${baseUrl} would send your API key unencrypted`,
    "Use https://, or pass --insecure-http to allow http://.",
  );
}
