/** `catalog login` and `catalog logout`: save an API key together with its base URL, and remove both. */

import { isSameBaseUrl } from "../base/credentials.ts";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import { escapeLine, listSome, pluralize, truncate } from "../base/text.ts";
import { DRY_RUN_FLAG } from "../cli/arguments.ts";
import { askSecret, askText, canAsk } from "../cli/ask.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { SERVICE_EXITS } from "../cli/exit-codes.ts";
import { showWork } from "../cli/work.ts";
import type { Provider } from "../course/provider.ts";
import type { CatalogClient } from "../service/client.ts";
import { requireEncryption, retriesForConnectionTest } from "../settings/connection.ts";
import { resolveSettings, type Settings } from "../settings/resolve.ts";
import { SETTINGS } from "../settings/table.ts";
import { type Credentials, removeCredentials, saveCredentials } from "../settings/user-config.ts";

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
  examples: [
    { description: "Log in at a terminal", line: "catalog login" },
    {
      description: "Log in from a script",
      line: "printenv KEY | catalog login --with-key --base-url https://api.catalog.example",
    },
    { description: "Save a second service in a profile", line: "catalog login --profile test" },
  ],
  exits: SERVICE_EXITS,
  parse: ({ values }) => values,
  run: logIn,
});

async function logIn(
  { withKey, dryRun }: { readonly withKey: boolean; readonly dryRun: boolean },
  context: Context,
): Promise<void> {
  const { messages, settingSources, uid } = context;
  if (!withKey && !canAsk(context)) {
    throw usageError(
      "cannot ask for the API key without a terminal",
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
  const credentials = withKey
    ? await credentialsFromInput(settings, context)
    : await credentialsFromAnswers(settings, context);
  const { baseUrl } = credentials;
  const retries = retriesForConnectionTest(settings);
  const client = await context.connect({ ...credentials, settings, retries });
  const providers = await testConnection(client, context);

  const profile = settings.profile?.value;
  const replaced = await saveCredentials({ path, uid, profile, dryRun }, credentials);
  const where = profile === undefined ? "" : ` as profile ${JSON.stringify(profile)}`;
  const saved = `${dryRun ? "Would save" : "Saved"} the key in ${path}${where}.`;
  await messages.info(dryRun ? saved : `Logged in to ${baseUrl}. ${saved}`);
  if (replaced !== undefined) {
    const replaces = dryRun ? "Would replace" : "Replaced";
    await messages.info(`${replaces} the saved key for ${replaced}.`);
  }
  await messages.info(describeAccess(providers));
  await warnIfOverridden(credentials, settings, context);
}

async function testConnection(client: CatalogClient, context: Context) {
  try {
    return await showWork("Testing your API key", context, () => client.providers());
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const advice = "Nothing was saved. Check the base URL and the API key, then try again.";
    throw error.kind === "interrupted" ? error : error.with({ advice });
  }
}

function describeAccess(providers: readonly Provider[]): string {
  if (providers.length === 0) {
    return "You have no providers yet. Add one in the developer dashboard before you push.";
  }
  const listed = listSome(providers.map(({ name }) => escapeLine(truncate(name))));
  return `You can publish for ${pluralize(providers.length, "provider")}: ${listed}.`;
}

/** Warns if variables override the saved base URL or key. */
async function warnIfOverridden(
  saved: Credentials,
  { apiKey }: Settings,
  { environment, messages }: Context,
): Promise<void> {
  const { variable } = SETTINGS.baseUrl;
  const baseUrl = environment[variable];
  if (baseUrl !== undefined && !isSameBaseUrl(baseUrl, saved.baseUrl)) {
    await messages.warn(`${variable} is set; catalog does not send the saved key there`);
  } else if (apiKey?.source === "environment" && attempt(() => apiKey.value) !== saved.apiKey) {
    await messages.warn(`${apiKey.origin} is set, and overrides the saved key`);
  }
}

/** Takes the base URL from the settings, and reads the API key from standard input. @throws CatalogError of kind `usage` */
async function credentialsFromInput({ baseUrl }: Settings, context: Context): Promise<Credentials> {
  if (baseUrl === undefined) {
    throw usageError(
      "no base URL is set, so catalog does not know for which service the key is",
      "Pass --base-url <url>, or set CATALOG_BASE_URL. login reads no config file of a project.",
    );
  }
  requireEncryption(baseUrl.value, context.options.insecureHttp);
  return { baseUrl: baseUrl.value, apiKey: await readKey(context) };
}

/** Asks for the API key, and for the base URL unless a flag gives it. */
async function credentialsFromAnswers(settings: Settings, context: Context): Promise<Credentials> {
  const baseUrl = await askBaseUrl(settings, context);
  const parse = (answer: string): string => SETTINGS.apiKey.parse(answer, "your answer");
  const answer = await askSecret("API key:", problemWith(parse), context);
  return { baseUrl, apiKey: parse(answer) };
}

async function askBaseUrl(settings: Settings, context: Context): Promise<string> {
  const { settingSources, options } = context;
  const usual = settings.baseUrl?.value;
  const parse = (answer: string): string => {
    const baseUrl = SETTINGS.baseUrl.parse(answer, "your answer");
    requireEncryption(baseUrl, options.insecureHttp);
    return baseUrl;
  };
  if (settingSources.flags.baseUrl !== undefined && usual !== undefined) return parse(usual);
  const question = { message: "Base URL:", usual };
  return parse(await askText(question, problemWith(parse), context));
}

function problemWith(parse: (answer: string) => string): (answer: string) => string | true {
  return (answer) => {
    try {
      parse(answer);
      return true;
    } catch (error) {
      if (error instanceof CatalogError) return error.message;
      throw error;
    }
  };
}

/** The longest standard input that may be a key, in bytes. */
const MAXIMUM_KEY_SIZE = 64 * 1024;

async function readKey({ io }: Context): Promise<string> {
  if (io.in.isTerminal) {
    throw usageError(
      "--with-key reads the API key from standard input, which is a terminal",
      "Omit --with-key to be asked for the key, or pipe the key in. For example: printenv KEY | catalog login --with-key",
    );
  }
  const bytes = await readAll(io.in.stream, MAXIMUM_KEY_SIZE);
  if (bytes === undefined) throw usageError("standard input is too long for an API key");
  // Trimming also removes a byte order mark.
  const text = bytes.toString().trim();
  if (text === "") throw usageError("standard input contains no API key");
  return SETTINGS.apiKey.parse(text, "standard input");
}

/** Sends no request. */
export const logout = command({
  description:
    "Removes the API key and its base URL from your user config file, and keeps other settings. The key stays " +
    "valid until the operator of the catalog revokes it.",
  examples: [
    { description: "Remove the saved key", line: "catalog logout" },
    { description: "Remove the saved key of a profile", line: "catalog logout --profile test" },
  ],
  flags: [DRY_RUN_FLAG],
  exits: [1],
  parse: ({ values }) => values,
  run: logOut,
});

async function logOut(
  { dryRun }: { readonly dryRun: boolean },
  { settingSources, uid, messages }: Context,
): Promise<void> {
  const { userFile: path, profile } = await resolveSettings(settingSources, "save");
  const target = { uid, dryRun, profile: profile?.value };
  const removed = path === undefined ? undefined : await removeCredentials({ path, ...target });
  const where = profile === undefined ? "" : ` in the profile ${JSON.stringify(profile.value)}`;
  if (removed === undefined) {
    await messages.info(`No API key is saved${where}, so there is nothing to remove.`);
  } else {
    const service = removed.baseUrl === undefined ? "" : ` for ${removed.baseUrl}`;
    const removes = dryRun ? "Would remove" : "Removed";
    await messages.info(`${removes} the saved API key${service}${where}.`);
  }
  const { apiKey } = await resolveSettings(settingSources, "save");
  if (apiKey !== undefined && !dryRun) {
    await messages.warn(`catalog will use the key from ${apiKey.origin}`);
  }
}
