/** Runs another command to its end, with our streams. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { CatalogError, systemCode } from "../base/errors.ts";
import type { Context } from "./context.ts";

type Needs = Pick<Context, "environment" | "folder" | "signal" | "io">;

/**
 * Runs a command and waits for its end; a stop signal of ours is passed on.
 *
 * @param words the command and its arguments
 * @param variables added to the environment
 * @returns its exit code, or 128 and the signal's number when a signal ended it
 * @throws CatalogError of kind `usage` when it cannot be started
 */
export async function runChild(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  { environment, folder, signal, io }: Needs,
): Promise<number> {
  const [program = "", ...rest] = words;
  let child: ChildProcess | undefined;
  const atTerminal = io.in.isTerminal || io.out.isTerminal || io.err.isTerminal;
  const passOn = (): void => {
    // At a terminal Ctrl-C reaches the command by itself, and twice would be once too often.
    if (signal.reason === "SIGTERM" || !atTerminal) child?.kill(signal.reason);
  };
  signal.addEventListener("abort", passOn, { once: true });
  try {
    const started = spawn(program, rest, {
      cwd: folder,
      env: { ...environment, ...variables },
      stdio: "inherit",
    });
    child = started;
    return await new Promise<number>((resolve, reject) => {
      started.once("error", reject);
      started.once("exit", (code, name) =>
        resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])),
      );
    });
  } catch (cause) {
    const code = systemCode(cause);
    const unknown = code === "ENOENT" || code === "ERR_INVALID_ARG_VALUE";
    const why = unknown ? "there is no such command" : (code ?? String(cause));
    throw new CatalogError("usage", `could not run ${program || "an empty name"}: ${why}`, {
      cause,
    });
  } finally {
    signal.removeEventListener("abort", passOn);
  }
}
