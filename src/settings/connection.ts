/** Selects and checks the base URL and the API key of a run. */
import { CatalogError, usageError } from "../base/errors.ts";
import { isLoopback } from "../base/http.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { listSome, quoteShell } from "../base/text.ts";
import type { Settings } from "./resolve.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A notice if the base URL comes from a project config file. */
  readonly notice: string | undefined;
  /** What is unusual about the base URL and the key, although they may work. */
  readonly warnings: readonly string[];
}

/** The connection that the settings describe. @throws CatalogError of kind `usage` or `auth` */
export function connectionOf(
  settings: Settings,
  allowInsecureHttp: boolean,
  environment: Environment,
): Connection {
  const { addressFile, baseUrl, apiKey, keyVariable, project } = settings;
  if (baseUrl === undefined) {
    throw usageError(
      "no base URL is set, so catalog does not know which service to use",
      `${profileAdvice(settings)}Run "catalog login", set CATALOG_BASE_URL, or pass --base-url. Without an account: "catalog sandbox" runs the API on your machine.`,
    );
  }
  requireEncryption(baseUrl.value, allowInsecureHttp);
  if (apiKey === undefined) throw missingKey(settings, baseUrl.value);
  const warnings = [...settings.warnings, ...keyWarnings(apiKey.value)];
  if (apiKey.source === "project config") {
    warnings.push(
      `the API key is in a project config file (${apiKey.origin}), which others may read; set ${keyVariable} instead`,
    );
  }
  const isFound = addressFile !== undefined && project?.source === "default";
  if (isFound && apiKey.source === "environment" && isUnattended(environment)) {
    throw usageError(
      `in CI, catalog does not send the key from ${apiKey.origin} to the base URL in ${addressFile}, which a pull request could change`,
      `Set CATALOG_BASE_URL, or pass --base-url. If you trust the file, pass --config ${addressFile}.`,
    );
  }
  const isWhollyProjects = addressFile === undefined || apiKey.source === "project config";
  const notice = isWhollyProjects ? undefined : `base URL from ${addressFile}: ${baseUrl.value}`;
  return { baseUrl: baseUrl.value, apiKey: apiKey.value, notice, warnings };
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

/** Warnings about a key of an unusual form, which may still work. */
export function keyWarnings(key: string): string[] {
  if (/^[^.]+\.[^.]+$/.test(key)) return [];
  return ["the API key has an unusual form: most keys are two parts joined by one dot"];
}

function profileAdvice({ profile, profiles }: Settings): string {
  if (profile !== undefined || profiles.length === 0) return "";
  const names = listSome(profiles.map((name) => JSON.stringify(name)));
  const [only = ""] = profiles;
  return profiles.length === 1
    ? `To use the profile ${names}, pass --profile ${quoteShell(only)}. `
    : `To use one of the profiles ${names}, pass --profile <name>. `;
}

/**
 * Whether `init` may connect, which the user has not asked for. It does not connect to a base URL from a project
 * config file, unless the user has saved a key for that base URL.
 */
export function mayConnectUnasked({ addressFile, apiKey }: Settings): boolean {
  return addressFile === undefined || apiKey?.source === "user config";
}

function missingKey(settings: Settings, baseUrl: string): CatalogError {
  const { keyVariable, withheld } = settings;
  if (withheld === undefined) {
    return new CatalogError("auth", "no API key is set", {
      advice: `${profileAdvice(settings)}Run "catalog login", or set ${keyVariable}. You can create a key in the developer dashboard.`,
    });
  }
  const { file, baseUrl: saved } = withheld;
  const rule = saved === undefined ? "was saved without a base URL" : `is only sent to ${saved}`;
  return new CatalogError("auth", `no API key is set for ${baseUrl}; the key in ${file} ${rule}`, {
    advice: `Run "catalog login --base-url ${baseUrl}", or set ${keyVariable}.`,
  });
}
