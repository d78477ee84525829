/** The package as `npm pack` writes it, so that `npm install` works as users type it. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "./rig.ts";

/** Packs the built package into a folder. @returns its version */
export async function packInto(folder: string): Promise<string> {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const env = { PATH: process.env.PATH, ...npmSettings(folder) };
  const { stdout } = await promisify(execFile)("npm", words, { cwd: ROOT, env });
  const [{ version }] = JSON.parse(stdout) as [{ version: string }];
  return version;
}

/** Environment variables with which npm uses nothing that is installed on this machine, and no network. */
export function npmSettings(home: string): Record<string, string> {
  return {
    HOME: home,
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_prefix: join(home, "global"),
    npm_config_cache: join(home, "npm-cache"),
    npm_config_update_notifier: "false",
  };
}
