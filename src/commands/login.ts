/** `catalog login`: saves an API key together with its base URL. */

import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { readAll } from "../base/io.ts";
import { escapeLine, listSome, pluralize, truncate } from "../base/text.ts";
import { DRY_RUN_FLAG } from "../cli/arguments.ts";
import { ask, canAsk } from "../cli/ask.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { showWork } from "../cli/work.ts";
import { LIMITS } from "../files/limits.ts";
import { requireEncryption } from "../settings/connection.ts";
import { readSettings, type Settings } from "../settings/resolve.ts";
import { type Credentials, saveCredentials } from "../settings/save-credentials.ts";
import { SETTINGS } from "../settings/table.ts";

/** Sends GET providers, to test the API key before it is saved. */
export const login = command({
  description:
    "Asks for the base URL and your API key, tests both, and saves them where only you can read them. You " +
    "get both from the operator of the catalog. The saved API key is sent only to that base URL. To use several " +
    "services or accounts, save each in a profile with --profile <name>.",
  flags: [
    { name: "with-key", description: "read the API key from standard input; do not ask" },
    DRY_RUN_FLAG,
  ],
  examples: {
    "Log in at a terminal": "catalog login",
    "Log in from a script":
      "printenv API_KEY | catalog login --with-key --base-url https://api.catalog.example",
    "Save a second service in a profile": "catalog login --profile test",
  },
  run: logIn,
});

async function logIn(
  { withKey, dryRun }: { readonly withKey: boolean; readonly dryRun: boolean },
  context: Context,
): Promise<void> {
  const { messages, settingSources, uid, io } = context;
  if (withKey ? io.in.isTerminal : !canAsk(context)) {
    throw usageError(
      withKey
        ? "--with-key reads the API key from standard input, which is a terminal"
        : "cannot ask for the API key without a terminal",
      "Pipe it in, for example: printenv API_KEY | catalog login --with-key",
    );
  }
  const settings = await readSettings(settingSources, true);
  const path = settings.userFile;
  if (path === undefined) {
    throw new CatalogError("output", "there is no folder for your user config file", {
      advice: "Set XDG_CONFIG_HOME or HOME to a writable folder.",
    });
  }
  const credentials = await (withKey ? readCredentials : askCredentials)(settings, context);
  const client = await context.connect(credentials, settings);
  const test = showWork("Testing your API key", context, () => client.providers());
  const providers = await test.catch((thrown: unknown) => {
    const error = asCatalogError(thrown);
    const advice = "Nothing was saved. Check the base URL and the API key, then try again.";
    throw error.kind === "interrupted" ? error : error.with({ advice });
  });
  const profile = settings.get("profile")?.value;
  await context.deferShutdown(() => saveCredentials({ path, uid, profile, dryRun }, credentials));
  const where = profile === undefined ? "" : ` as profile ${JSON.stringify(profile)}`;
  const saved = `${dryRun ? "Would save" : "Saved"} the API key in ${path}${where}.`;
  await messages.info(dryRun ? saved : `Logged in to ${credentials.baseUrl}. ${saved}`);
  const names = listSome(providers.map(({ name }) => escapeLine(truncate(name))));
  const list = providers.length === 0 ? "" : `: ${names}`;
  await messages.info(`You can publish for ${pluralize(providers.length, "provider")}${list}.`);
}

/** Takes the base URL from the settings, and reads the API key from standard input. @throws CatalogError of kind `usage` */
async function readCredentials(settings: Settings, { io, options }: Context): Promise<Credentials> {
  const baseUrl = settings.get("baseUrl");
  if (baseUrl === undefined) {
    throw usageError(
      "no base URL is set, so catalog does not know for which service the API key is",
      "Pass --base-url <url>, or set CATALOG_BASE_URL. login reads no config file of a project.",
    );
  }
  requireEncryption(baseUrl.value, options.insecureHttp);
  const bytes = await readAll(io.in.stream, LIMITS.size);
  if (bytes === undefined) throw usageError("standard input is too long for an API key");
  const apiKey = SETTINGS.apiKey.parse(bytes.toString(), "standard input");
  return { baseUrl: baseUrl.value, apiKey };
}

/** Asks for the API key, and for the base URL unless a flag gives it. */
async function askCredentials(settings: Settings, context: Context): Promise<Credentials> {
  const known = settings.get("baseUrl");
  const { baseUrl, apiKey } = SETTINGS;
  const check = (answer: string): void => {
    requireEncryption(baseUrl.parse(answer, "your answer"), context.options.insecureHttp);
  };
  const first = { message: "Base URL:", usual: known?.value, check };
  const second = { message: "API key:", isSecret: true };
  const isGiven = known?.source === "flag";
  if (isGiven) check(known.value);
  const answers = await ask(isGiven ? [second] : [first, second], context);
  const [url = "", key = ""] = isGiven ? [known.value, ...answers] : answers;
  return { baseUrl: baseUrl.parse(url, "your answer"), apiKey: apiKey.parse(key, "your answer") };
}
