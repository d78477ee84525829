/** `catalog sandbox`: serves the whole API locally, alone or around a command (cli.md section 9). */
import { resolve } from "node:path";
import { asCatalogError, usageError } from "../base/errors.ts";
import { pluralize } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import type { ParsedArguments } from "../command-support/arguments.ts";
import { runChild } from "../command-support/child.ts";
import { command } from "../command-support/command.ts";
import type { Context } from "../command-support/context.ts";
import { loadAllCourses, stopAtErrors } from "../command-support/course-files.ts";
import { isSet, textFlag, wholeFlag } from "../command-support/values.ts";
import { openDataStore } from "../sandbox/data-store.ts";
import { memoryStore } from "../sandbox/memory-store.ts";
import { defaultSeed, parseSeed } from "../sandbox/seed.ts";
import { startSandbox } from "../sandbox/server.ts";
import type { Seed, Store, User } from "../sandbox/store.ts";
import { SETTINGS } from "../settings/table.ts";

const DEFAULT_PORT = 4010;

interface Request {
  readonly port: number;
  readonly host: string;
  readonly seed?: string;
  /** The file to keep the state in, as it was typed. */
  readonly data?: string;
  /** Milliseconds. */
  readonly latency: number;
  /** 0 to 1. */
  readonly fail: number;
  /** The command to run against it, with its arguments. */
  readonly command: readonly string[];
}

/** Serves until it is stopped, or until the command has ended. */
export const sandbox = command({
  description:
    "Serves every endpoint, rule, error and limit of the API, from memory or from a file of its own. With a command behind --, it runs that with CATALOG_BASE_URL and CATALOG_API_KEY set, then stops and exits with that command's code.",
  arguments: [
    {
      name: "-- command",
      variadic: true,
      completes: "command",
      description: "behind --: a command to run against the sandbox",
    },
  ],
  flags: [
    {
      name: "port",
      value: "<n>",
      description: `port to listen on, 0 for a free one (default ${DEFAULT_PORT}; around a command a free one)`,
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
      description: "keep the state in this file, across restarts; made if it is not there",
    },
    { name: "latency", value: "<ms>", description: "delay every answer by this" },
    { name: "fail", value: "<rate>", description: "fail this share of the requests, 0 to 1" },
  ],
  examples: [
    { says: "Serve, and use it from another terminal", line: "catalog sandbox" },
    { says: "Start with courses", line: "catalog sandbox --seed courses/" },
    { says: "Keep what it holds for the next time", line: "catalog sandbox --data sandbox.data" },
    { says: "Rehearse a script, in CI too", line: "catalog sandbox --fail 0.1 -- sh publish.sh" },
  ],
  exits: [1, 3],
  showsKey: true,
  parse: parseRequest,
  run: serve,
});

function parseRequest(words: ParsedArguments): Request {
  const command = words.passthrough;
  if (words.arguments.length > (command?.length ?? 0)) {
    throw usageError(
      `sandbox takes no argument: ${words.arguments[0]}`,
      "A command to run against it goes behind --.",
    );
  }
  if (command?.length === 0) throw usageError("there is no command behind --");
  const port = wholeFlag(words, "port", 0);
  if (port !== undefined && port > 65_535) throw usageError(`--port is above 65535: ${port}`);
  const seed = textFlag(words, "seed");
  const data = textFlag(words, "data");
  if (data?.trim() === "") throw usageError("--data names no file");
  if (isSet(words, "json") || textFlag(words, "output") !== undefined) {
    throw usageError("sandbox has no --output");
  }
  return {
    // Around a command nobody needs to know the port, and a free one never collides.
    port: port ?? (command === undefined ? DEFAULT_PORT : 0),
    host: textFlag(words, "host") ?? "127.0.0.1",
    ...(seed === undefined ? {} : { seed }),
    ...(data === undefined ? {} : { data }),
    latency: latencyFlag(words),
    fail: rateFlag(textFlag(words, "fail")),
    command: command ?? [],
  };
}

/** The longest that a timer can be set to, in milliseconds. */
const LONGEST_LATENCY = 2 ** 31 - 1;

