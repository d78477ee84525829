/** Reads and changes the user's config file, which has the saved keys. */
import { statSync } from "node:fs";
import { chmod, lstat, realpath, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { isSameBaseUrl } from "../base/credentials.ts";
import { CatalogError, systemCode, systemReason } from "../base/errors.ts";
import { type FolderSources, PRIVATE_FOLDER, userFolder } from "../base/folders.ts";
import { readRegular } from "../base/open-file.ts";
import type { Processes } from "../base/process.ts";
import type { PlainObject } from "../base/values.ts";
import {
  type ConfigFile,
  MAX_CONFIG_SIZE,
  NOT_READ,
  type Position,
  parseConfig,
  positionOf,
} from "./config-file.ts";

/** The user's config file, with warnings about its permissions. */
interface UserConfig extends ConfigFile {
  readonly warnings: readonly string[];
}

/** A key, and the only base URL that it is sent to. */
export interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The part of a config file that has credentials. */
interface ConfigTarget {
  /** The user's config file. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  readonly processes: Processes;
  /** The profile; undefined for the settings outside profiles. */
  readonly profile?: string | undefined;
}

/** The path of the user's config file; undefined if the user has no folder for it. */
export function userConfigPath(sources: FolderSources): string | undefined {
  return userFolder("config", sources, "config.json");
}

/** Reads the user's config file; undefined if there is none. */
export async function readUserConfig(
  path: string,
  platform: NodeJS.Platform,
): Promise<UserConfig | undefined> {
  let bytes: ReturnType<typeof readRegular>;
  try {
    bytes = readRegular(path, MAX_CONFIG_SIZE);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw readError(path, systemReason(cause));
  }
  if (typeof bytes === "string") throw readError(path, NOT_READ[bytes]);
  const config = parseConfig(path, await parseJson(path, bytes.toString()));
  return { ...config, warnings: platform === "win32" ? [] : permissionWarnings(path) };
}

async function parseJson(path: string, text: string): Promise<unknown> {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    // The parser's message would quote the key.
    throw readError(path, "it is not valid JSON", await locateSyntaxError(text));
  }
}

/** Where a string stops being JSON, as the YAML parser sees it; undefined for what only YAML allows. */
async function locateSyntaxError(text: string): Promise<Position | undefined> {
  const { load, JSON_SCHEMA } = await import("js-yaml");
  try {
    load(text, { schema: JSON_SCHEMA });
    return undefined;
  } catch (cause) {
    return positionOf(cause);
  }
}

function readError(path: string, reason: string, position?: Position): CatalogError {
  return new CatalogError("usage", `cannot read your config file ${path}: ${reason}`, {
    file: path,
    ...position,
    advice: 'Fix it, or remove it and run "catalog login" again.',
  });
}

const OTHER_USERS = 0o077;

function permissionWarnings(file: string): string[] {
  const required = [
    { path: dirname(file), mode: "700" },
    { path: file, mode: "600" },
  ];
  return required.flatMap(({ path, mode }) => {
    const { mode: bits } = statSync(path);
    if ((bits & OTHER_USERS) === 0) return [];
    const current = (bits & 0o777).toString(8).padStart(3, "0");
    return [`${path} is open to other users (mode ${current}); run "chmod ${mode} ${path}"`];
  });
}

/** Saves credentials for their owner only. @returns the base URL that was replaced, if another */
export async function saveCredentials(
  target: ConfigTarget,
  { baseUrl, apiKey }: Credentials,
): Promise<string | undefined> {
  const config = await readUserConfig(target.path, target.platform);
  const values = valuesIn(config, target);
  const { baseUrl: before } = values;
  await write(target, config, { ...values, baseUrl, apiKey });
  return typeof before !== "string" || isSameBaseUrl(before, baseUrl) ? undefined : before;
}

/**
 * Removes credentials, and then an empty profile or file. A base URL without a key is a setting
 * like any other, and stays.
 *
 * @returns the base URL of the removed key; undefined if there was no key
 */
export async function removeCredentials(
  target: ConfigTarget,
): Promise<{ readonly baseUrl: string | undefined } | undefined> {
  const config = await readUserConfig(target.path, target.platform);
  const { baseUrl, apiKey, ...others } = valuesIn(config, target);
  if (apiKey === undefined) return undefined;
  await write(target, config, others);
  return { baseUrl: typeof baseUrl === "string" ? baseUrl : undefined };
}

function valuesIn(config: ConfigFile | undefined, { profile }: ConfigTarget): PlainObject {
  if (config === undefined) return {};
  if (profile === undefined) return config.values;
  return Object.hasOwn(config.profiles, profile) ? (config.profiles[profile] ?? {}) : {};
}

/** Writes the config with new values for the target; empty profiles and files are removed. */
async function write(
  { path, profile, processes }: ConfigTarget,
  config: ConfigFile | undefined,
  changed: PlainObject,
): Promise<void> {
  const values = { ...(profile === undefined ? changed : config?.values) };
  const profiles = new Map(Object.entries(config?.profiles ?? {}));
  if (profile !== undefined) profiles.set(profile, changed);
  if (profile !== undefined && Object.keys(changed).length === 0) {
    profiles.delete(profile);
    // A deleted profile must not stay selected.
    if (values.profile === profile) delete values.profile;
  }
  const content =
    profiles.size === 0 ? values : { ...values, profiles: Object.fromEntries(profiles) };
  // A link, as dotfile managers create them, must stay a link.
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  if (Object.keys(content).length === 0 && !isLink) {
    await rm(path, { force: true }).catch((cause: unknown) => {
      throw writeError(path, cause);
    });
    return;
  }
  const file = await realpath(path).catch(() => path);
  const text = `${JSON.stringify(content, null, 2)}\n`;
  await writeFileAtomically(file, text, { mode: "private", processes });
  // The folder may have existed before; if it belongs to someone else, the next run warns.
  await chmod(dirname(path), PRIVATE_FOLDER).catch(() => undefined);
}
