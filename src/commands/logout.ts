/** `catalog logout`: forgets the saved key and its base URL (cli.md section 5). */
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { forgetCredentials } from "../settings/credentials.ts";
import { resolveSettings } from "../settings/resolve.ts";

type Needs = Pick<Context, "settingSources" | "platform" | "messages">;

/** No request. */
export const logout = command({
  description:
    "Takes the key and its base URL out of your config file; other settings in it stay. The key " +
    "itself stays valid: it is revoked in the developer dashboard.",
  examples: [
    { says: "Forget the saved key", line: "catalog logout" },
    { says: "Forget that of a named set", line: "catalog logout --profile test" },
  ],
  exits: [1],
  parse: () => undefined,
  run: logOut,
});

async function logOut(
  _: undefined,
  { settingSources: given, platform, messages }: Needs,
): Promise<void> {
  const { userFile: path, profile, warnings } = await resolveSettings({ ...given, saving: true });
  for (const warning of warnings) await messages.warn(warning);
  const place = { platform, profile: profile?.value };
  const found = path === undefined ? undefined : await forgetCredentials({ path, ...place });
  const where = profile === undefined ? "" : ` in the profile ${JSON.stringify(profile.value)}`;
  if (found === undefined) {
    await messages.info(`No key is saved${where}; there is nothing to forget.`);
  } else {
    const address = found.baseUrl === undefined ? "" : ` for ${found.baseUrl}`;
    await messages.info(`Forgot the key${address}${where}.`);
  }
  const { apiKey } = await resolveSettings({ ...given, saving: true });
  if (apiKey !== undefined) await messages.warn(`there is still a key: ${apiKey.origin}`);
}
