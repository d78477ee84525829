/** Folders on a full disk, or under a limit on file sizes. */
import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { newFolder, type ProcessResult, runScript, type StartOptions } from "./rig.ts";

/** A folder with almost no space. */
export interface FullFolder {
  readonly folder: string;
  /** Fills the space except this many KiB. */
  fill(left?: number): void;
  /** Frees the space. */
  empty(): void;
  /** Runs `catalog` there. */
  run(words: readonly string[], options?: StartOptions): Promise<ProcessResult>;
}

/** A way to prevent writes. */
export interface WriteLimit {
  readonly name: string;
  /** Whether it is available on this machine. */
  readonly isAvailable: boolean;
  /** The error code of the system. */
  readonly code: string;
  readonly make: () => Promise<FullFolder>;
}

const MOUNTING = ["-t", "tmpfs", "-o", "size=1m", "tmpfs"];

/** Tries to mount in a separate namespace, which leaves nothing on the system. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const mounted = spawnSync("unshare", ["--mount", "mount", ...MOUNTING, "/mnt"]);
  return mounted.status === 0;
}

async function fullDisk(): Promise<FullFolder> {
  const folder = await newFolder();
  const mounted = spawnSync("mount", [...MOUNTING, folder], { encoding: "utf8" });
  // Without a mount, the test would fill the machine's own disk.
  if (mounted.status !== 0) throw new Error(`no disk to fill: ${mounted.stderr}`);
  onTestFinished(() => void spawnSync("umount", ["--lazy", folder]));
  return {
    folder,
    fill: (left = 0) => fillUp(join(folder, ".filler"), left * 1024),
    empty: () => rmSync(join(folder, ".filler")),
    run: (words, options) => runScript('exec catalog "$@"', words, { ...options, folder }),
  };
}

function fillUp(path: string, left: number): void {
  const file = openSync(path, "w");
  const block = Buffer.alloc(4096);
  let size = 0;
  try {
    for (;;) size += writeSync(file, block);
  } catch {
    ftruncateSync(file, Math.max(0, size - left));
  }
  closeSync(file);
}

async function limited(): Promise<FullFolder> {
  const folder = await newFolder();
  let blocks = "unlimited";
  return {
    folder,
    fill: (left = 0) => {
      blocks = String(left * 2);
    },
    empty: () => {
      blocks = "unlimited";
    },
    run: (words, options) =>
      runScript(`ulimit -f ${blocks}; exec catalog "$@"`, words, { ...options, folder }),
  };
}

/** Both ways; only root can mount a disk. */
export const WRITE_LIMITS: readonly WriteLimit[] = [
  { name: "on a full disk", isAvailable: canMount(), code: "ENOSPC", make: fullDisk },
  { name: "under a limit on files' sizes", isAvailable: true, code: "EFBIG", make: limited },
];

/** The contents of all files below a folder by path, without the filler. */
export async function readFiles(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".filler");
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), await readFile(path, "utf8")] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}
