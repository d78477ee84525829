/** Runs the API on this machine, alone or for one command. docs/sandbox.md describes the sandbox. */

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { resolve } from "node:path";
import { writeError } from "../base/atomic-write.ts";
import { asCatalogError } from "../base/errors.ts";
import { temporaryPath } from "../base/folders.ts";
import { type Environment, SANDBOX_VARIABLE } from "../base/process.ts";
import { pluralize, quoteShell } from "../base/text.ts";
import type { Context } from "../cli/context.ts";
import { runProgram } from "../cli/programs.ts";
import { type DataStore, openDataFile } from "../sandbox/data-file.ts";
import type { ApprovalPolicy } from "../sandbox/endpoints.ts";
import { startSandbox } from "../sandbox/server.ts";
import { memoryStore } from "../sandbox/store.ts";
import { readSeed } from "./sandbox-seed.ts";

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
  const state = await openState(options, context);
  try {
    // From here on a stop signal closes the server, or is passed on to the command.
    return await context.deferShutdown(() => serveState(state, options, context));
  } finally {
    state.close();
  }
}

async function openState(
  { seed, data: file, command }: ServeOptions,
  context: Context,
): Promise<DataStore> {
  if (file === undefined) {
    const { users } = await readSeed(seed, context);
    return { users, store: memoryStore({ users }), isReopened: false, close: () => undefined };
  }
  const { folder, processes, messages } = context;
  const path = resolve(folder, file);
  const state = await openDataFile({
    file,
    path,
    seed: () => readSeed(seed, context),
    processes,
  });
  if (state.isReopened && seed !== undefined && command.length === 0) {
    await messages.info(
      `Ignored --seed ${seed}, because ${file} already exists. To start over, delete ${file}.`,
    );
  }
  return state;
}

async function serveState(
  state: DataStore,
  options: ServeOptions,
  context: Context,
): Promise<number | undefined> {
  const { host, command } = options;
  const { clock, stop, messages } = context;
  const { store } = state;
  const onError = (cause: unknown): void => {
    void messages.warn(`${asCatalogError(cause).message}; the change failed with HTTP 500`);
  };
  const running = await startSandbox({ ...options, store, clock, onError });
  try {
    if (command.length > 0) return await rehearse(command, running.baseUrl, state, context);
    if (!running.isLocal) {
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
  const { environment } = context;
  const folder = temporaryPath("catalog-sandbox-", context);
  const stateFolder = await mkdtemp(folder).catch((cause: unknown) => {
    throw writeError(folder, cause);
  });
  try {
    const variables = {
      ...environment,
      CATALOG_API_KEY: users[0]?.key ?? "",
      CATALOG_BASE_URL: baseUrl,
      [SANDBOX_VARIABLE]: "1",
      XDG_STATE_HOME: stateFolder,
    };
    return await runProgram(command, variables, context);
  } finally {
    await rm(stateFolder, { recursive: true, force: true });
  }
}

async function printAccess(
  baseUrl: string,
  { users, store }: DataStore,
  { data }: ServeOptions,
  { environment, io, messages, platform }: Context,
): Promise<void> {
  const key = users[0]?.key ?? "";
  const lines = Object.entries({ CATALOG_BASE_URL: baseUrl, CATALOG_API_KEY: key }).map(
    ([name, value]) => `  ${setVariable(name, value, platform, environment)}\n`,
  );
  const start = `Sandbox running at ${baseUrl}. In another terminal, run:\n`;
  await io.out.write(`${start}\n${lines.join("")}\n`);
  const others = users.length - 1;
  if (others > 0) {
    const keys = others === 1 ? "another key" : "other keys";
    await messages.info(`The seed has ${pluralize(others, "more user")}, with ${keys}.`);
  }
  if (data === undefined) {
    await messages.info("Ctrl-C stops it and discards its data. To keep the data: --data <file>");
    return;
  }
  const count = pluralize(store.all().length, "course");
  await messages.info(`Ctrl-C stops it. ${data} keeps its data: ${count}.`);
}

/** The line that sets a variable: for PowerShell on Windows, unless the user's shell is a Unix shell. */
function setVariable(
  name: string,
  value: string,
  platform: NodeJS.Platform,
  { SHELL }: Environment,
): string {
  const isPowerShell = platform === "win32" && SHELL === undefined;
  return isPowerShell
    ? `$env:${name} = '${value.replaceAll("'", "''")}'`
    : `export ${name}=${quoteShell(value)}`;
}
