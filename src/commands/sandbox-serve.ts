/** Runs the API on this machine, alone or for one command. docs/sandbox.md describes the sandbox. */
import { once } from "node:events";
import { resolve } from "node:path";
import { isKeyVariable } from "../base/credentials.ts";
import { requireLinksInside } from "../base/folders.ts";
import type { Environment } from "../base/process.ts";
import { pluralize, quoteShell } from "../base/text.ts";
import { isObject } from "../base/values.ts";
import { runProgram } from "../command-support/child.ts";
import type { Context } from "../command-support/context.ts";
import { loadAllCourses, stopAtErrors } from "../command-support/course-files.ts";
import { requireNoFormat } from "../command-support/globals.ts";
import { FileCourse, locateError } from "../command-support/located.ts";
import { type DataStore, openDataFile } from "../sandbox/data-file.ts";
import type { ApprovalPolicy } from "../sandbox/endpoints.ts";
import { defaultSeed, isSeedCourse, parseSeed, SeedError } from "../sandbox/seed.ts";
import { startSandbox } from "../sandbox/server.ts";
import { memoryStore, type Seed } from "../sandbox/store.ts";

export interface ServeOptions {
  readonly port: number;
  readonly host: string;
  /** The path of the seed: a file, or a folder of courses. */
  readonly seed: string | undefined;
  /** The path of the file that keeps the data. */
  readonly data: string | undefined;
  /** The delay of every response, in milliseconds. */
  readonly latency: number;
  /** The share of requests that fail, 0 to 1. */
  readonly fail: number;
  readonly approval: ApprovalPolicy | undefined;
  /** The command to run against the sandbox, with its arguments; empty for none. */
  readonly command: readonly string[];
}

/** Serves until the process is stopped, or until the command ends. @returns the exit code of the command, if there is one */
export async function serve(options: ServeOptions, context: Context): Promise<number | undefined> {
  requireNoFormat("sandbox", context.options);
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

async function openState({ seed, data }: ServeOptions, context: Context): Promise<DataStore> {
  if (data === undefined) {
    const { users } = await readSeed(seed, context);
    const store = memoryStore({ users });
    return { users, store, isReopened: false, courses: store.size, close: () => undefined };
  }
  const { author, folder, processes, messages } = context;
  const path = resolve(folder, data);
  requireLinksInside(data, path, folder);
  const state = await openDataFile({
    file: data,
    path,
    seed: () => readSeed(seed, context),
    onWriteError: ({ message }) => {
      void messages.warn(`${message}; changes fail with HTTP 500 until the file can be written`);
    },
    processes,
    host: author.host,
  });
  if (state.isReopened && seed !== undefined) {
    await messages.info(
      `Ignored --seed ${seed}, because ${data} already exists. To start over, delete ${data}.`,
    );
  }
  return state;
}

async function serveState(
  state: DataStore,
  options: ServeOptions,
  context: Context,
): Promise<number | undefined> {
  const { port, host, latency, fail, approval } = options;
  const { clock, environment, stop } = context;
  const { store, users } = state;
  const earlier = state.isReopened ? users : [];
  const serving = { store, port, host, latency, fail, approval, earlier, clock };
  const running = await startSandbox(serving);
  if (!running.isLocal) {
    await context.messages.warn(
      `anyone on the network can use the sandbox, because --host is ${host}`,
    );
  }
  try {
    if (options.command.length > 0) {
      const key = users[0]?.key ?? "";
      // The key variables of profiles take precedence, so all of them get the sandbox's key.
      const names = ["CATALOG_API_KEY", ...Object.keys(environment).filter(isKeyVariable)];
      const keys = Object.fromEntries(names.map((name) => [name, key]));
      const variables = { CATALOG_BASE_URL: running.baseUrl, ...keys };
      const direct = bypassProxy(new URL(running.baseUrl).hostname, environment);
      return await runProgram(
        {
          words: options.command,
          environment: { ...environment, ...variables, ...direct },
          // In the shell, `catalog` may be an alias, which is not a program.
          advice: options.command[0] === "catalog" ? NO_ALIAS : undefined,
        },
        context,
      );
    }
    await printAccess(running.baseUrl, state, options, context);
    if (stop.reason === undefined) await once(stop.signal, "abort");
    return undefined;
  } finally {
    await running.close();
  }
}

const NO_ALIAS =
  "Shell aliases do not work here. If catalog is an alias, write its command: node bin/catalog.js";

/** The variables with which programs reach a host without the proxy that the environment names. */
function bypassProxy(host: string, environment: Environment): Readonly<Record<string, string>> {
  const before = environment.no_proxy || environment.NO_PROXY;
  // Some programs write an IPv6 address in brackets, others do not.
  const names = [...new Set([before, host, host.replace(/^\[(.*)\]$/, "$1")])];
  const list = names.filter((name) => name !== undefined && name !== "").join(",");
  // Some programs read NO_PROXY, others no_proxy.
  return { NO_PROXY: list, no_proxy: list };
}

async function printAccess(
  baseUrl: string,
  { users, courses }: DataStore,
  { data }: ServeOptions,
  { io, messages }: Context,
): Promise<void> {
  const [user] = users;
  await io.out.write(
    [
      `Sandbox running at ${baseUrl}. In another terminal, run:`,
      "",
      `  export CATALOG_BASE_URL=${baseUrl}`,
      `  export CATALOG_API_KEY=${quoteShell(user?.key ?? "")}`,
      "",
      "",
    ].join("\n"),
  );
  const others = users.length - 1;
  if (others > 0) {
    const keys = others === 1 ? "another key" : "other keys";
    await messages.info(`The seed has ${pluralize(others, "more user")}, with ${keys}.`);
  }
  if (data === undefined) {
    await messages.info("Ctrl-C stops it and discards its data. To keep the data: --data <file>");
    return;
  }
  const count = pluralize(courses, "course");
  await messages.info(`Ctrl-C stops it. ${data} keeps its data: ${count}.`);
}

async function readSeed(path: string | undefined, context: Context): Promise<Seed> {
  if (path === undefined) return defaultSeed();
  const loaded = await loadAllCourses([path], context, { mode: "syntax" });
  const [failure] = loaded.failures;
  if (failure !== undefined) throw failure;
  await stopAtErrors(loaded.diagnostics, [], context, { effect: "The sandbox did not start." });
  const sources = loaded.courses;
  const [only] = sources;
  const hasUsers = sources.length === 1 && isObject(only?.value) && "users" in only.value;
  const hasCourses = sources.some(({ value }) => isSeedCourse(value));
  // Courses get the values of the catalog.defaults.yaml in their folders.
  const list = sources.map(({ value, defaultValues }) =>
    hasCourses && isObject(value) ? { ...value, ...defaultValues } : value,
  );
  try {
    return parseSeed(hasUsers ? only?.value : list, context.clock);
  } catch (error) {
    if (!(error instanceof SeedError)) throw error;
    // In a list, the first step of the path is the index among the items of all files.
    const { path, place, problem } = error;
    const [index, start] = hasUsers ? [0, 0] : [Number(path[0]), 1];
    const found = new SeedError(path.slice(start), problem);
    const source = sources[index];
    const from = source === undefined ? undefined : new FileCourse(source, {});
    throw await locateError(found, from, place.slice(start));
  }
}
