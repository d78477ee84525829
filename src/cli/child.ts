/** Runs other programs: the command of `catalog sandbox --`, and the user's browser. */
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
