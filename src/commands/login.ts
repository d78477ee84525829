/** `catalog login`: saves a key with the address that it belongs to (cli.md section 5). */
import type { CatalogClient } from "../api/client.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { escapeLine, joinList, pluralize, truncate } from "../base/text.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { canAsk } from "../command-support/ask.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { SERVICE_EXITS } from "../command-support/exit-codes.ts";
import { isSet } from "../command-support/flag-values.ts";
import type { Provider } from "../course/provider.ts";
import { isSameAddress } from "../settings/address.ts";
import { keyWarnings, testRetries } from "../settings/connection.ts";
import { type Credentials, saveCredentials } from "../settings/credentials.ts";
import { resolveSettings } from "../settings/resolve.ts";
import { credentialsFromAnswers, credentialsFromInput } from "./entered-credentials.ts";

interface Request {
  readonly withKey: boolean;
}

type Needs = Pick<
  Context,
  | "io"
  | "options"
  | "environment"
  | "platform"
  | "signal"
  | "messages"
  | "settingSources"
  | "connect"
>;

/** GET providers, to test the pair before it is saved. */
export const login = command({
  description:
    "Asks for the base URL and the key, tests them, and saves them where only you can read them. " +
    "The key is then sent to that base URL and to no other. With --profile they are saved as a " +
    "named set, so that several services or users can stand side by side.",
  flags: [{ name: "with-key", description: "read the key from standard input, ask nothing" }],
  examples: [
    { says: "At a terminal", line: "catalog login" },
    {
      says: "In a script",
      line: "printenv KEY | catalog login --with-key --base-url https://api.catalog.example",
    },
    { says: "A second service, by name", line: "catalog login --profile test" },
  ],
  exits: SERVICE_EXITS,
  parse: (words: ParsedArguments): Request => ({ withKey: isSet(words, "with-key") }),
  run: logIn,
});

async function logIn({ withKey }: Request, context: Needs): Promise<void> {
  const { messages, settingSources: given, platform } = context;
  if (!withKey && !canAsk(context)) {
    throw usageError(
      "there is no terminal to ask for the key on",
      "Pass --with-key, and the key on standard input.",
    );
  }
  // The set to save in may be one that is only now made.
  const settings = await resolveSettings({ ...given, saving: true });
  const path = settings.userFile;
  if (path === undefined) {
    throw new CatalogError("output", "there is no place for your config file", {
      advice: "Set XDG_CONFIG_HOME or HOME to a folder that can be written.",
    });
  }
  for (const warning of settings.warnings) await messages.warn(warning);
  const credentials = withKey
    ? await credentialsFromInput(settings, context)
    : await credentialsFromAnswers(settings, context);
  const { baseUrl } = credentials;
  for (const warning of keyWarnings(credentials.apiKey)) await messages.warn(warning);
  const providers = await tested(
    await context.connect({ ...credentials, settings, retries: testRetries(settings) }),
  );

  const profile = settings.profile?.value;
  const replaced = await saveCredentials({ path, platform, profile }, credentials);
  const use = profile === undefined ? "" : `, in the profile ${JSON.stringify(profile)}`;
  await messages.info(`Saved the key for ${baseUrl} in ${path}${use}.`);
  if (replaced !== undefined) await messages.info(`It replaces the one for ${replaced}.`);
  await messages.info(ownedText(providers));
  await tellShadows(credentials, context);
}

async function tested(client: CatalogClient): Promise<readonly Provider[]> {
  try {
    return await client.providers();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    const next = "Check the base URL and the key, and try again; nothing was saved.";
    throw error.kind === "interrupted" ? error : error.with({ advice: next });
  }
}

const MOST_NAMED = 5;

function ownedText(providers: readonly Provider[]): string {
  if (providers.length === 0) {
    return "It has no providers yet; they are added in the developer dashboard.";
  }
  const names = providers.slice(0, MOST_NAMED).map(({ name }) => escapeLine(truncate(name)));
  const more = providers.length - names.length;
  const listed = joinList(more > 0 ? [...names, `${more} more`] : names, "and");
  return `It has ${pluralize(providers.length, "provider")}: ${listed}.`;
}

/** Tells of what stands before the saved pair, here and now. */
async function tellShadows(
  saved: Credentials,
  { settingSources: given, messages }: Needs,
): Promise<void> {
  const { baseUrl: _, ...flags } = given.flags;
  const { baseUrl, apiKey } = await resolveSettings({ ...given, flags });
  if (baseUrl !== undefined && !isSameAddress(baseUrl.value, saved.baseUrl)) {
    await messages.warn(
      `the base URL here is still ${baseUrl.value} (${baseUrl.origin}), to which the saved key is not sent`,
    );
  } else if (apiKey !== undefined && apiKey.value !== saved.apiKey) {
    await messages.warn(`the key of ${apiKey.origin} still comes before the saved one`);
  }
}
