/** Folders in which no file can grow. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { newFolder, type ProcessResult, runScript, type StartOptions } from "./rig.ts";

/** A folder whose files are limited. */
export interface CrampedFolder {
  readonly folder: string;
  /** Allows files of that many KiB; undefined allows any. */
  limit(size?: number): void;
  /** Runs `catalog` there. */
  run(words: readonly string[], options?: StartOptions): Promise<ProcessResult>;
}

/** A folder whose files may have any size at first. */
export async function crampedFolder(): Promise<CrampedFolder> {
  const folder = await newFolder();
  let blocks = "unlimited";
  return {
    folder,
    limit: (size) => {
      blocks = size === undefined ? "unlimited" : String(size * 2);
    },
    run: (words, options) =>
      runScript(`ulimit -f ${blocks}; exec catalog "$@"`, words, { ...options, folder }),
  };
}

/** The contents of all files below a folder by path. */
export async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}
