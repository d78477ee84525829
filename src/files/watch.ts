/** Watches course files and folders for changes. */
import { statSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Clock } from "../base/process.ts";
import { unreadable } from "./decode.ts";

/** Editors save with several operations, which are one change. */
const QUIET_MILLISECONDS = 100;

/**
 * Yields after each burst of changes below the paths, until the signal is aborted. The first watch
 * is in place when the first value is requested.
 */
export async function* watchFiles(
  paths: readonly string[],
  { folder, clock, signal }: { folder: string; clock: Clock; signal: AbortSignal },
): AsyncGenerator<void, void, void> {
  let resolveChange: () => void = () => undefined;
  let changed = new Promise<void>((done) => {
    resolveChange = done;
  });
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
    resolveChange();
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    for (const name of paths)
      watchPath(name, resolve(folder, name), stop.signal, () => resolveChange());
    while (!signal.aborted) {
      await changed;
      if (signal.aborted) return;
      await clock.sleep(QUIET_MILLISECONDS);
      changed = new Promise((done) => {
        resolveChange = done;
      });
      yield;
    }
  } finally {
    signal.removeEventListener("abort", end);
    stop.abort();
  }
}

function watchPath(name: string, path: string, signal: AbortSignal, report: () => void): void {
  try {
    const isFolder = statSync(path).isDirectory();
    // Many editors replace a file instead of writing into it, so its folder is watched.
    const watcher = watch(isFolder ? path : dirname(path), { recursive: isFolder, signal }, report);
    watcher.on("error", report);
  } catch (cause) {
    throw unreadable(name, cause);
  }
}
