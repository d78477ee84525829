/** Builds the context of a command; what costs something is built at its first use. */
import type { CatalogClient } from "../api/client.ts";
import type { Secrets } from "../base/secrets.ts";
import { memoize } from "../base/values.ts";
import type { Connecting, Context } from "../command-support/context.ts";
import type { GlobalOptions } from "../command-support/globals.ts";
import type { System } from "../command-support/system.ts";
import { colorLevel, stylesFor } from "../output/color.ts";
import { supportsHyperlinks } from "../output/hyperlink.ts";
import type { Messages } from "../output/messages.ts";
import type { SettingSources } from "../settings/resolve.ts";

/** The context of one command; what costs something is built at its first use. */
export function createContext(
  world: System,
  options: GlobalOptions,
  messages: Messages,
  secrets: Secrets,
): Context & { close(): Promise<void> } {
  const { io, environment, folder, platform, clock } = world;
  const { ending, deferShutdown } = heldBack(world);
  const given: SettingSources = {
    flags: options.settings,
    environment,
    platform,
    folder,
    configFile: options.config,
  };
  const settings = memoize(async () => {
    const { resolveSettings } = await import("../settings/resolve.ts");
    const resolved = await resolveSettings(given);
    if (resolved.apiKey !== undefined) secrets.add(resolved.apiKey.value);
    return resolved;
  });
  const opened: CatalogClient[] = [];
  const connect = async (connecting: Connecting): Promise<CatalogClient> => {
    const { baseUrl, apiKey, retries, settings: values } = connecting;
    secrets.add(apiKey);
    const { CatalogClient } = await import("../api/client.ts");
    const client = new CatalogClient({
      baseUrl,
      apiKey,
      timeout: values.timeout.value * 1000,
      retries: retries ?? values.retries.value,
      concurrency: values.concurrency.value,
      vendor: values.vendor.value,
      signal: ending(),
      clock,
      environment,
      log: (exchange) => {
        const { method, url, result, duration, attempt } = exchange;
        void messages.trace(`${method} ${url} → ${result} in ${duration} ms, attempt ${attempt}`);
      },
      transport: () =>
        world.openTransport({ baseUrl, connections: values.concurrency.value, environment }),
    });
    opened.push(client);
    return client;
  };
  const client = memoize(async () => {
    const values = await settings();
    const { connectionOf } = await import("../settings/connection.ts");
    const { baseUrl, apiKey, warnings } = connectionOf(values, options.insecureHttp);
    for (const warning of warnings) await messages.warn(warning);
    return await connect({ baseUrl, apiKey, settings: values });
  });
  return {
    ...world,
    deferShutdown: deferShutdown,
    options,
    messages,
    settingSources: given,
    settings,
    connect,
    client,
    styles: memoize(() => {
      const level = colorLevel(io.out, environment, options.color);
      return stylesFor(level, supportsHyperlinks(io.out, environment, level > 0));
    }),
    close: async () => {
      for (const each of opened) await each.close();
    },
  };
}

/** The stop signal, which ends no request of a command that holds it back to end in its own time. */
function heldBack({
  signal,
  deferShutdown,
}: System): Pick<System, "deferShutdown"> & { ending: () => AbortSignal } {
  let holds = 0;
  return {
    ending: () => {
      const controller = new AbortController();
      const stop = (): void => {
        if (holds === 0) controller.abort(signal.reason);
      };
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      return controller.signal;
    },
    deferShutdown: () => {
      const release = deferShutdown();
      holds++;
      return () => {
        holds--;
        release();
      };
    },
  };
}
