/** Reads and changes the user config file, which has the saved API keys. */
import { chmod, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { isSameBaseUrl } from "../base/credentials.ts";
import { CatalogError, systemCode, systemReason } from "../base/errors.ts";
import { type FolderSources, PRIVATE_FOLDER, userFolder } from "../base/folders.ts";
import { readRegular } from "../base/open-file.ts";
import type { PlainObject } from "../base/values.ts";
import {
  type ConfigFile,
  MAX_CONFIG_SIZE,
  NOT_READ,
  type Position,
  parseConfig,
  positionOf,
  requireOwn,
  syntaxError,
} from "./config-file.ts";

/** An API key, and the only base URL that the key is sent to. */
export interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The place of credentials: the user config file, or a profile in it. */
interface ConfigTarget {
  readonly path: string;
  readonly uid?: number | undefined;
  /** Whether to write nothing. */
  readonly dryRun?: boolean;
  /** The profile; undefined for the settings outside profiles. */
  readonly profile?: string | undefined;
}

/** The path of the user config file; undefined if the user has no folder for it. */
export function userConfigPath(sources: FolderSources): string | undefined {
  return userFolder("config", sources, "config.json");
}

/** Reads the user config file. @returns undefined if there is none @throws CatalogError of kind `usage` */
export async function readUserConfig(
  path: string,
  uid: number | undefined,
): Promise<ConfigFile | undefined> {
  let bytes: ReturnType<typeof readRegular>;
  try {
    bytes = readRegular(path, MAX_CONFIG_SIZE);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw readError(path, systemReason(cause));
  }
  if (typeof bytes === "string") throw readError(path, NOT_READ[bytes]);
  requireOwn(path, uid);
  return parseConfig(path, await parseJson(path, bytes.toString()));
}

async function parseJson(path: string, text: string): Promise<unknown> {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    // The parser's message would quote the key.
    throw syntaxError(path, "JSON", await locateSyntaxError(text), REPAIR);
  }
}

/** Where a string stops being valid, by the YAML parser; undefined if it is valid YAML. */
async function locateSyntaxError(text: string): Promise<Position | undefined> {
  const { load, JSON_SCHEMA } = await import("js-yaml");
  try {
    load(text, { schema: JSON_SCHEMA });
    return undefined;
  } catch (cause) {
    return positionOf(cause);
  }
}

const REPAIR = 'Fix the file, or remove it and run "catalog login" again.';

function readError(path: string, reason: string): CatalogError {
  const message = `cannot read your config file ${path}: ${reason}`;
  return new CatalogError("usage", message, { file: path, advice: REPAIR });
}

/** Saves credentials for their owner only. @returns the base URL that was replaced, if it was another one */
export async function saveCredentials(
  target: ConfigTarget,
  { baseUrl, apiKey }: Credentials,
): Promise<string | undefined> {
  const config = await readUserConfig(target.path, target.uid);
  const values = valuesIn(config, target);
  const { baseUrl: before } = values;
  await write(target, config, { ...values, baseUrl, apiKey });
  return typeof before !== "string" || isSameBaseUrl(before, baseUrl) ? undefined : before;
}

/**
 * Removes the credentials, and the profile or file if nothing else is in it. A base URL without a key stays, because
 * it is a setting like any other.
 *
 * @returns the base URL of the removed key; undefined if there was no key
 */
export async function removeCredentials(
  target: ConfigTarget,
): Promise<{ readonly baseUrl: string | undefined } | undefined> {
  const config = await readUserConfig(target.path, target.uid);
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

/** Writes the file with new values for the target, and removes empty profiles and an empty file. */
async function write(
  { path, profile, dryRun }: ConfigTarget,
  config: ConfigFile | undefined,
  changed: PlainObject,
): Promise<void> {
  if (dryRun) return;
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
  if (Object.keys(content).length === 0) {
    await rm(path, { force: true }).catch((cause: unknown) => {
      throw writeError(path, cause);
    });
    return;
  }
  const text = `${JSON.stringify(content, null, 2)}\n`;
  await writeFileAtomically(path, text, { mode: "private" });
  // The folder may have existed before with open permissions.
  await chmod(dirname(path), PRIVATE_FOLDER).catch(() => undefined);
}
