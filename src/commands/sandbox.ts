/** `catalog sandbox`: runs the API on this machine, alone or for one command. docs/sandbox.md describes the sandbox. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { destinationIn, writeError } from "../base/atomic-write.ts";
import { asCatalogError, usageError } from "../base/errors.ts";
import { temporaryPath } from "../base/files.ts";
import { SANDBOX_VARIABLE } from "../base/io.ts";
import { quoteShell } from "../base/text.ts";
import { isObject, numberFrom } from "../base/values.ts";
import { type Flag, nonEmpty, type Typed } from "../cli/arguments.ts";
import { command } from "../cli/command.ts";
import type { Context } from "../cli/context.ts";
import { loadAllCourses, stopAtErrors } from "../cli/course-files.ts";
import { runProgram } from "../cli/programs.ts";
import { FileCourse, locateError } from "../core/located.ts";
import { writtenValue } from "../files/course-file.ts";
import { type DataStore, openDataFile } from "../sandbox/data-file.ts";
import { defaultSeed, isSeedCourse, parseSeeds, SeedError } from "../sandbox/seed.ts";
import { startSandbox } from "../sandbox/server.ts";
import { memoryStore, type Seed } from "../sandbox/store.ts";

const DEFAULT_PORT = 4010;
/** Seconds of a day: no pause is longer. */
const DAY = 86_400;
const DEFAULT_STATUS = "approved";
const FLAGS = [
  {
    name: "port",
    value: "<n>",
    parse: numberFrom(0, 65_535),
    description: `port to listen on; 0 is any free port (default ${DEFAULT_PORT}; with a command, any free port)`,
  },
  {
    name: "host",
    value: "<address>",
    parse: nonEmpty,
    description: "network address to listen on (default 127.0.0.1: only this machine can connect)",
  },
  {
    name: "seed",
    value: "<path>",
    parse: nonEmpty,
    repeatable: true,
    description: "start with this data: users, a list of providers, or courses",
  },
  {
    name: "data",
    value: "<file>",
    parse: nonEmpty,
    description: "keep the data in this file across restarts; created if missing",
  },
  {
    name: "latency",
    value: "<ms>",
    parse: numberFrom(0, DAY * 1000),
    description: "delay every response",
  },
  {
    name: "fail",
    value: "<rate>",
    parse: numberFrom(0, 1, "a number"),
    description: "the share of requests that fail, from 0 to 1",
  },
  {
    name: "approve-after",
    value: "<seconds>",
    parse: numberFrom(0, DAY, "a number"),
    description: "approve each new course after this time (default: courses stay pending)",
  },
  {
    name: "approve-as",
    needs: "approve-after",
    value: "<status>",
    parse: nonEmpty,
    description: `the status that --approve-after sets (default ${DEFAULT_STATUS})`,
  },
] as const satisfies readonly Flag[];

/** Starts a server on this machine; sends nothing. */
export const sandbox = command({
  description:
    "No request leaves your machine, so you can try every command safely. The sandbox has every endpoint, rule, error and " +
    "limit of the API, and keeps its data in memory or in a file. A command after -- runs with " +
    "CATALOG_BASE_URL and CATALOG_API_KEY set to a new sandbox, and leaves nothing in your history; catalog then " +
    "exits with the command's exit code.",
  arguments: [
    {
      name: "-- command",
      variadic: true,
      isForeign: true,
      description: "run this command with a new sandbox, which stops when the command ends",
    },
  ],
  flags: FLAGS,
  examples: {
    "Start a sandbox; it prints what to do next": "catalog sandbox",
    "Start with the courses of a folder": "catalog sandbox --seed courses/",
    "Keep the data for next time": "catalog sandbox --data sandbox.data",
    "Test a script while one request in ten fails": "catalog sandbox --fail 0.1 -- sh publish.sh",
    "Approve new courses after two seconds": "catalog sandbox --approve-after 2",
  },
  showsKey: true,
  parse: parseOptions,
  run: serve,
});

const EXAMPLE = "For example: catalog sandbox -- sh publish.sh";

function parseOptions({ words, passthrough, ...flags }: Typed<typeof FLAGS>) {
  const command = passthrough ?? [];
  if (words.length > command.length || passthrough?.length === 0) {
    throw usageError("a command for the sandbox must be after --", EXAMPLE);
  }
  const { approveAfter: after, approveAs: as = DEFAULT_STATUS, ...others } = flags;
  const approval = after === undefined ? undefined : { after: after * 1000, as };
  const { port = command.length === 0 ? DEFAULT_PORT : 0 } = flags;
  return { ...others, port, approval, command };
}

type Options = ReturnType<typeof parseOptions>;

/** Serves until the process is stopped, or until the command ends. @returns the exit code of the command, if there is one */
async function serve(options: Options, context: Context): Promise<number | undefined> {
  const state = await openState(options, context);
  try {
    // From here on a stop signal closes the server, or is passed on to the command.
    return await context.deferShutdown(() => serveState(state, options, context));
  } finally {
    state.close();
  }
}

