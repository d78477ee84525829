/** Finds the folders that a user's own files live in (cli.md sections 5 and 8). */
import { join } from "node:path";
import type { Environment } from "./environment.ts";

const PLACES = {
  cache: { variable: "XDG_CACHE_HOME", windows: "LOCALAPPDATA", usual: [".cache"] },
  config: { variable: "XDG_CONFIG_HOME", windows: "APPDATA", usual: [".config"] },
  state: { variable: "XDG_STATE_HOME", windows: "LOCALAPPDATA", usual: [".local", "state"] },
} as const;

/**
 * The program's folder for the user's settings, for what it keeps, or for what only saves time:
 * `$XDG_CONFIG_HOME/catalog`, `$XDG_STATE_HOME/catalog`, `$XDG_CACHE_HOME/catalog`, or their usual
 * places. Undefined where the environment names none.
 */
export function userFolder(
  kind: keyof typeof PLACES,
  environment: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  const { variable, windows, usual } = PLACES[kind];
  const given = environment[variable];
  // The rules for these variables say that a relative path is to be ignored.
  if (given?.startsWith("/")) return join(given, "catalog");
  const roaming = platform === "win32" ? environment[windows] : undefined;
  if (roaming) return join(roaming, "catalog");
  const home = environment.HOME || environment.USERPROFILE;
  return home ? join(home, ...usual, "catalog") : undefined;
}
