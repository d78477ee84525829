/** Watches course files and folders for changes. */
import { statSync, watch } from "node:fs";
import { dirname, resolve } from "node:path";
import { attempt } from "../base/errors.ts";
import type { Clock } from "../base/process.ts";
import { unreadable } from "./decode.ts";
import { DEFAULTS_FILES } from "./find.ts";
import { IGNORE_FILE } from "./ignore.ts";

/** How long to wait for more changes: editors save a file with several operations. */
const QUIET_MILLISECONDS = 100;

/** Yields after each burst of changes below the paths, from the first request on, until the signal is aborted. */
export async function* watchFiles(
  paths: readonly string[],
  { folder, clock, signal }: { folder: string; clock: Clock; signal: AbortSignal },
): AsyncGenerator<void, void, void> {
  let resolveChange: () => void = () => undefined;
  const nextChange = (): Promise<void> =>
    new Promise((done) => {
      resolveChange = done;
    });
  let changed = nextChange();
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
    resolveChange();
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    const report = (): void => resolveChange();
    const above = new Set<string>();
    for (const name of paths) {
      const path = resolve(folder, name);
      watchPath(name, path, stop.signal, report);
      for (let at = path; at !== dirname(at); at = dirname(at)) above.add(dirname(at));
    }
    for (const parent of above) watchParent(parent, stop.signal, report);
    while (!signal.aborted) {
      await changed;
      if (signal.aborted) return;
      await clock.sleep(QUIET_MILLISECONDS);
      changed = nextChange();
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

/** Files of a folder that apply to all courses below the folder. */
const PARENT_FILES: readonly (string | null)[] = [...DEFAULTS_FILES, IGNORE_FILE];

function watchParent(folder: string, signal: AbortSignal, report: () => void): void {
  // Folders above may belong to other users, and be unreadable.
  attempt(() => {
    const watcher = watch(folder, { signal }, (_, name) => {
      if (PARENT_FILES.includes(name)) report();
    });
    watcher.on("error", () => undefined);
  });
}
