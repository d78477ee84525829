/** Watches course files and folders for changes. */
import { readdirSync, realpathSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt } from "../base/errors.ts";
import type { Clock } from "../base/io.ts";
import { DEFAULTS_FILES, IGNORE_FILE, isSkipped } from "./find.ts";

/** How long to wait for more changes: editors save a file with several operations. */
const QUIET_MILLISECONDS = 100;

/** Files that apply to all courses below their folder. */
const FOLDER_FILES: readonly string[] = [...DEFAULTS_FILES, IGNORE_FILE];

/** Yields at once, and then after each burst of changes below the paths, until the signal is aborted. */
export async function* watchFiles(
  paths: readonly string[],
  { folder, clock, signal }: { folder: string; clock: Clock; signal: AbortSignal },
): AsyncGenerator<void, void, void> {
  const all = paths.map((path) => resolve(folder, path));
  let report = (): void => undefined;
  let close = (): void => undefined;
  signal.addEventListener("abort", () => report(), { once: true });
  try {
    do {
      const changed = new Promise<void>((done) => {
        report = done;
      });
      // Opened again after each change: a folder may have been replaced by another one with its name.
      const closeOld = close;
      close = openWatchers(all, () => report());
      closeOld();
      yield;
      await changed;
      await clock.sleep(QUIET_MILLISECONDS);
    } while (!signal.aborted);
  } finally {
    close();
  }
}

/**
 * Watches each folder by itself, because a recursive watcher misses files that are replaced quickly. Many editors replace
 * a file instead of writing into it, so its folder is watched, and so is each folder on the way to a path.
 *
 * @returns a function that ends it
 */
function openWatchers(paths: readonly string[], report: () => void): () => void {
  const folders = new Set<string>();
  const entries = new Set<string>();
  const watchers = new Map<string, ReturnType<typeof watch> | undefined>();
  const isWatched = (folder: string, name: string): boolean =>
    folders.has(folder) || entries.has(join(folder, name)) || FOLDER_FILES.includes(name);
  const open = (folder: string): void => {
    if (watchers.has(folder)) return;
    // A folder above may belong to another user. The folder above one that is gone reports that.
    const watcher = attempt(() =>
      watch(folder, (_, name) => {
        if (name === null || isWatched(folder, name)) report();
      }).on("error", () => undefined),
    );
    watchers.set(folder, watcher);
  };
  const openAll = (folder: string): void => {
    // Before its folders are listed: one that is created after the list is reported.
    open(folder);
    folders.add(folder);
    for (const entry of attempt(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      if (entry.isDirectory() && !isSkipped(entry.name)) openAll(join(folder, entry.name));
    }
  };
  for (const path of paths) {
    for (let at of [path, attempt(() => realpathSync.native(path)) ?? path]) {
      for (; at !== dirname(at); at = dirname(at)) {
        entries.add(at);
        open(dirname(at));
      }
    }
    openAll(path);
  }
  return () => {
    for (const watcher of watchers.values()) watcher?.close();
  };
}
