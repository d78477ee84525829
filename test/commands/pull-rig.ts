/** For tests of `courses pull`: the contents of a folder. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Rig } from "../rig.ts";

/** The contents of the files in a folder of the rig, by name; empty for anything but a file. */
export async function readFolder({ folder }: Rig, name = "out"): Promise<Record<string, string>> {
  const names = (await readdir(join(folder, name))).sort();
  const texts = names.map(
    async (file) => [file, await readText(join(folder, name, file))] as const,
  );
  return Object.fromEntries(await Promise.all(texts));
}

async function readText(path: string): Promise<string> {
  return (await lstat(path)).isFile() ? await readFile(path, "utf8") : "";
}

/** Whether the path exists, even as a broken link. */
export async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
