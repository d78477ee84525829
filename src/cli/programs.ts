/** Starts other programs, never through a shell: the browser of `preview`, and the command of `sandbox --`. */
import { once } from "node:events";
import { lstatSync } from "node:fs";
import { constants } from "node:os";
import { join, win32 } from "node:path";
import { attempt, CatalogError, systemCode, usageError } from "../base/errors.ts";
import { type Environment, isUnattended } from "../base/io.ts";
import type { Context } from "./context.ts";

/** Whether there is a user who can see a browser: not in CI, and not if the output goes to a file. */
export function canOpenBrowser({ io, environment }: Context): boolean {
  return io.out.isTerminal && !isUnattended(environment);
}

/** Opens a page in the user's browser, which does not get the key. @throws CatalogError of kind `usage` */
export async function openInBrowser(url: string, context: Context): Promise<void> {
  const { platform } = context;
  const environment: Environment = { ...context.environment, CATALOG_API_KEY: undefined };
  const program = { darwin: "open", win32: "explorer.exe" }[platform as string] ?? "xdg-open";
  const code = await runProgram([program, url], environment, context);
  // explorer.exe ends with 1 even after success.
  if (code === 0 || platform === "win32") return;
  throw usageError(`cannot open the browser: ${program} ended with exit code ${code}`);
}

/**
 * Runs a program, and forwards stop signals to it. @returns its exit code, or 128 plus the number of the signal that
 * ended it @throws CatalogError of kind `usage` if it cannot be run
 */
export async function runProgram(
  [name = "", ...rest]: readonly string[],
  environment: Environment,
  { folder, platform, stop, io }: Context,
): Promise<number> {
  const program = platform === "win32" ? findOnWindows(name, environment) : name;
  if (!program) throw cannotRun(name, "command not found");
  // Node.js cannot start scripts such as npm.cmd on Windows.
  const { default: spawn } = await import("cross-spawn");
  if (stop.reason !== undefined) throw new CatalogError("interrupted", "interrupted");
  // Asked before the start: to ask makes the input non-blocking, and the start makes it blocking again.
  const atTerminal = io.in.isTerminal || io.out.isTerminal || io.err.isTerminal;
  try {
    const child = spawn(program, rest, { cwd: folder, env: environment, stdio: "inherit" });
    const forward = (): void => {
      // The terminal sends Ctrl-C to both processes.
      if (stop.reason !== "SIGINT" || !atTerminal) child.kill(stop.reason);
    };
    stop.signal.addEventListener("abort", forward, { once: true });
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals];
    return code ?? 128 + constants.signals[signal];
  } catch (cause) {
    const code = systemCode(cause) ?? String(cause);
    throw cannotRun(name, code === "ENOENT" ? "command not found" : code);
  }
}

function cannotRun(name: string, reason: string): CatalogError {
  return usageError(`cannot run ${name || "an empty command"}: ${reason}`);
}

/**
 * The path of a program. Windows looks for a bare name first in the current folder, which may be someone else's
 * project, so this looks only in the absolute folders of `PATH`, as other systems do.
 */
function findOnWindows(name: string, environment: Environment): string | undefined {
  if (/[\\/:]/.test(name)) return name;
  // On Windows, the names of variables have no case.
  const path = Object.entries(environment).find(([each]) => each.toUpperCase() === "PATH")?.[1];
  const names = win32.extname(name) === "" ? [".com", ".exe", ".bat", ".cmd"] : [""];
  return (path ?? "")
    .split(win32.delimiter)
    .map((folder) => folder.replaceAll('"', ""))
    .filter((folder) => win32.isAbsolute(folder))
    .flatMap((folder) => names.map((extension) => join(folder, name + extension)))
    .find((file) => attempt(() => lstatSync(file))?.isDirectory() === false);
}
