/** `catalog logout`: removes a saved API key together with its base URL. */
import { DRY_RUN_FLAG } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { readSettings } from "../settings/resolve.ts";
import { saveCredentials } from "../settings/save-credentials.ts";

/** Sends no request. */
export const logout = command({
  description:
    "Removes the API key and its base URL from your user config file, and keeps other settings. With --profile, it " +
    "removes that profile. The API key stays valid.",
  examples: {
    "Remove the saved API key": "catalog logout",
    "Remove a profile with its API key": "catalog logout --profile test",
  },
  flags: [DRY_RUN_FLAG],
  run: logOut,
});

async function logOut(
  { dryRun }: { readonly dryRun: boolean },
  { settingSources, uid, messages, deferShutdown }: Context,
): Promise<void> {
  const { userFile: path, get } = await readSettings(settingSources, true);
  const profile = get("profile")?.value;
  const target = path && { path, uid, dryRun, profile };
  const removed = target
    ? await deferShutdown(() => saveCredentials(target, undefined))
    : undefined;
  const what =
    profile === undefined ? "the saved API key" : `the profile ${JSON.stringify(profile)}`;
  const service = removed?.baseUrl === undefined ? "" : ` for ${removed.baseUrl}`;
  await messages.info(
    removed === undefined
      ? `${profile === undefined ? "No API key is saved" : `There is no profile ${JSON.stringify(profile)}`}, so there is nothing to remove.`
      : `${dryRun ? "Would remove" : "Removed"} ${what}${service}.`,
  );
}
