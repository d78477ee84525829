/** Runs other programs: a command, the user's editor, browser and pager, and git. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { isKeyVariable } from "../base/credentials.ts";
import { CatalogError, systemCode } from "../base/errors.ts";
import { type Output, streamOutput, UNGUARDED } from "../base/io.ts";
import type { Environment } from "../base/process.ts";
import type { Context, System } from "./context.ts";
import { locate } from "./find-program.ts";

type Needs = Pick<Context, "environment" | "folder" | "platform" | "stop" | "io">;

const NO_ALIAS = 'Type the program as you started it, such as "node bin/catalog.js".';

/**
 * Runs a program and forwards stop signals to it. @returns its exit code, or 128 plus the signal
 */
export async function runChild(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  context: Needs,
): Promise<number> {
  const [name = ""] = words;
  // The shell may have an alias of this name, which only the shell itself can run.
  const advice = name === "catalog" ? NO_ALIAS : undefined;
  const environment = { ...context.environment, ...variables };
  return await run({ words, name, advice, environment }, context);
}

/** A program with its arguments and its environment. */
interface Program {
  readonly words: readonly string[];
  /** What messages call it. */
  readonly name: string;
  /** What to do if it does not exist. */
  readonly advice: string | undefined;
  readonly environment: Environment;
}

async function run(program: Program, context: Needs): Promise<number> {
  const { folder, platform, stop } = context;
  const [name = "", ...rest] = program.words;
  const command = locate(name, program.environment, platform);
  if (command === undefined) throw cannotRun(program);
  // Also starts what Windows cannot: scripts such as npm.cmd.
  const { default: spawn } = await import("cross-spawn");
  if (stop.reason !== undefined) throw new CatalogError("interrupted", "interrupted");
  const forwardTo = signalForwarder(context);
  try {
    const env = program.environment;
    const child = spawn(command, rest, { cwd: folder, env, stdio: "inherit" });
    forwardTo(child);
    return await exitOf(child);
  } catch (cause) {
    throw cannotRun(program, cause);
  }
}

/** What a program has printed. */
export interface Captured {
  readonly code: number;
  readonly output: Buffer;
  /** The beginning of what it wrote to standard error. */
  readonly errors: string;
}

/** A program that needs nobody: its path, its arguments, and what it reads. */
interface Unattended {
  readonly path: string;
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly input?: string;
  /** How many bytes it may print. */
  readonly most: number;
}

/**
 * Runs a program, and forwards stop signals to it. One that prints too much, or nothing for a long time, is killed.
 *
 * @returns undefined if it was killed
 * @throws CatalogError of kind `interrupted` after a stop signal, `usage` if it cannot be run
 */
export async function capture(
  { path, words, environment, input = "", most }: Unattended,
  context: Needs & Pick<Context, "clock">,
): Promise<Captured | undefined> {
  const { stop, clock, folder } = context;
  // Also starts what Windows cannot: scripts such as git.cmd.
  const { default: spawn } = await import("cross-spawn");
  const requireTime = (): void => {
    if (stop.reason !== undefined) throw new CatalogError("interrupted", "interrupted");
  };
  requireTime();
  const forwardTo = signalForwarder(context);
  const child = spawn(path, words, { cwd: folder, env: environment, stdio: "pipe" });
  forwardTo(child);
  let state: "running" | "killed" | "ended" = "running";
  const kill = (): void => {
    state = "killed";
    child.kill("SIGKILL");
    // A program that it has started may keep them open.
    for (const stream of child.stdio) stream?.destroy();
  };
  let isSilent = true;
  const watch = (): void => {
    clock.timeout(PATIENCE).addEventListener("abort", () => {
      if (state !== "running") return;
      if (isSilent) return kill();
      isSilent = true;
      watch();
    });
  };
  watch();
  const chunks: Buffer[] = [];
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    isSilent = false;
    size += chunk.length;
    if (size > most) kill();
    else chunks.push(chunk);
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    if (errors.length < MOST_ERRORS) errors += chunk.toString();
  });
  // A program that ends early does not read everything.
  child.stdin.on("error", () => undefined).end(input);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      // What it has started may live on.
      child.once("exit", () => stop.reason !== undefined && kill());
      child.once("error", reject).once("close", (ended) => resolve(ended ?? KILLED));
    });
    requireTime();
    return state === "running" ? { code, output: Buffer.concat(chunks), errors } : undefined;
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    throw cannotRun({ words: [path], name: path, advice: undefined }, cause);
  } finally {
    state = "ended";
  }
}

/** Milliseconds after which a program that prints nothing is killed; at most twice as many. */
const PATIENCE = 60_000;
/** Characters of standard error that are kept. */
const MOST_ERRORS = 64 * 1024;
/** The exit code of a program that a signal has ended. */
const KILLED = 128;

/**
 * Forwards stop signals, but not Ctrl-C on a terminal: that sends it to both programs itself. To be called
 * before the program starts: the question whether standard input is a terminal makes it non-blocking, which
 * the start undoes.
 */
