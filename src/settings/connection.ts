/** Selects and checks the base URL and the API key of a run. */
import { CatalogError, usageError } from "../base/errors.ts";
import { isLoopback } from "../base/http.ts";
import { listSome, quoteShell } from "../base/text.ts";
import type { Settings } from "./resolve.ts";
import { SETTINGS } from "./table.ts";

interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * The connection that the settings describe.
 *
 * @param confirm asks a question; undefined where catalog cannot ask
 * @throws CatalogError of kind `usage` or `auth`
 */
export async function connectionOf(
  settings: Settings,
  allowInsecureHttp: boolean,
  confirm: ((question: string) => Promise<boolean>) | undefined,
): Promise<Connection> {
  const { baseUrl, apiKey, unconfirmed } = settings;
  if (baseUrl === undefined) {
    const isBare = apiKey === undefined;
    throw usageError(
      `no base URL ${isBare ? "and no API key are" : "is"} set, so catalog does not know which service to use`,
      `${profileAdvice(settings)}Run "catalog login", ${isBare ? "or set CATALOG_BASE_URL and CATALOG_API_KEY" : "set CATALOG_BASE_URL, or pass --base-url"}. Without an account: "catalog sandbox" runs the API on your machine.`,
    );
  }
  requireEncryption(baseUrl.value, allowInsecureHttp);
  if (apiKey === undefined) throw missingKey(settings, baseUrl.value);
  const found = { baseUrl: baseUrl.value, apiKey: apiKey.value };
  if (unconfirmed === undefined) return found;
  const question = `Send the key from ${apiKey.origin} to ${baseUrl.value}, the base URL in ${unconfirmed}?`;
  if ((await confirm?.(question)) === true) return found;
  throw usageError(
    `the key from ${apiKey.origin} is not sent to ${baseUrl.value}: the base URL is from ${unconfirmed}, which may not be yours`,
    `Set CATALOG_BASE_URL, or pass --base-url. If you trust the file, pass --config ${quoteShell(unconfirmed)}.`,
  );
}

/** The retries of a request that only tests the connection: the setting, or 0 by default, so that a failure shows at once. */
export function retriesForConnectionTest({ retries }: Settings): number {
  return retries.source === "default" ? 0 : retries.value;
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

function profileAdvice({ profile, profiles }: Settings): string {
  if (profile !== undefined || profiles.length === 0) return "";
  const names = listSome(profiles.map((name) => JSON.stringify(name)));
  const [only = ""] = profiles;
  return profiles.length === 1
    ? `To use the profile ${names}, pass --profile ${quoteShell(only)}. `
    : `To use one of the profiles ${names}, pass --profile <name>. `;
}

function missingKey(settings: Settings, baseUrl: string): CatalogError {
  const { variable } = SETTINGS.apiKey;
  const { withheld } = settings;
  if (withheld === undefined) {
    return new CatalogError("auth", "no API key is set", {
      advice: `${profileAdvice(settings)}Run "catalog login", or set ${variable}.`,
    });
  }
  const { file, baseUrl: saved } = withheld;
  const rule = saved === undefined ? "has no base URL with it" : `is only sent to ${saved}`;
  return new CatalogError("auth", `no API key is set for ${baseUrl}; the key in ${file} ${rule}`, {
    advice: `Run "catalog login --base-url ${baseUrl}", or set ${variable}.`,
  });
}
