/** `catalog logout`: removes the saved key and its base URL. */
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { resolveSettings } from "../settings/resolve.ts";
import { removeCredentials } from "../settings/user-config.ts";

/** Sends no request. */
export const logout = command({
  description:
    "Removes the key and its base URL from your config file; other settings remain. The key itself " +
    "stays valid until you revoke it in the developer dashboard.",
  examples: [
    { description: "Remove the saved key", line: "catalog logout" },
    { description: "Remove a profile's key", line: "catalog logout --profile test" },
  ],
  exits: [1],
  parse: () => undefined,
  run: logOut,
});

async function logOut(
  _: undefined,
  { settingSources, platform, messages }: Context,
): Promise<void> {
  const { userFile: path, profile, warnings } = await resolveSettings(settingSources, "save");
  for (const warning of warnings) await messages.warn(warning);
  const target = { platform, profile: profile?.value };
  const removed = path === undefined ? undefined : await removeCredentials({ path, ...target });
  const where = profile === undefined ? "" : ` in the profile ${JSON.stringify(profile.value)}`;
  if (removed === undefined) {
    await messages.info(`No key is saved${where}; nothing was removed.`);
  } else {
    const service = removed.baseUrl === undefined ? "" : ` for ${removed.baseUrl}`;
    await messages.info(`Removed the key${service}${where}.`);
  }
  const { apiKey } = await resolveSettings(settingSources, "save");
  if (apiKey !== undefined) await messages.warn(`${apiKey.origin} is still set and will be used`);
}
