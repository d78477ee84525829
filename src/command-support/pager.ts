/** Shows long output in the user's pager, as git does. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Output, streamOutput, UNGUARDED } from "../base/io.ts";
import type { Environment } from "../base/process.ts";
import type { System } from "./context.ts";

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
