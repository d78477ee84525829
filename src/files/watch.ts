/** Watches course files and folders for changes. */
import { readdirSync, realpathSync, statSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { attempt } from "../base/errors.ts";
import type { Clock } from "../base/process.ts";
import { DEFAULTS_FILES, isSkipped } from "./find.ts";
import { IGNORE_FILE } from "./ignore.ts";

/** How long to wait for more changes: editors save a file with several operations. */
const QUIET_MILLISECONDS = 100;

/** What is watched: folders with all their entries, and each entry on the way to a path. */
interface Watched {
  readonly folders: Set<string>;
  readonly entries: Set<string>;
}

/** Yields at once, and then after each burst of changes below the paths, until the signal is aborted. */
export async function* watchFiles(
  paths: readonly string[],
  { folder, clock, signal }: { folder: string; clock: Clock; signal: AbortSignal },
): AsyncGenerator<void, void, void> {
  let report = (): void => undefined;
  let changed: Promise<void>;
  let close = (): void => undefined;
  const end = (): void => report();
  signal.addEventListener("abort", end, { once: true });
  try {
    do {
      changed = new Promise((done) => {
        report = done;
      });
      // Opened again after each change: a folder may have been replaced by another one with its name.
      const closeOld = close;
      close = openWatchers(findWatched(paths, folder), () => report());
      closeOld();
      yield;
      await changed;
      await clock.sleep(QUIET_MILLISECONDS);
    } while (!signal.aborted);
  } finally {
    signal.removeEventListener("abort", end);
    close();
  }
}

function findWatched(paths: readonly string[], current: string): Watched {
  const watched: Watched = { folders: new Set(), entries: new Set() };
  for (const name of paths) {
    const path = resolve(current, name);
    if (attempt(() => statSync(path).isDirectory())) addFolder(path, watched);
    for (let at of [path, attempt(() => realpathSync.native(path)) ?? path]) {
      for (; at !== dirname(at); at = dirname(at)) watched.entries.add(at);
    }
  }
  return watched;
}

function addFolder(path: string, watched: Watched): void {
  watched.folders.add(path);
  for (const entry of attempt(() => readdirSync(path, { withFileTypes: true })) ?? []) {
    if (entry.isDirectory() && !isSkipped(entry.name)) addFolder(join(path, entry.name), watched);
  }
}

/** Files that apply to all courses below their folder. */
const FOLDER_FILES: readonly string[] = [...DEFAULTS_FILES, IGNORE_FILE];

/**
 * Watches each folder by itself, because a recursive watcher misses files that are replaced quickly. Many editors replace
 * a file instead of writing into it, so its folder is watched.
 *
 * @returns a function that ends it
 */
function openWatchers({ folders, entries }: Watched, report: () => void): () => void {
  const isWatched = (folder: string, name: string | null): boolean =>
    name === null ||
    folders.has(folder) ||
    entries.has(join(folder, name)) ||
    FOLDER_FILES.includes(name);
  const all = new Set([...folders, ...[...entries].map(dirname)]);
  const watchers = [...all].map((folder) =>
    // A folder above may belong to another user. The folder above one that is gone reports that.
    attempt(() =>
      watch(folder, (_, name) => {
        if (isWatched(folder, name)) report();
      }).on("error", () => undefined),
    ),
  );
  return () => {
    for (const watcher of watchers) watcher?.close();
  };
}
