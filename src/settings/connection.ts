/** The address and the key that a run talks with (cli.md section 5). */
import { CatalogError, usageError } from "../base/errors.ts";
import { isExposed } from "./address.ts";
import type { Settings } from "./resolve.ts";

/** The address and key of the service, checked for the mistakes that cost a key or a course. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What is odd about them, though they work. */
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
      'Run "catalog login", set CATALOG_BASE_URL, or pass --base-url; "catalog sandbox" serves one to try.',
    );
  }
  requireSafe(baseUrl.value, allowInsecureHttp);
  if (apiKey === undefined) throw noKey(settings, baseUrl.value);
  const warnings = [...settings.warnings, ...keyWarnings(apiKey.value)];
  if (apiKey.source === "project config") {
    warnings.push(
      `the API key stands in a project file (${apiKey.origin}), where others may read it; CATALOG_API_KEY keeps it out`,
    );
  }
  return { baseUrl: baseUrl.value, apiKey: apiKey.value, warnings };
}

/** How often a request that only tests the connection is repeated: as somebody said, else not. */
export function testRetries({ retries }: Settings): number {
  return retries.source === "default" ? 0 : retries.value;
}

/** Refuses an address to which the key would go unencrypted. @throws CatalogError of kind `usage` */
export function requireSafe(baseUrl: string, allowInsecureHttp: boolean): void {
  if (allowInsecureHttp || !isExposed(baseUrl)) return;
  throw usageError(
    `the base URL ${baseUrl} sends the key unencrypted`,
    "Use https, or pass --insecure-http if you mean it.",
  );
}

/** What is odd about a key that may work all the same. */
export function keyWarnings(key: string): string[] {
  if (/^[^.]+\.[^.]+$/.test(key)) return [];
  return ["the API key does not have the usual form, two parts joined by one dot"];
}

function noKey({ withheld }: Settings, baseUrl: string): CatalogError {
  if (withheld === undefined) {
    return new CatalogError("auth", "no API key is set", {
      advice:
        'Run "catalog login", or set CATALOG_API_KEY; your key comes from the developer dashboard.',
    });
  }
  const own = withheld.baseUrl === undefined ? "names no base URL" : `is for ${withheld.baseUrl}`;
  return new CatalogError(
    "auth",
    `no API key is set for ${baseUrl}; the one in ${withheld.file} ${own}, and is sent to no other`,
    { advice: `Run "catalog login --base-url ${baseUrl}", or set CATALOG_API_KEY.` },
  );
}
