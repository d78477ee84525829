/** Selects and checks the base URL and the key for a run. */
import { CatalogError, usageError } from "../base/errors.ts";
import { isLoopback } from "../base/http.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { listSome } from "../base/text.ts";
import type { Settings } from "./resolve.ts";

/** The base URL and key of the service. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The line about a base URL that a project decides, if it does. */
  readonly notice: string | undefined;
  /** What is unusual about them, though they may work. */
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
      "no base URL is set",
      `${profileAdvice(settings)}Run "catalog login", set CATALOG_BASE_URL, or pass --base-url; "catalog sandbox" starts a local service.`,
    );
  }
  requireEncryption(baseUrl.value, allowInsecureHttp);
  if (apiKey === undefined) throw missingKey(settings, baseUrl.value);
  const warnings = [...settings.warnings, ...keyWarnings(apiKey.value)];
  if (apiKey.source === "project config") {
    warnings.push(
      `the API key is in a project file (${apiKey.origin}), which others may read; set ${keyVariable} instead`,
    );
  }
  const isFound = addressFile !== undefined && project?.source === "default";
  if (isFound && apiKey.source === "environment" && isUnattended(environment)) {
    throw usageError(
      `in CI, the key from ${apiKey.origin} is not sent to the base URL that ${addressFile} chooses`,
      `Set CATALOG_BASE_URL or pass --base-url; or, if you trust the file, pass --config ${addressFile}.`,
    );
  }
  const isWhollyProjects = addressFile === undefined || apiKey.source === "project config";
  const notice = isWhollyProjects ? undefined : `base URL from ${addressFile}: ${baseUrl.value}`;
  return { baseUrl: baseUrl.value, apiKey: apiKey.value, notice, warnings };
}

/** The retries of a request that only tests the connection: none unless they were set. */
export function retriesForConnectionTest({ retries }: Settings): number {
  return retries.source === "default" ? 0 : retries.value;
}

/** @throws CatalogError of kind `usage` for a base URL that the key would be sent to unencrypted */
export function requireEncryption(baseUrl: string, allowInsecureHttp: boolean): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (allowInsecureHttp || protocol !== "http:" || isLoopback(hostname)) return;
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

/** Names the profiles if none is selected; empty otherwise. */
function profileAdvice({ profile, profiles }: Settings): string {
  if (profile !== undefined || profiles.length === 0) return "";
  const names = listSome(profiles.map((name) => JSON.stringify(name)));
  const [subject, verb] = profiles.length === 1 ? ["The profile", "is"] : ["The profiles", "are"];
  return `${subject} ${names} ${verb} not selected; pass --profile <name> to use one. `;
}

/**
 * Whether a command may connect without being asked to, as completion and `init` do: a project's address
 * then gets only a key that was saved for it, and nothing from who has none.
 */
export function mayConnectUnasked({ addressFile, apiKey }: Settings): boolean {
  return addressFile === undefined || apiKey?.source === "user config";
}

function missingKey(settings: Settings, baseUrl: string): CatalogError {
  const { keyVariable, withheld } = settings;
  if (withheld === undefined) {
    return new CatalogError("auth", "no API key is set", {
      advice: `${profileAdvice(settings)}Run "catalog login", or set ${keyVariable}; create a key in the developer dashboard.`,
    });
  }
  const { file, baseUrl: saved } = withheld;
  const rule = saved === undefined ? "was saved without a base URL" : `is only sent to ${saved}`;
  return new CatalogError("auth", `no API key is set for ${baseUrl}; the one in ${file} ${rule}`, {
    advice: `Run "catalog login --base-url ${baseUrl}", or set ${keyVariable}.`,
  });
}