function signalForwarder({ stop, io }: Pick<Needs, "stop" | "io">): (child: ChildProcess) => void {
  const atTerminal = io.in.isTerminal || io.out.isTerminal || io.err.isTerminal;
  return (child) => {
    const forward = (): void => {
      if (stop.reason !== "SIGINT" || !atTerminal) child.kill(stop.reason);
    };
    stop.signal.addEventListener("abort", forward, { once: true });
    child.once("exit", () => stop.signal.removeEventListener("abort", forward));
  };
}

async function exitOf(child: ChildProcess): Promise<number> {
  return await new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, name) =>
      resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])),
    );
  });
}

/** @param cause what the start failed with; without one, the program was not found */
function cannotRun({ words, name, advice }: Omit<Program, "environment">, cause?: unknown) {
  const code = systemCode(cause) ?? String(cause);
  const isMissing = cause === undefined || /^(ENOENT|ERR_INVALID_ARG_VALUE)$/.test(code);
  const noShell = cause !== undefined && words[0] === SHELL && name !== SHELL;
  const missing = noShell ? `there is no shell named ${SHELL}` : "command not found";
  const message = `cannot run ${name || "an empty command"}: ${isMissing ? missing : code}`;
  return new CatalogError("usage", message, { cause, advice: isMissing ? advice : undefined });
}

/**
 * Runs a program of the user's choice with more arguments. @returns as `runChild`
 *
 * @param tool the value of a variable such as `EDITOR`, and what to do if there is no such program
 */
export async function runTool(
  { value, advice }: { readonly value: string; readonly advice: string },
  more: readonly string[],
  context: Needs,
): Promise<number> {
  const words = [...toolWords(value, context.platform), ...more];
  const environment = withoutKeys(context.environment);
  const program = { words, name: value, advice, environment };
  const code = await run(program, context);
  if (code === NOT_FOUND) throw cannotRun(program);
  return code;
}

/** The environment of tools, which do not use the service. */
export function withoutKeys(environment: Environment): Environment {
  const variables = Object.entries(environment);
  return Object.fromEntries(variables.filter(([name]) => !isKeyVariable(name)));
}

const SHELL = "sh";
/** The exit code of a shell that does not find the command. */
const NOT_FOUND = 127;

/**
 * The words of a tool. As git does, a shell reads what is more than plain words, and gets everything else,
 * such as the path of a file, as arguments. Windows has no shell: there, only quotes have a meaning.
 */
function toolWords(value: string, platform: NodeJS.Platform): readonly string[] {
  if (platform === "win32") {
    const words = value.matchAll(/(?<!\S)'([^']*)'(?!\S)|(?:"[^"]*"|[^\s"])+/g);
    return [...words].map(([word, quoted]) => quoted ?? word.replaceAll('"', ""));
  }
  if (/^[\w\s+,./:@-]+$/.test(value)) return value.trim().split(/\s+/);
  return [SHELL, "-c", `${value} "$@"`, value];
}

/** What `less` does by default: exit if the text fits the screen, show colors, leave it visible. */
const LESS = "FRX";

/** The pager in `CATALOG_PAGER` or `PAGER`; undefined if that is empty or `cat`. */
export function findPager({ CATALOG_PAGER, PAGER }: Environment): string | undefined {
  const value = (CATALOG_PAGER ?? PAGER ?? "").trim();
  return value === "" || value === "cat" ? undefined : value;
}

/** An output that is shown in a pager. */
export interface PagedOutput extends Output {
  /**
   * Ends the text and waits until the user closes the pager.
   *
   * @throws CatalogError of kind `usage` if it was not found
   */
  end(): Promise<void>;
}

/**
 * Starts a pager, if it can be started. A stop signal must not leave it alone with the terminal.
 */
export async function startPager(
  value: string,
  out: Output,
  system: System,
): Promise<PagedOutput | undefined> {
  const { environment, folder, platform, deferShutdown } = system;
  const words = toolWords(value, platform);
  const [name = "", ...rest] = words;
  const program = locate(name, environment, platform);
  if (program === undefined) return undefined;
  const { default: spawn } = await import("cross-spawn");
  const forwardTo = signalForwarder(system);
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...withoutKeys(environment), LESS: environment.LESS ?? LESS },
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = exitOf(child);
  // Awaited when the text has ended; until then a failure must not count as unhandled.
  ended.catch(() => undefined);
  try {
    await once(child, "spawn");
  } catch {
    return undefined;
  }
  const release = deferShutdown();
  forwardTo(child);
  const input = streamOutput(child.stdin);
  return {
    ...UNGUARDED,
    stream: input.stream,
    isTerminal: true,
    get columns() {
      return out.columns;
    },
    get closed() {
      return input.closed;
    },
    write: (text) => input.write(text),
    end: async () => {
      child.stdin.end();
      // Windows finds out late that there is no such program.
      const code = await ended.catch(() => NOT_FOUND);
      release();
      if (code !== NOT_FOUND) return;
      throw cannotRun({ words, name: value, advice: "Set PAGER to another pager." });
    },
  };
}
