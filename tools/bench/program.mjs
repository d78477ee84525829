/** Runs the built program as a process with a clean environment. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { timeCommand } from "./command.mjs";

const ROOT = new URL("../../", import.meta.url);
const { bin } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));

/** The file that the package installs as `catalog`. */
export const PROGRAM = fileURLToPath(new URL(bin.catalog, ROOT));

/**
 * The environment of a measured program. It contains none of the caller's variables, because some variables, such as
 * `NODE_EXTRA_CA_CERTS`, make every Node.js start slower.
 *
 * @param folder the user's home
 * @param variables further variables
 */
export function plainEnvironment(folder, variables = {}) {
  return { PATH: process.env.PATH, HOME: folder, ...variables };
}

/**
 * Runs `catalog` to its end, and discards its output.
 *
 * @param place the folder of the run, and the variables that name the service
 * @returns milliseconds from start to exit
 * @throws Error if it fails
 */
export function timeCatalog(words, { folder, environment }) {
  return timeCommand(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    env: plainEnvironment(folder, environment),
    stdio: IGNORE_OUTPUT,
  });
}

/** Discards standard output and keeps standard error. */
export const IGNORE_OUTPUT = ["ignore", "ignore", "pipe"];