async function openState({ seed, data, command }: Options, context: Context): Promise<DataStore> {
  const read = async () => await readSeeds(seed, context);
  if (data === undefined) {
    const { users } = await read();
    return { users, store: memoryStore({ users }), isReopened: false, close: () => undefined };
  }
  const file = destinationIn(context.folder, data);
  const state = await context.deferShutdown(() => openDataFile(file, read));
  if (state.isReopened && seed.length > 0 && command.length === 0) {
    await context.messages.info(
      `Ignored --seed ${seed.join(", ")}, because ${data} already exists. To start over, delete ${data}.`,
    );
  }
  return state;
}

/** Reads files of users, providers or courses. @param paths none for the default seed */
async function readSeeds(paths: readonly string[], context: Context): Promise<Seed> {
  if (paths.length === 0) return defaultSeed();
  const seeds: Awaited<ReturnType<typeof readSeed>>[] = [];
  for (const path of paths) seeds.push(await readSeed(path, context));
  try {
    const values = seeds.map(({ value }) => value);
    return parseSeeds(values, context.clock);
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    const [number, ...path] = error.path;
    const { hasUsers = false, sources = [] } = seeds[Number(number)] ?? {};
    // A list is the list of the first user: `users[0].courses[3]` is the fourth item of all files.
    const source = hasUsers ? sources[0] : sources[Number(path[3])];
    const inside = hasUsers ? path : path.slice(4);
    throw await locateError(error, source && new FileCourse(source, {}), inside);
  }
}

async function readSeed(path: string, context: Context) {
  const loaded = await loadAllCourses([path], context, { mode: "syntax" });
  await stopAtErrors(loaded.diagnostics, context, "the sandbox did not start");
  const sources = loaded.courses;
  const written = sources.map(writtenValue);
  const hasUsers = written.length === 1 && isObject(written[0]) && "users" in written[0];
  // Courses have the values of the catalog.defaults.yaml in their folders.
  const list = written.some(isSeedCourse) ? sources.map(({ value }) => value) : written;
  return { sources, hasUsers, value: hasUsers ? written[0] : list };
}

async function serveState(
  state: DataStore,
  options: Options,
  context: Context,
): Promise<number | undefined> {
  const { clock, stop, messages } = context;
  const { store } = state;
  const onError = (cause: unknown): void => {
    void messages.warn(`${asCatalogError(cause).message}; the change failed with HTTP 500`);
  };
  const running = await startSandbox({ ...options, store, clock, onError });
  try {
    if (options.command.length > 0) {
      return await rehearse(options.command, running.baseUrl, state, context);
    }
    if (!running.isLocal) {
      const { host } = options;
      await messages.warn(`anyone on the network can use the sandbox, because --host is ${host}`);
    }
    await printAccess(running.baseUrl, state, options, context);
    if (stop.reason === undefined) await once(stop.signal, "abort");
    return undefined;
  } finally {
    await running.close();
  }
}

/** Runs a command against the sandbox, with a separate history, which ends with it. @returns its exit code */
async function rehearse(
  command: readonly string[],
  baseUrl: string,
  { users }: DataStore,
  context: Context,
): Promise<number> {
  const prefix = temporaryPath("catalog-sandbox-", context.environment);
  const stateFolder = await mkdtemp(prefix).catch((cause: unknown) => {
    throw writeError(prefix, cause);
  });
  const variables = {
    CATALOG_API_KEY: users[0]?.key,
    CATALOG_BASE_URL: baseUrl,
    [SANDBOX_VARIABLE]: "1",
    XDG_STATE_HOME: stateFolder,
  };
  try {
    return await runProgram(command, { ...context.environment, ...variables }, context);
  } finally {
    await rm(stateFolder, { recursive: true, force: true });
  }
}

async function printAccess(
  baseUrl: string,
  { users }: DataStore,
  { data }: Options,
  { environment: { SHELL }, io, messages, platform }: Context,
): Promise<void> {
  const isPowerShell = SHELL === undefined ? platform === "win32" : /pwsh$/.test(SHELL);
  const lines = Object.entries({ CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: users[0]?.key ?? "" })
    .map(([name, value]) =>
      isPowerShell
        ? `$env:${name} = '${value.replaceAll("'", "''")}'`
        : `export ${name}=${quoteShell(value)}`,
    )
    .map((line) => `  ${line}`);
  const start = `Sandbox running at ${baseUrl}. In another terminal, run:`;
  await io.out.write([start, "", ...lines, "", ""].join("\n"));
  const kept = data === undefined ? "To keep its data: --data <file>" : `${data} keeps its data.`;
  await messages.info(`Ctrl-C stops it. ${kept}`);
}
