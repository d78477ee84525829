/** `catalog sandbox`: runs the API locally, alone or for one command. */
import { once } from "node:events";
import { resolve } from "node:path";
import { asCatalogError, CatalogError, usageError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { runChild } from "../command-support/child.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { loadAllCourses, stopAtErrors } from "../command-support/course-files.ts";
import { getInteger, getString, isSet } from "../command-support/flag-values.ts";
import { type DataStore, openDataFile } from "../sandbox/data-file.ts";
import { defaultSeed, parseSeed } from "../sandbox/seed.ts";
import { startSandbox } from "../sandbox/server.ts";
import { memoryStore, type Seed } from "../sandbox/store.ts";
import { SETTINGS } from "../settings/table.ts";

const DEFAULT_PORT = 4010;

interface Options {
  readonly port: number;
  readonly host: string;
  readonly seed?: string;
  /** The data file, as it was typed. */
  readonly data?: string;
  /** Milliseconds. */
  readonly latency: number;
  /** 0 to 1. */
  readonly fail: number;
  /** The command to run against the sandbox, with its arguments; empty for none. */
  readonly command: readonly string[];
}

/** Serves until it is stopped, or until the command ends. */
export const sandbox = command({
  description:
    "Serves every endpoint, rule, error and limit of the API, with its state in memory or in a file. Given a command after --, runs it with CATALOG_BASE_URL and CATALOG_API_KEY set, then exits with the command's exit code.",
  arguments: [
    {
      name: "-- command",
      variadic: true,
      completes: "command",
      description: "after --: a command to run against the sandbox",
    },
  ],
  flags: [
    {
      name: "port",
      value: "<n>",
      description: `port to listen on; 0 picks a free one (default ${DEFAULT_PORT}, or a free port when a command is given)`,
    },
    { name: "host", value: "<address>", description: "address to listen on (default 127.0.0.1)" },
    {
      name: "seed",
      value: "<path>",
      completes: "file",
      description: "users, keys, providers and courses: a file, or a folder of courses",
    },
    {
      name: "data",
      value: "<file>",
      completes: "file",
      description: "file that keeps the state across restarts; created if missing",
    },
    { name: "latency", value: "<ms>", description: "delay added to every response" },
    { name: "fail", value: "<rate>", description: "fraction of requests to fail, 0 to 1" },
  ],
  examples: [
    { description: "Start a sandbox, and use it from another terminal", line: "catalog sandbox" },
    { description: "Start with courses", line: "catalog sandbox --seed courses/" },
    { description: "Keep the data for the next run", line: "catalog sandbox --data sandbox.data" },
    {
      description: "Test a script, also in CI",
      line: "catalog sandbox --fail 0.1 -- sh publish.sh",
    },
  ],
  exits: [1, 3],
  showsKey: true,
  parse: parseOptions,
  run: serve,
});

function parseOptions(parsed: ParsedArguments): Options {
  const command = parsed.passthrough;
  if (parsed.arguments.length > (command?.length ?? 0)) {
    throw usageError(
      `unexpected argument: ${parsed.arguments[0]}`,
      "Put a command to run against the sandbox after --.",
    );
  }
  if (command?.length === 0) throw usageError("no command after --");
  const port = getInteger(parsed, "port", 0);
  const seed = getString(parsed, "seed");
  const data = getString(parsed, "data");
  if (data?.trim() === "") throw usageError("--data must name a file");
  if (isSet(parsed, "json") || getString(parsed, "output") !== undefined) {
    throw usageError("--output is not available for sandbox");
  }
  return {
    // A command gets the port from its environment, and a free one is never in use.
    port: port ?? (command === undefined ? DEFAULT_PORT : 0),
    host: getString(parsed, "host") ?? "127.0.0.1",
    ...(seed === undefined ? {} : { seed }),
    ...(data === undefined ? {} : { data }),
    latency: latencyFlag(parsed),
    fail: rateFlag(getString(parsed, "fail")),
    command: command ?? [],
  };
}

/** The longest delay of a timer, in milliseconds. */
const LONGEST_LATENCY = 2 ** 31 - 1;

function latencyFlag(parsed: ParsedArguments): number {
  const latency = getInteger(parsed, "latency", 0) ?? 0;
  if (latency <= LONGEST_LATENCY) return latency;
  throw usageError(`--latency must be at most ${LONGEST_LATENCY}: ${latency}`);
}

function rateFlag(text: string | undefined): number {
  if (text === undefined) return 0;
  const rate = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw usageError(`--fail must be a number from 0 to 1: ${text}`);
}

async function serve(options: Options, context: Context): Promise<number | undefined> {
  const state = await openState(options, context);
  // From here on a stop signal closes the server, or is passed on to the command.
  const release = context.deferShutdown();
  try {
    return await serveState(state, options, context);
  } finally {
    release();
    state.close();
  }
}

async function openState({ seed, data }: Options, context: Context): Promise<DataStore> {
  if (data === undefined) {
    const { users } = await readSeed(seed, context);
    const store = memoryStore({ users });
    return { users, store, courses: store.size, close: () => undefined };
  }
  const { folder, processes, messages } = context;
  return await openDataFile({
    file: data,
    path: resolve(folder, data),
    seed: () => readSeed(seed, context),
    onExisting: () => {
      if (seed === undefined) return;
      throw usageError(
        `${data} already exists, and --seed only applies to a new file`,
        "Omit --seed, or choose another file.",
      );
    },
    onWriteError: ({ message }) => {
      void messages.warn(`${message}; changes fail with HTTP 500 until the file can be written`);
    },
    processes,
  });
}

async function serveState(
  state: DataStore,
  options: Options,
  context: Context,
): Promise<number | undefined> {
  const { port, host, latency, fail } = options;
  const { clock, environment } = context;
  const { store, users } = state;
  // The other settings do not matter here, and an invalid one must not stop the sandbox.
  const { variable, parse } = SETTINGS.vendor;
  const vendor = environment[variable] ? parse(environment[variable], variable) : undefined;
  const running = await startSandbox({ store, port, host, latency, fail, vendor, clock });
  try {
    if (options.command.length > 0) {
      const key = users[0]?.key ?? "";
      const variables = { CATALOG_BASE_URL: running.baseUrl, CATALOG_API_KEY: key };
      return await runChild(options.command, variables, context);
    }
    await printAccess(running.baseUrl, state, options, context);
    if (!context.signal.aborted) await once(context.signal, "abort");
    return undefined;
  } finally {
    await running.close();
  }
}

async function printAccess(
  baseUrl: string,
  { users, courses }: DataStore,
  { data }: Options,
  { io, messages }: Context,
): Promise<void> {
  const [user] = users;
  await io.out.write(
    [
      `Sandbox running at ${baseUrl} with key ${user?.key}.`,
      "To use it from another terminal:",
      "",
      `  export CATALOG_BASE_URL=${baseUrl}`,
      `  export CATALOG_API_KEY=${user?.key}`,
      "",
      "",
    ].join("\n"),
  );
  const others = users.length - 1;
  if (others > 0) {
    const keys = others === 1 ? "its own key" : "their own keys";
    await messages.info(`The seed has ${pluralize(others, "more user")}, with ${keys}.`);
  }
  if (data === undefined) {
    await messages.info("Press Ctrl-C to stop it; its data is not saved.");
    return;
  }
  const count = pluralize(courses, "course");
  await messages.info(`${data} contains ${count}; changes are saved there.`);
  await messages.info("Press Ctrl-C to stop it.");
}

async function readSeed(path: string | undefined, context: Context): Promise<Seed> {
  if (path === undefined) return defaultSeed();
  const loaded = await loadAllCourses([path], context, { mode: "syntax" });
  const [failure] = loaded.failures;
  if (failure !== undefined) throw failure;
  await stopAtErrors(loaded.diagnostics, [], context);
  const values = loaded.courses.map(({ value }) => value);
  const [only] = values;
  const content = values.length === 1 && isObject(only) && "users" in only ? only : values;
  try {
    return parseSeed(content, context.clock);
  } catch (error) {
    const { kind, message, facts } = asCatalogError(error);
    throw new CatalogError(kind, `${path}: ${message}`, { ...facts, file: path });
  }
}
