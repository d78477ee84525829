/** Runs other programs with the streams of this one: a command, and the pager of the user. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { CatalogError, systemCode } from "../base/errors.ts";
import { type Output, streamOutput, UNGUARDED } from "../base/io.ts";
import type { Environment } from "../base/process.ts";
import type { Context, System } from "./context.ts";

type Needs = Pick<Context, "environment" | "folder" | "stop" | "io">;

const NO_ALIAS = 'Type the program as you started it, such as "node bin/catalog.js".';

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

/** What `less` does by default: exit if the text fits the screen, show colors, leave it visible. */
const LESS = "FRX";

/** The words of the pager in `CATALOG_PAGER` or `PAGER`; undefined if that is empty or `cat`. */
export function pagerWords({ CATALOG_PAGER, PAGER }: Environment): readonly string[] | undefined {
  const words = (CATALOG_PAGER ?? PAGER ?? "").split(/\s+/).filter((word) => word !== "");
  return words.length === 0 || words[0] === "cat" ? undefined : words;
}

/** An output that is shown in a pager. */
export interface PagedOutput extends Output {
  /** Ends the text and waits until the user closes the pager. */
  end(): Promise<void>;
}

/**
 * Starts a pager, if it can be started. A stop signal must not leave it alone with the terminal.
 */
export async function startPager(
  [program = "", ...rest]: readonly string[],
  out: Output,
  { environment, folder, deferShutdown }: System,
): Promise<PagedOutput | undefined> {
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...environment, LESS: environment.LESS ?? LESS },
    stdio: ["pipe", "inherit", "inherit"],
  });
  const exited = once(child, "exit");
  try {
    await once(child, "spawn");
  } catch {
    exited.catch(() => undefined);
    return undefined;
  }
  const release = deferShutdown();
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
      await exited;
      release();
    },
  };
}
