/** Selects and checks the base URL and the API key of a run. */
import { CatalogError, usageError } from "../base/errors.ts";
import { isLoopback } from "../base/http.ts";
import { quoteShell } from "../base/text.ts";
import { CI_ADVICE, type Settings } from "./resolve.ts";

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
  const { baseUrl, apiKey, unconfirmed } = settings;
  if (!baseUrl || !apiKey) throw missingError(settings, isUnattended);
  requireEncryption(baseUrl.value, allowInsecureHttp);
  const found = { baseUrl: baseUrl.value, apiKey: apiKey.value };
  if (unconfirmed === undefined) return found;
  const question = `Send the key from ${apiKey.origin} to ${baseUrl.value}, the base URL in ${unconfirmed}?`;
  if (await confirm(question)) return found;
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

/** The error of a missing base URL or key. It names both, so that one run shows all there is to do. */
function missingError({ baseUrl, apiKey }: Settings, isUnattended: boolean): CatalogError {
  const service = baseUrl?.value;
  const key = service === undefined ? "no API key is set" : `no API key is set for ${service}`;
  const url = apiKey === undefined ? `no base URL is set and ${key}` : "no base URL is set";
  const ways =
    service === undefined
      ? 'Run "catalog login", or set CATALOG_BASE_URL and CATALOG_API_KEY. Without an account, "catalog sandbox" runs the API on your machine.'
      : `Run "catalog login --base-url ${service}", or set CATALOG_API_KEY.`;
  const advice = isUnattended ? CI_ADVICE : ways;
  return service === undefined
    ? new CatalogError("usage", url, { advice })
    : new CatalogError("auth", key, { advice });
}
