/** The built program as a user runs it: a process of its own, in an environment of its own. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { timed } from "./command.mjs";

const ROOT = new URL("../../", import.meta.url);
const { bin } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8"));

/** The file that the package installs as `catalog`. */
export const PROGRAM = fileURLToPath(new URL(bin.catalog, ROOT));

/**
 * What a measured program finds in its environment, and nothing of the caller's: some variables, such
 * as `NODE_EXTRA_CA_CERTS`, make every Node.js start slower.
 *
 * @param folder stands for the user's home
 * @param variables more of them
 */
export function plainEnvironment(folder, variables = {}) {
  return { PATH: process.env.PATH, HOME: folder, ...variables };
}

/**
 * Runs `catalog` to its end; what it prints goes nowhere.
 *
 * @param place the folder to run it in, and the variables that lead it to a service
 * @returns milliseconds from start to exit
 * @throws Error when it fails
 */
export function timedCatalog(words, { folder, environment }) {
  return timed(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    env: plainEnvironment(folder, environment),
    stdio: UNHEARD,
  });
}

/** For programs whose output is large: it is read by nobody, and errors are still told. */
export const UNHEARD = ["ignore", "ignore", "pipe"];
