/** `catalog logout`: removes a saved API key together with its base URL. */
import { DRY_RUN_FLAG } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { readSettings } from "../settings/resolve.ts";
import { saveCredentials } from "../settings/save-credentials.ts";

/** Sends no request. */
export const logout = command({
  description:
    "Removes the API key and its base URL from your user config file, and keeps other settings. This does not " +
    "revoke the key.",
  examples: {
    "Remove the saved key": "catalog logout",
    "Remove the saved key of a profile": "catalog logout --profile test",
  },
  flags: [DRY_RUN_FLAG],
  parse: ({ values }) => values,
  run: logOut,
});

async function logOut(
  { dryRun }: { readonly dryRun: boolean },
  { settingSources, uid, messages }: Context,
): Promise<void> {
  const { userFile: path, get } = await readSettings(settingSources, true);
  const profile = get("profile")?.value;
  const target = path && { path, uid, dryRun, profile };
  const { baseUrl, apiKey } = target ? await saveCredentials(target, undefined) : {};
  const service = baseUrl === undefined ? "" : ` for ${baseUrl}`;
  const where = profile === undefined ? "" : ` in the profile ${JSON.stringify(profile)}`;
  await messages.info(
    apiKey === undefined
      ? `No API key is saved${where}, so there is nothing to remove.`
      : `${dryRun ? "Would remove" : "Removed"} the saved API key${service}${where}.`,
  );
}
