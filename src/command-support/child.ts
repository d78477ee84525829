/** Runs another program with the streams of this one. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { CatalogError, systemCode } from "../base/errors.ts";
import type { Context } from "./context.ts";

type Needs = Pick<Context, "environment" | "folder" | "stop" | "io">;

const NO_ALIAS =
  'Type the program as you started it, such as "npx catalog" or "node bin/catalog.js".';

/**
 * Runs a program and forwards stop signals to it. @returns its exit code, or 128 plus the signal
 */
export async function runChild(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  { environment, folder, stop, io }: Needs,
): Promise<number> {
  const [program = "", ...rest] = words;
  const atTerminal = io.in.isTerminal || io.out.isTerminal || io.err.isTerminal;
  try {
    const env = { ...environment, ...variables };
    const child = spawn(program, rest, { cwd: folder, env, stdio: "inherit" });
    const forward = (): void => {
      // A terminal sends Ctrl-C to both programs, and the child must not get it twice.
      if (stop.reason === "SIGTERM" || !atTerminal) child.kill(stop.reason);
    };
    stop.signal.addEventListener("abort", forward, { once: true });
    return await new Promise<number>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, name) =>
        resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])),
      );
    });
  } catch (cause) {
    const code = systemCode(cause);
    const unknown = code === "ENOENT" || code === "ERR_INVALID_ARG_VALUE";
    const why = unknown ? "command not found" : (code ?? String(cause));
    const message = `cannot run ${program || "an empty command"}: ${why}`;
    // The shell may have an alias of this name, which only the shell itself can run.
    const advice = unknown && program === "catalog" ? NO_ALIAS : undefined;
    throw new CatalogError("usage", message, { cause, advice });
  }
}
