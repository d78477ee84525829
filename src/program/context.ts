/** Creates the context of a command. */

import { isLoopback, parseUrl, type Secrets } from "../base/credentials.ts";
import { attempt, usageError } from "../base/errors.ts";
import { isUnattended, SANDBOX_VARIABLE } from "../base/io.ts";
import { memoize } from "../base/values.ts";
import { canAsk, confirm } from "../cli/ask.ts";
import type { Context, System } from "../cli/context.ts";
import { openRows } from "../cli/show.ts";
import type { Target } from "../output/diagnostics.ts";
import { hasColor, stylesFor } from "../output/text-measure.ts";
import { CatalogClient } from "../service/client.ts";
import { connectionOf } from "../settings/connection.ts";
import { readSettings, type SettingSources } from "../settings/resolve.ts";
import { SETTINGS, type SettingName } from "../settings/table.ts";

/** Settings and clients are created at their first use; `close` closes the clients. */
export async function createContext(
  system: System,
  command: Pick<Context, "path" | "options" | "messages">,
  secrets: Secrets,
) {
  const { options, messages, path } = command;
  const { io, environment, clock } = system;
  const requireFolder = (): string => {
    if (system.folder !== undefined) return system.folder;
    throw usageError("the current folder does not exist: change to another one");
  };
  const settingSources: SettingSources = {
    ...system,
    flags: options.settings,
    get folder() {
      return requireFolder();
    },
  };
  const settings = memoize(async () => {
    const read = await readSettings(settingSources);
    const key = attempt(() => read.get("apiKey")?.value);
    if (key !== undefined) secrets.add(key);
    return read;
  });
  const repeated = { count: 0, reason: "" };
  // A command that only tests the connection shows a failure at once.
  const isTest = path === "login" || path === "status";
  const clients: CatalogClient[] = [];
  const connect: Context["connect"] = async ({ baseUrl, apiKey }, { get }) => {
    const retries = get("retries");
    secrets.add(apiKey);
    const client = new CatalogClient({
      baseUrl,
      apiKey,
      timeout: get("timeout").value * 1000,
      retries: isTest && retries.source === "default" ? 0 : retries.value,
      concurrency: get("concurrency").value,
      vendor: get("vendor").value,
      stop: system.stop.signal,
      clock,
      environment,
      onRetry: (reason) => {
        repeated.count++;
        repeated.reason = reason;
        void messages.trace(`retrying: ${reason}`);
      },
      log: (line) => void messages.trace(line),
      transport: system.openTransport,
    });
    clients.push(client);
    return client;
  };
  const client = memoize(async () => {
    const values = await settings();
    const connection = await connectionOf(values, {
      allowInsecureHttp: options.insecureHttp,
      isUnattended: isUnattended(environment),
      confirm: async (question) => canAsk(context) && (await confirm(question, context)),
    });
    return await connect(connection, values);
  });
  const providers = memoize(async () => await (await client()).providers());
  const target = async (): Promise<Target> => {
    const { get } = await settings();
    // A project config file that chooses the account, or what is cleared, is named.
    const decided = (Object.keys(SETTINGS) as SettingName[]).filter(
      (name) => SETTINGS[name].checkout === "decide" && get(name)?.source === "project config",
    );
    const baseUrl = get("baseUrl")?.value ?? "";
    // A flag or a profile may name another service.
    const isLocal = isLoopback(parseUrl(baseUrl)?.hostname ?? "");
    return {
      baseUrl,
      sandbox: (isLocal && environment[SANDBOX_VARIABLE] === "1") || undefined,
      providers: (await providers()).map(({ name }) => name),
      profile: get("profile")?.value,
      decided,
      file: get("config")?.value,
    };
  };
  const context: Context = {
    ...system,
    ...command,
    get folder() {
      return requireFolder();
    },
    retries: repeated,
    settingSources,
    settings,
    connect,
    client,
    providers,
    target,
    styles: await stylesFor(hasColor(io.out, environment, options.color)),
    rows: (showing) => openRows(showing, context),
  };
  const close = async (): Promise<void> => {
    messages.progress.close();
    for (const each of clients) await each.close();
  };
  return { context, close };
}
