/** Packs the package. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The folder of the package. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const run = promisify(execFile);

/**
 * Packs the built package without its scripts, which would build it again.
 *
 * @param {string} folder the folder for the tarball
 * @returns {Promise<{path: string, size: number, unpackedSize: number, files: {path: string}[]}>}
 */
export async function pack(folder) {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", words, { cwd: ROOT, env: environment(folder) });
  const [packed] = JSON.parse(stdout);
  return { ...packed, path: join(folder, packed.filename) };
}

/** Settings that make npm ignore the settings of this machine. */
function environment(folder) {
  return {
    PATH: process.env.PATH,
    HOME: folder,
    npm_config_cache: join(folder, "npm-cache"),
    npm_config_update_notifier: "false",
  };
}
