/** Selects and checks the base URL and the API key of a run. */

import { isLoopback } from "../base/credentials.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { quoteShell } from "../base/text.ts";
import { CI_ADVICE, type Settings } from "./resolve.ts";

const NO_SERVICE =
  'Run "catalog login", or set CATALOG_BASE_URL and CATALOG_API_KEY. Without an account, "catalog sandbox" runs the API on your machine.';

interface ConnectionOptions {
  readonly allowInsecureHttp: boolean;
  /** Whether catalog runs in CI. */
  readonly isUnattended: boolean;
  /** Asks a question; where catalog cannot ask, the answer is no. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/** The connection that the settings describe. @throws CatalogError of kind `usage` or `auth` */
export async function connectionOf(
  settings: Settings,
  { allowInsecureHttp, isUnattended, confirm }: ConnectionOptions,
): Promise<{ readonly baseUrl: string; readonly apiKey: string }> {
  const [baseUrl, apiKey] = [settings.get("baseUrl"), settings.get("apiKey")];
  if (baseUrl === undefined) {
    // One run shows all there is to do.
    const key = apiKey === undefined ? " and no API key is set" : "";
    throw usageError(`no base URL is set${key}`, isUnattended ? CI_ADVICE : NO_SERVICE);
  }
  if (apiKey === undefined) {
    const advice = `Run "catalog login --base-url ${baseUrl.value}", or set CATALOG_API_KEY.`;
    const facts = { advice: isUnattended ? CI_ADVICE : advice };
    throw new CatalogError("auth", `no API key is set for ${baseUrl.value}`, facts);
  }
  requireEncryption(baseUrl.value, allowInsecureHttp);
  const unconfirmed = settings.unconfirmed();
  const question = `Send the key from ${apiKey.origin} to ${baseUrl.value}, the base URL in ${unconfirmed}?`;
  if (unconfirmed === undefined || (await confirm(question)))
    return { baseUrl: baseUrl.value, apiKey: apiKey.value };
  throw usageError(
    `the key from ${apiKey.origin} is not sent to ${baseUrl.value}: the base URL is from ${unconfirmed}, which may not be yours`,
    `Set CATALOG_BASE_URL, or pass --base-url. If you trust the file, pass --config ${quoteShell(unconfirmed)}.`,
  );
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
