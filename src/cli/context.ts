/** Builds the context of a command; what costs something is built at its first use. */
import type { CatalogClient } from "../api/client.ts";
import type { Secrets } from "../base/secrets.ts";
import { once } from "../base/values.ts";
import type { Connecting, Context } from "../kit/context.ts";
import type { GlobalOptions } from "../kit/globals.ts";
import type { World } from "../kit/world.ts";
import { colourLevel, paintFor } from "../output/colour.ts";
import { hyperlinksIn } from "../output/hyperlink.ts";
import type { Messages } from "../output/messages.ts";
import type { Given } from "../settings/resolve.ts";

/** The context of one command; what costs something is built at its first use. */
export function contextOf(
  world: World,
  options: GlobalOptions,
  messages: Messages,
  secrets: Secrets,
): Context & { close(): Promise<void> } {
  const { io, environment, folder, platform, clock } = world;
  const { ending, holdStop } = heldBack(world);
  const given: Given = {
    flags: options.settings,
    environment,
    platform,
    folder,
    configFile: options.config,
  };
  const settings = once(async () => {
    const { resolveSettings } = await import("../settings/resolve.ts");
    const resolved = await resolveSettings(given);
    if (resolved.apiKey !== undefined) secrets.add(resolved.apiKey.value);
    return resolved;
  });
  const opened: CatalogClient[] = [];
  const connect = async (connecting: Connecting): Promise<CatalogClient> => {
    const { baseUrl, apiKey, retries, settings: values } = connecting;
    secrets.add(apiKey);
    world.beforeConnecting?.();
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
      ...(world.transport === undefined ? {} : { transport: world.transport }),
    });
    opened.push(client);
    return client;
  };
  const client = once(async () => {
    const values = await settings();
    const { connectionOf } = await import("../settings/connection.ts");
    const { baseUrl, apiKey, warnings } = connectionOf(values, options.insecureHttp);
    for (const warning of warnings) await messages.warn(warning);
    return await connect({ baseUrl, apiKey, settings: values });
  });
  return {
    ...world,
    holdStop,
    options,
    messages,
    given,
    settings,
    connect,
    client,
    paint: once(() => {
      const level = colourLevel(io.out, environment, options.color);
      return paintFor(level, hyperlinksIn(io.out, environment, level > 0));
    }),
    close: async () => {
      for (const each of opened) {
        if (world.endsWithCommand === true) each.abandon();
        else await each.close();
      }
    },
  };
}

/** The stop signal, which ends no request of a command that holds it back to end in its own time. */
function heldBack({
  signal,
  holdStop,
}: World): Pick<World, "holdStop"> & { ending: () => AbortSignal } {
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
    holdStop: () => {
      const release = holdStop();
      holds++;
      return () => {
        holds--;
        release();
      };
    },
  };
}
