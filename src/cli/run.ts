/** Runs a command line in a world: words → command → exit code. */
import { CatalogClient } from "../api/client.ts";
import { asCatalogError } from "../base/errors.ts";
import { isHeaderValue } from "../base/header.ts";
import { maskedOutput } from "../base/masked-output.ts";
import { Secrets } from "../base/secrets.ts";
import { once } from "../base/values.ts";
import type { Connecting, Context } from "../kit/context.ts";
import { type GlobalOptions, parseGlobals } from "../kit/globals.ts";
import { AlreadyTold } from "../kit/told.ts";
import type { World } from "../kit/world.ts";
import { colourLevel, paintFor } from "../output/colour.ts";
import { hyperlinksIn } from "../output/hyperlink.ts";
import { Messages } from "../output/messages.ts";
import { connectionOf } from "../settings/connection.ts";
import { type Given, resolveSettings } from "../settings/resolve.ts";
import { SETTINGS } from "../settings/table.ts";
import { VERSION } from "../version.ts";
import { exitCode } from "./exit.ts";
import { parseArguments } from "./program.ts";

/** Runs one command line. @returns the exit code (cli.md section 4) */
export async function run(argv: readonly string[], outside: World): Promise<number> {
  const secrets = new Secrets();
  const { io } = outside;
  const masked = { out: maskedOutput(io.out, secrets), err: maskedOutput(io.err, secrets) };
  const world: World = { ...outside, io: { in: io.in, ...masked } };
  let messages = messagesOf(world, guessOptions(argv));
  try {
    const help = { version: VERSION, columns: world.io.out.columns };
    const parsed = await parseArguments(argv, help);
    if ("print" in parsed) {
      await world.io.out.write(parsed.print);
      return 0;
    }
    const { command, words } = parsed;
    if (!command.showsKey) hideKeyOf(world, secrets);
    const options = parseGlobals(words.flags);
    messages = messagesOf(world, optionsOf(options));
    const input = command.parse(words);
    const context = contextOf(world, options, messages, secrets);
    try {
      const code = await command.run(input, context);
      if (typeof code === "number") return code;
    } finally {
      await context.close();
    }
    return stopCode(world) ?? exitCode(messages.kinds);
  } catch (thrown) {
    hideKeyOf(world, secrets);
    const error = asCatalogError(thrown);
    if (error instanceof AlreadyTold) messages.record(error.kind);
    else if (error.kind === "interrupted") messages.record("interrupted");
    else await messages.fail(error);
    return stopCode(world) ?? exitCode(messages.kinds);
  }
}

/** The key of the environment may be typed where it does not belong, before any setting is read. */
function hideKeyOf({ environment }: World, secrets: Secrets): void {
  const key = environment[SETTINGS.apiKey.variable]?.trim() ?? "";
  if (isHeaderValue(key)) secrets.add(key);
}

function stopCode({ signal }: World): number | undefined {
  if (!signal.aborted) return undefined;
  return signal.reason === "SIGTERM" ? 143 : 130;
}

interface MessageOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: boolean;
}

function messagesOf(world: World, options: MessageOptions): Messages {
  const level = colourLevel(world.io.err, world.environment, options.color);
  return new Messages({ ...options, err: world.io.err, paint: once(() => paintFor(level)) });
}

function optionsOf({ format, quiet, verbose, color }: GlobalOptions): MessageOptions {
  return { json: format === "json" || format === "ndjson", quiet, verbose, color };
}

/** What the words ask for in the way of messages, before they are known to be right. */
function guessOptions(argv: readonly string[]): MessageOptions {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const json = words.some(
    (word, index) =>
      word === "--json" ||
      /^(--output=|-o=?)(nd)?json$/.test(word) ||
      (/^(nd)?json$/.test(word) && /^(-o|--output)$/.test(words[index - 1] ?? "")),
  );
  return {
    json,
    quiet: false,
    verbose: words.includes("--verbose") || words.includes("-v"),
    color: !words.includes("--no-color"),
  };
}

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
    const resolved = await resolveSettings(given);
    if (resolved.apiKey !== undefined) secrets.add(resolved.apiKey.value);
    return resolved;
  });
  const opened: CatalogClient[] = [];
  const connect = async (connecting: Connecting): Promise<CatalogClient> => {
    const { baseUrl, apiKey, retries, settings: values } = connecting;
    secrets.add(apiKey);
    await shortenExit();
    const client = new CatalogClient({
      baseUrl,
      apiKey,
      timeout: values.timeout.value * 1000,
      retries: retries ?? values.retries.value,
      concurrency: values.concurrency.value,
      vendor: values.vendor.value,
      signal: ending,
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
      for (const each of opened) await each.close();
    },
  };
}

/** The stop signal, which ends no request of a command that holds it back to end in its own time. */
function heldBack({ signal, holdStop }: World): Pick<World, "holdStop"> & { ending: AbortSignal } {
  const controller = new AbortController();
  let holds = 0;
  const stop = (): void => {
    if (holds === 0) controller.abort(signal.reason);
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return {
    ending: controller.signal,
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

/**
 * undici parses HTTP in WebAssembly, which V8 goes on to optimise in the background, and the process
 * cannot end before that has: a tenth of a second for nothing in a program that runs as briefly.
 */
async function shortenExit(): Promise<void> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--liftoff-only");
}
