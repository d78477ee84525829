/** The user's own config file: where it is, what it says, who may read it (cli.md section 5). */

import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { CatalogError, systemCode } from "../base/errors.ts";
import { userFolder } from "../base/folders.ts";
import type { Environment } from "../base/process.ts";
import { type ConfigFile, configFile } from "./config-file.ts";
import { type Place, placeOfFault } from "./fault-place.ts";

/** What the user's config file says, and what is odd about the file itself. */
export interface UserConfig extends ConfigFile {
  readonly warnings: readonly string[];
}

/** The path of the user's config file, there or not; undefined where there is no place for it. */
export function userConfigPath(
  environment: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  const folder = userFolder("config", environment, platform);
  return folder === undefined ? undefined : join(folder, "config.json");
}

/**
 * Reads the user's config file; undefined when there is none.
 *
 * @throws CatalogError of kind `usage` for a file that cannot be read, is not JSON, or says
 * something that no setting is
 */
export async function readUserConfig(
  path: string,
  platform: NodeJS.Platform,
): Promise<UserConfig | undefined> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    const code = systemCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unusable(path, code ?? "it cannot be read");
  }
  return {
    ...configFile(path, await parsed(path, text)),
    warnings: platform === "win32" ? [] : loose(path),
  };
}

async function parsed(path: string, text: string): Promise<unknown> {
  // An empty file says nothing, like none.
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    // The parser's own words would quote the key.
    throw unusable(path, "it is not valid JSON", await placeOfFault(text));
  }
}

function unusable(path: string, why: string, place?: Place): CatalogError {
  return new CatalogError("usage", `could not read your config file ${path}: ${why}`, {
    file: path,
    ...place,
    advice: 'Mend it, or remove it and run "catalog login" again.',
  });
}

const OTHERS = 0o077;

/** What others may do with the file or its folder, as warnings. */
function loose(path: string): string[] {
  const places = [
    { place: dirname(path), mode: "700" },
    { place: path, mode: "600" },
  ];
  return places.flatMap(({ place, mode }) => {
    const { mode: bits } = statSync(place);
    if ((bits & OTHERS) === 0) return [];
    const now = (bits & 0o777).toString(8).padStart(3, "0");
    return [`${place} is open to other users (mode ${now}); "chmod ${mode} ${place}" closes it`];
  });
}
