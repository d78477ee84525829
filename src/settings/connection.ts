/** Selects and checks the base URL and the API key of a run. */
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { isLoopback } from "../base/http.ts";
import { joinList, quoteShell } from "../base/text.ts";
import { CI_CAUSES, type Resolved, type Settings } from "./resolve.ts";
import { SETTINGS } from "./table.ts";

interface ConnectionOptions {
  readonly allowInsecureHttp: boolean;
  /** Whether catalog runs in CI. */
  readonly isUnattended: boolean;
  /** Asks a question; undefined where catalog cannot ask. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

/** The connection that the settings describe. @throws CatalogError of kind `usage` or `auth` */
export async function connectionOf(
  settings: Settings,
  { allowInsecureHttp, isUnattended, confirm }: ConnectionOptions,
): Promise<{ readonly baseUrl: string; readonly apiKey: string }> {
  const { baseUrl, apiKey, unconfirmed } = settings;
  const missing = NEEDED.filter((name) => currentValue(settings[name]) === undefined);
  if (baseUrl === undefined || apiKey === undefined || missing.length > 0) {
    throw missingError(settings, missing, isUnattended);
  }
  requireEncryption(baseUrl.value, allowInsecureHttp);
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

const NEEDED = ["baseUrl", "apiKey"] as const;

/** The value of a setting; undefined if it is not set, or if its variable is set but empty. */
function currentValue(setting: Resolved<string> | undefined): string | undefined {
  return attempt(() => setting?.value);
}

/** @param missing which of them is missing; the error names both, so that one run shows all there is to do */
function missingError(
  settings: Settings,
  missing: readonly (typeof NEEDED)[number][],
  isUnattended: boolean,
): CatalogError {
  const { withheld } = settings;
  const baseUrl = currentValue(settings.baseUrl);
  if (withheld !== undefined && baseUrl !== undefined) {
    const problem = `no API key is set for ${baseUrl}: the key in ${withheld} was not saved with it`;
    const advice = `Run "catalog login --base-url ${baseUrl}", or set ${SETTINGS.apiKey.variable}.`;
    return new CatalogError("auth", problem, { advice });
  }
  const problems = missing.map((name) => {
    if (settings[name] !== undefined) return `${SETTINGS[name].variable} is set but empty`;
    return name === "baseUrl" ? "no base URL is set" : "no API key is set";
  });
  const variables = joinList(
    missing.map((name) => SETTINGS[name].variable),
    "and",
  );
  const isEmpty = missing.some((name) => settings[name] !== undefined);
  const login = isEmpty
    ? `Set or unset ${variables}.`
    : `Run "catalog login", or set ${variables}.`;
  const sandbox =
    baseUrl === undefined
      ? ' Without an account, "catalog sandbox" runs the API on your machine.'
      : "";
  const advice = isUnattended
    ? `Set CATALOG_BASE_URL and CATALOG_API_KEY. ${CI_CAUSES}`
    : login + sandbox;
  const kind = baseUrl === undefined ? "usage" : "auth";
  return new CatalogError(kind, joinList(problems, "and"), { advice });
}
