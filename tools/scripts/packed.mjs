/** Packs the package, and installs it as users do. */
import { execFile } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
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

/**
 * Installs a tarball globally in a separate folder, with this machine's npm on the given Node.js.
 *
 * @param {string} tarball
 * @param {string} prefix a separate folder
 * @param {string} node the program
 * @returns {Promise<string>} a search path with that Node.js and the commands of the package
 */
export async function installGlobally(tarball, prefix, node) {
  const path = [join(prefix, "bin"), dirname(node), process.env.PATH].join(delimiter);
  const words = ["install", "--global", "--offline", tarball];
  await run("npm", words, {
    cwd: prefix,
    env: { ...environment(prefix), PATH: path, npm_config_prefix: prefix },
  });
  return path;
}

/**
 * Installs the npm package `node` of a version.
 *
 * @param {number} version the major version
 * @param {string} parent the folder in which a new folder is created
 * @returns {Promise<string>} the path of Node.js
 */
export async function fetchNode(version, parent) {
  const folder = await mkdtemp(join(parent, "node-"));
  const words = ["install", "--no-audit", "--no-fund", `node@${version}`];
  await run("npm", words, { cwd: folder, shell: process.platform === "win32" });
  return join(folder, "node_modules/node/bin", process.platform === "win32" ? "node.exe" : "node");
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
