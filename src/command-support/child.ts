/** Runs other programs: the command of `catalog sandbox --`, the user's browser, and git. */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { CatalogError, systemCode } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";
import type { Context } from "./context.ts";
import { locate } from "./find-program.ts";

type Needs = Pick<Context, "folder" | "platform" | "stop" | "io">;

interface Program {
  /** The program's name or path, and its arguments. */
  readonly words: readonly string[];
  readonly environment: Environment;
  /** What to do if there is no such program. */
  readonly advice?: string | undefined;
}

/**
 * Runs a program without a shell, and forwards stop signals to it. @returns its exit code, or 128 plus the number of
 * the signal that ended it @throws CatalogError of kind `usage` if it cannot be run
 */
export async function runProgram(
  { words, environment, advice }: Program,
  context: Needs,
): Promise<number> {
  const { folder, platform, stop } = context;
  const [name = "", ...rest] = words;
  const command = locate(name, environment, platform);
  if (command === undefined) throw cannotRun(name, advice);
  // cross-spawn can start scripts such as npm.cmd on Windows, which Node.js cannot.
  const { default: spawn } = await import("cross-spawn");
  if (stop.reason !== undefined) throw new CatalogError("interrupted", "interrupted");
  const forwardTo = signalForwarder(context);
  try {
    const child = spawn(command, rest, { cwd: folder, env: environment, stdio: "inherit" });
    forwardTo(child);
    return await exitOf(child);
  } catch (cause) {
    throw cannotRun(name, advice, cause);
  }
}

/** The result of a program. */
export interface Captured {
  readonly code: number;
  readonly output: Buffer;
  /** The beginning of its standard error. */
  readonly errors: string;
}

interface Unattended {
  readonly path: string;
  readonly words: readonly string[];
  readonly environment: Environment;
  readonly input?: string;
  readonly most: number;
}

/**
 * Runs a program, and forwards stop signals to it. Kills a program that prints too much, or nothing for a long time.
 *
 * @returns undefined if it was killed
 * @throws CatalogError of kind `interrupted` after a stop signal, `usage` if it cannot be run
 */
export async function capture(
  { path, words, environment, input = "", most }: Unattended,
  context: Needs & Pick<Context, "clock">,
): Promise<Captured | undefined> {
  const { stop, clock, folder } = context;
  // cross-spawn can start scripts such as git.cmd on Windows, which Node.js cannot.
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
    // A program that the child has started may keep the streams open.
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
    if (errors.length < MAX_ERRORS) errors += chunk.toString();
  });
  // A program that ends early may not read all of its input.
  child.stdin.on("error", () => undefined).end(input);
  try {
    const code = await new Promise<number>((resolve, reject) => {
      // Programs that the child has started may go on and keep the streams open.
      child.once("exit", () => stop.reason !== undefined && kill());
      child.once("error", reject).once("close", (ended) => resolve(ended ?? KILLED));
    });
    requireTime();
    return state === "running" ? { code, output: Buffer.concat(chunks), errors } : undefined;
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    throw cannotRun(path, undefined, cause);
  } finally {
    state = "ended";
  }
}

/** A program is killed if it prints nothing for this many milliseconds, or at most twice as many. */
const PATIENCE = 60_000;
const MAX_ERRORS = 64 * 1024;
const KILLED = 128;

/**
 * Forwards stop signals to a child, except Ctrl-C on a terminal, which the terminal sends to both processes.
 *
 * Call this before the child starts: to ask whether standard input is a terminal makes the input non-blocking, and the
 * start of a child makes it blocking again.
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

/** The error of a program that cannot be run. @param cause the error of its start; without one, it was not found */
function cannotRun(name: string, advice: string | undefined, cause?: unknown): CatalogError {
  const code = systemCode(cause) ?? String(cause);
  const isMissing = cause === undefined || /^(ENOENT|ERR_INVALID_ARG_VALUE)$/.test(code);
  const reason = isMissing ? "command not found" : code;
  const message = `cannot run ${name || "an empty command"}: ${reason}`;
  return new CatalogError("usage", message, { cause, advice: isMissing ? advice : undefined });
}

/** The environment without API keys, for programs that do not use the service. */
export function withoutKeys(environment: Environment): Environment {
  return { ...environment, CATALOG_API_KEY: undefined };
}
