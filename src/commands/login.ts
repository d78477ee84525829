/** `catalog login`: saves an API key together with its base URL. */

import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import { isSameBaseUrl } from "../base/secrets.ts";
import { escapeLine, listSome, pluralize, truncate } from "../base/text.ts";
import { DRY_RUN_FLAG } from "../cli/arguments.ts";
import { ask, canAsk } from "../cli/ask.ts";
import { command, SERVICE_EXITS } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { showWork } from "../cli/work.ts";
import type { CatalogClient } from "../service/client.ts";
import { requireEncryption, retriesForConnectionTest } from "../settings/connection.ts";
import { resolveSettings, type Settings } from "../settings/resolve.ts";
import { type Credentials, saveCredentials } from "../settings/saved-key.ts";
import { SETTINGS } from "../settings/table.ts";

/** Sends GET providers, to test the API key before it is saved. */
export const login = command({
  description:
    "Asks for the base URL and your API key, tests both, and saves them where only you can read them. You " +
    "get both from the operator of the catalog. catalog sends the saved key only to that base URL. To use several " +
    "services or accounts, save each in a profile with --profile <name>.",
  flags: [
    { name: "with-key", description: "read the API key from standard input; do not ask" },
    DRY_RUN_FLAG,
  ],
  examples: {
    "Log in at a terminal": "catalog login",
    "Log in from a script":
      "printenv KEY | catalog login --with-key --base-url https://api.catalog.example",
    "Save a second service in a profile": "catalog login --profile test",
  },
  exits: SERVICE_EXITS,
  parse: ({ values }) => values,
  run: logIn,
});

async function logIn(
  { withKey, dryRun }: { readonly withKey: boolean; readonly dryRun: boolean },
  context: Context,
): Promise<void> {
  const { messages, settingSources, uid, io, environment } = context;
  if (withKey ? io.in.isTerminal : !canAsk(context)) {
    throw usageError(
      withKey
        ? "--with-key reads the API key from standard input, which is a terminal"
        : "cannot ask for the API key without a terminal",
      "Pipe the key in. For example: printenv KEY | catalog login --with-key",
    );
  }
  const settings = await resolveSettings(settingSources, "save");
  const path = settings.userFile;
  if (path === undefined) {
    throw new CatalogError("output", "there is no folder for your user config file", {
      advice: "Set XDG_CONFIG_HOME or HOME to a writable folder.",
    });
  }
  const credentials = await (withKey ? readCredentials : askCredentials)(settings, context);
  const { baseUrl } = credentials;
  const retries = retriesForConnectionTest(settings);
  const client = await context.connect({ ...credentials, settings, retries });
  const providers = await testConnection(client, context);

  const profile = settings.profile?.value;
  const before = await saveCredentials({ path, uid, profile, dryRun }, credentials);
  const where = profile === undefined ? "" : ` as profile ${JSON.stringify(profile)}`;
  const saved = `${dryRun ? "Would save" : "Saved"} the key in ${path}${where}.`;
  await messages.info(dryRun ? saved : `Logged in to ${baseUrl}. ${saved}`);
  if (typeof before.baseUrl === "string" && !isSameBaseUrl(before.baseUrl, baseUrl)) {
    const replaces = dryRun ? "Would replace" : "Replaced";
    await messages.info(`${replaces} the saved key for ${before.baseUrl}.`);
  }
  const names = listSome(providers.map(({ name }) => escapeLine(truncate(name))));
  const access = `You can publish for ${pluralize(providers.length, "provider")}: ${names}.`;
  await messages.info(providers.length > 0 ? access : NO_PROVIDERS);
  const { [SETTINGS.baseUrl.variable]: url, [SETTINGS.apiKey.variable]: key } = environment;
  const isOtherUrl = url !== undefined && !isSameBaseUrl(url, baseUrl);
  const isOtherKey = key !== undefined && key.trim() !== credentials.apiKey;
  if (isOtherUrl || isOtherKey) {
    const { variable } = isOtherUrl ? SETTINGS.baseUrl : SETTINGS.apiKey;
    await messages.warn(`${variable} is set, and overrides what was saved`);
  }
}

const NO_PROVIDERS =
  "You have no providers yet. Add one in the developer dashboard before you push.";

async function testConnection(client: CatalogClient, context: Context) {
  try {
    return await showWork("Testing your API key", context, () => client.providers());
  } catch (error) {
    if (!(error instanceof CatalogError) || error.kind === "interrupted") throw error;
    const advice = "Nothing was saved. Check the base URL and the API key, then try again.";
    throw error.with({ advice });
  }
}

/** Takes the base URL from the settings, and reads the API key from standard input. @throws CatalogError of kind `usage` */
async function readCredentials(
  { baseUrl }: Settings,
  { io, options }: Context,
): Promise<Credentials> {
  if (baseUrl === undefined) {
    throw usageError(
      "no base URL is set, so catalog does not know for which service the key is",
      "Pass --base-url <url>, or set CATALOG_BASE_URL. login reads no config file of a project.",
    );
  }
  requireEncryption(baseUrl.value, options.insecureHttp);
  const bytes = await readAll(io.in.stream, MAX_KEY_SIZE);
  if (bytes === undefined) throw usageError("standard input is too long for an API key");
  const apiKey = SETTINGS.apiKey.parse(bytes.toString(), "standard input");
  return { baseUrl: baseUrl.value, apiKey };
}

/** The longest standard input that may be a key, in bytes. */
const MAX_KEY_SIZE = 64 * 1024;

/** Asks for the API key, and for the base URL unless a flag gives it. */
async function askCredentials(settings: Settings, context: Context): Promise<Credentials> {
  const usual = settings.baseUrl?.value;
  const parseUrl = (answer: string): string => {
    const baseUrl = SETTINGS.baseUrl.parse(answer, "your answer");
    requireEncryption(baseUrl, context.options.insecureHttp);
    return baseUrl;
  };
  const parseKey = (answer: string): string => SETTINGS.apiKey.parse(answer, "your answer");
  const isGiven = settings.baseUrl?.source === "flag";
  // Loaded before the first question, so that the terminal shows no key that is typed early.
  await import("@inquirer/password");
  const url = { message: "Base URL:", usual, validate: problemWith(parseUrl) };
  const baseUrl = parseUrl(isGiven && usual !== undefined ? usual : await ask(url, context));
  const key = { message: "API key:", isSecret: true, validate: problemWith(parseKey) };
  // A key that is typed before the next question must not be shown.
  context.io.in.stream.setRawMode?.(true);
  return { baseUrl, apiKey: parseKey(await ask(key, context)) };
}

function problemWith(parse: (answer: string) => string): (answer: string) => string | true {
  return (answer) => {
    try {
      parse(answer);
      return true;
    } catch (error) {
      return asCatalogError(error).message;
    }
  };
}
