/** `catalog status`: shows the settings, and checks that the API key works. */

import { MASK } from "../base/credentials.ts";
import { asCatalogError, attemptOrError, CatalogError } from "../base/errors.ts";
import { escapeLine, listSome, truncate } from "../base/text.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { printMessages } from "../cli/results.ts";
import { showWork } from "../cli/work.ts";
import { hasJsonMessages, PRINTED_FORMATS } from "../output/formats.ts";
import {
  type Resolved,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
} from "../settings/table.ts";

const COLUMNS = ["name", "value", "source", "origin"];

/** Sends GET providers. */
export const status = command({
  description:
    "Shows where each setting comes from, and tests your API key by listing your providers. Exits with 4 if " +
    "the API key is missing or rejected, and with 6 if the service cannot be reached or keeps failing.",
  examples: {
    "Show your settings and test your API key": "catalog status",
    "Test your API key in a script": "catalog status --json | jq .service",
  },
  output: { formats: PRINTED_FORMATS.records },
  run: showStatus,
});

async function showStatus(_: unknown, context: Context): Promise<void> {
  const { format } = context.options;
  // JSON has one object with both parts; the other formats have rows for one after the other.
  const isDocument = hasJsonMessages(format);
  const settings = await context.settings();
  const rows = [
    ...Object.entries<Setting>(SETTINGS).map(([name, { isSecret }]) => {
      const setting = attemptOrError(() => settings.get(name as SettingName));
      // Why a setting is invalid; the test of the connection reports it as an error.
      const shown = setting instanceof CatalogError ? { origin: setting.message } : setting;
      return settingRow(name, shown, isSecret);
    }),
    ...[...settings.rules].map(([rule, level]) => settingRow(`rules.${rule}`, level)),
  ];
  const { service, failure } = await testConnection(context);
  const shown = isDocument ? [{ settings: rows, service }] : tableOf(rows, service);
  await printMessages(shown, { columns: COLUMNS, single: isDocument }, context);
  if (failure !== undefined) await context.messages.fail(failure);
}

/** A setting: its value, null if it is not set; its source; and the flag, variable or file that has it. */
function settingRow(
  name: string,
  setting: Partial<Resolved<SettingValue>> | undefined,
  isSecret = false,
) {
  const { value = null, source = null, origin = null } = setting ?? {};
  return { name, value: isSecret && value !== null ? MASK : value, source, origin };
}

/** The result of the test; a value is null if it is unknown. The account has the names of `providers` providers. */
async function testConnection(context: Context) {
  let reachable: boolean | null = null;
  try {
    const client = await context.client();
    reachable = false;
    const providers = await showWork("Testing your API key", context, () => client.providers());
    const account = listSome(providers.map(({ name }) => escapeLine(truncate(name))));
    const known = { account: account || null, providers: providers.length };
    return { service: { reachable: true, authenticated: true, ...known } };
  } catch (thrown) {
    const failure = asCatalogError(thrown);
    if (failure.kind === "interrupted") throw failure;
    const isRejected = failure.facts.status === 401;
    if (isRejected || failure.kind === "rejected") reachable = true;
    const authenticated = isRejected ? false : null;
    const service = { reachable, authenticated, account: null, providers: null };
    if (!isRejected) return { service, failure };
    // The usual advice for a rejected key is to run "catalog status". A saved key has no effect next to a variable.
    const { source, origin } = (await context.settings()).get("apiKey") ?? {};
    const advice =
      source === "environment"
        ? `Set ${origin} to another API key.`
        : 'Run "catalog login" with another API key.';
    return { service, failure: failure.with({ advice }) };
  }
}

/** Rows for people. */
function tableOf(settings: readonly ReturnType<typeof settingRow>[], service: object) {
  const yesOrNo = (value: unknown) => (value === true ? "yes" : value === false ? "no" : value);
  return [
    ...settings,
    ...Object.entries(service).map(([name, value]) => {
      return { name, value: yesOrNo(value) ?? "unknown", source: "service", origin: null };
    }),
  ];
}
