/** Selects and checks the base URL and the API key of a run. */
import { CatalogError, usageError } from "../base/errors.ts";
import { isLoopback } from "../base/http.ts";
import { joinList, quoteShell } from "../base/text.ts";
import { CI_CAUSES, type Settings } from "./resolve.ts";
import { SETTINGS } from "./table.ts";

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
  if (!baseUrl || !apiKey || baseUrl.isEmpty || apiKey.isEmpty) {
    throw missingError(settings, isUnattended);
  }
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
  const service = baseUrl === undefined || baseUrl.isEmpty ? undefined : baseUrl.value;
  const missing = [
    { none: "no base URL is set", setting: baseUrl, ...SETTINGS.baseUrl },
    {
      none: `no API key is set${service === undefined ? "" : ` for ${service}`}`,
      setting: apiKey,
      ...SETTINGS.apiKey,
    },
  ].filter(({ setting }) => setting === undefined || setting.isEmpty);
  const problems = missing.map(({ none, variable, setting }) =>
    setting === undefined ? none : `${variable} is set but empty`,
  );
  const isEmpty = missing.some(({ setting }) => setting !== undefined);
  const login = `Run "catalog login${service === undefined ? "" : ` --base-url ${service}`}", or set`;
  const variables = joinList(
    missing.map(({ variable }) => variable),
    "and",
  );
  const sandbox = 'Without an account, "catalog sandbox" runs the API on your machine.';
  const ways = [`${isEmpty ? "Set or unset" : login} ${variables}.`, service ? "" : sandbox];
  const advice = isUnattended
    ? `Set CATALOG_BASE_URL and CATALOG_API_KEY. ${CI_CAUSES}`
    : ways.join(" ").trim();
  return new CatalogError(service === undefined ? "usage" : "auth", joinList(problems, "and"), {
    advice,
  });
}