function latencyFlag(words: ParsedArguments): number {
  const latency = wholeFlag(words, "latency", 0) ?? 0;
  if (latency <= LONGEST_LATENCY) return latency;
  throw usageError(`--latency is above ${LONGEST_LATENCY}: ${latency}`);
}

function rateFlag(text: string | undefined): number {
  if (text === undefined) return 0;
  const rate = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw usageError(`--fail is not a number from 0 to 1: ${text}`);
}

async function serve(request: Request, context: Context): Promise<number | undefined> {
  const state = await openState(request, context);
  // From here on a stop signal closes the server in order, or is passed to the command.
  const release = context.deferShutdown();
  try {
    return await serveState(state, request, context);
  } finally {
    try {
      await state.close();
    } finally {
      release();
    }
  }
}

/** What a sandbox begins with, and where it is kept. */
interface State {
  readonly users: readonly User[];
  readonly store: Store;
  /** How many courses it holds. */
  readonly courses: number;
  close(): Promise<void>;
}

async function openState({ seed, data }: Request, context: Context): Promise<State> {
  if (data === undefined) {
    const { users } = await readSeed(seed, context);
    const courses = users.reduce((sum, user) => sum + user.courses.length, 0);
    return { users, store: memoryStore({ users }), courses, close: async () => undefined };
  }
  const { folder, processes, clock, messages } = context;
  return await openDataStore({
    file: data,
    path: resolve(folder, data),
    seed: () => readSeed(seed, context),
    reopen: () => {
      if (seed === undefined) return;
      throw usageError(
        `${data} is there already, and --seed is only for a new one`,
        "Leave --seed out, or name another file.",
      );
    },
    fail: ({ message }) => {
      void messages.warn(`${message}; changes are answered with 500 until it can be written`);
    },
    processes,
    clock,
  });
}

async function serveState(
  state: State,
  request: Request,
  context: Context,
): Promise<number | undefined> {
  const { port, host, latency, fail } = request;
  const { clock, environment } = context;
  const { store, users } = state;
  // Of all settings only this one matters here; a broken one elsewhere must not stop a rehearsal.
  const { variable, parse } = SETTINGS.vendor;
  const vendor = environment[variable] ? parse(environment[variable], variable) : undefined;
  const running = await startSandbox({ store, port, host, latency, fail, vendor, clock });
  try {
    if (request.command.length > 0) {
      const key = users[0]?.key ?? "";
      const variables = { CATALOG_BASE_URL: running.baseUrl, CATALOG_API_KEY: key };
      return await runChild(request.command, variables, context);
    }
    await announce(running.baseUrl, state, request, context);
    await stopped(context.signal);
    return undefined;
  } finally {
    await running.close();
  }
}

async function announce(
  baseUrl: string,
  { users, courses }: State,
  { data }: Request,
  { io, messages }: Context,
): Promise<void> {
  const [user] = users;
  await io.out.write(
    [
      `The sandbox serves at ${baseUrl}; the key is ${user?.key}.`,
      "To use it, in another terminal:",
      "",
      `  export CATALOG_BASE_URL=${baseUrl}`,
      `  export CATALOG_API_KEY=${user?.key}`,
      "",
      "",
    ].join("\n"),
  );
  const others = users.length - 1;
  if (others > 0) await messages.info(`The seed has ${others} more with keys of their own.`);
  if (data === undefined) {
    await messages.info("Ctrl-C stops it; what it holds is then gone.");
    return;
  }
  await messages.info(`${data} holds ${pluralize(courses, "course")}, and keeps what changes.`);
  await messages.info("Ctrl-C stops it.");
}

function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

/** The seed that a path holds, or the default one. */
async function readSeed(path: string | undefined, context: Context): Promise<Seed> {
  if (path === undefined) return defaultSeed();
  const loaded = await loadAllCourses([path], context, { mode: "syntax" });
  const [failure] = loaded.failures;
  if (failure !== undefined) throw failure;
  await stopAtErrors(loaded.diagnostics, [], context);
  const values = loaded.courses.map(({ value }) => value);
  const [only] = values;
  const whole = values.length === 1 && isObject(only) && "users" in only ? only : values;
  try {
    return parseSeed(whole, context.clock);
  } catch (error) {
    throw asCatalogError(error).with({ file: path });
  }
}
