/** Selects and checks the base URL and the key for a run. */
import { CatalogError, usageError } from "../base/errors.ts";
import { isUnencrypted } from "./base-url.ts";
import type { Settings } from "./resolve.ts";

/** The base URL and key of the service. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What is unusual about them, though they may work. */
  readonly warnings: readonly string[];
}

/**
 * The connection that the settings describe.
 *
 * @throws CatalogError of kind `usage` without a usable base URL, `auth` without a key
 */
export function connectionOf(settings: Settings, allowInsecureHttp: boolean): Connection {
  const { baseUrl, apiKey } = settings;
  if (baseUrl === undefined) {
    throw usageError(
      "no base URL is set",
      'Run "catalog login", set CATALOG_BASE_URL, or pass --base-url; "catalog sandbox" starts a local service.',
    );
  }
  requireEncryption(baseUrl.value, allowInsecureHttp);
  if (apiKey === undefined) throw missingKey(settings, baseUrl.value);
  const warnings = [...settings.warnings, ...keyWarnings(apiKey.value)];
  if (apiKey.source === "project config") {
    warnings.push(
      `the API key is in a project file (${apiKey.origin}), which others may read; set CATALOG_API_KEY instead`,
    );
  }
  return { baseUrl: baseUrl.value, apiKey: apiKey.value, warnings };
}

/** The retries of a request that only tests the connection: none unless they were set. */
export function retriesForConnectionTest({ retries }: Settings): number {
  return retries.source === "default" ? 0 : retries.value;
}

/** @throws CatalogError of kind `usage` for a base URL that the key would be sent to unencrypted */
export function requireEncryption(baseUrl: string, allowInsecureHttp: boolean): void {
  if (allowInsecureHttp || !isUnencrypted(baseUrl)) return;
  throw usageError(
    `the base URL ${baseUrl} sends the key unencrypted`,
    "Use https, or pass --insecure-http to allow it.",
  );
}

/** What is unusual about a key that may still work. */
export function keyWarnings(key: string): string[] {
  if (/^[^.]+\.[^.]+$/.test(key)) return [];
  return ["the API key does not have the usual form, two parts joined by one dot"];
}

function missingKey({ withheld }: Settings, baseUrl: string): CatalogError {
  if (withheld === undefined) {
    return new CatalogError("auth", "no API key is set", {
      advice:
        'Run "catalog login", or set CATALOG_API_KEY; create a key in the developer dashboard.',
    });
  }
  const { file, baseUrl: saved } = withheld;
  const rule = saved === undefined ? "was saved without a base URL" : `is only sent to ${saved}`;
  return new CatalogError("auth", `no API key is set for ${baseUrl}; the one in ${file} ${rule}`, {
    advice: `Run "catalog login --base-url ${baseUrl}", or set CATALOG_API_KEY.`,
  });
}
