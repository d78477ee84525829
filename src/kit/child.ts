/** Runs another command to its end, with our streams. */
import { spawn } from "node:child_process";
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
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...environment, ...variables },
    stdio: "inherit",
  });
  const passOn = (): void => {
    // At a terminal Ctrl-C reaches the command by itself.
    if (signal.reason === "SIGTERM" || !io.in.isTerminal) child.kill(signal.reason);
  };
  signal.addEventListener("abort", passOn, { once: true });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, name) =>
        resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])),
      );
    });
  } catch (cause) {
    const why = systemCode(cause) === "ENOENT" ? "there is no such command" : String(cause);
    throw new CatalogError("usage", `could not run ${program}: ${why}`, { cause });
  } finally {
    signal.removeEventListener("abort", passOn);
  }
}
