/** Saves an API key with its base URL in the user config file, and removes both. */
import { lstatSync } from "node:fs";
import { chmod, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { writeError, writeFileAtomically } from "../base/atomic-write.ts";
import { attempt } from "../base/errors.ts";
import { type FolderSources, PRIVATE_FOLDER, userFolder } from "../base/folders.ts";
import type { PlainObject } from "../base/values.ts";
import { type ConfigFile, readConfig } from "./config-file.ts";

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
  path: string | undefined,
  uid: number | undefined,
): Promise<ConfigFile | undefined> {
  if (path === undefined || attempt(() => lstatSync(path)) === undefined) return undefined;
  return await readConfig(path, "user config", uid);
}

/** Saves credentials for their owner only. @returns the values before */
export async function saveCredentials(
  target: ConfigTarget,
  credentials: Credentials,
): Promise<PlainObject> {
  return await change(target, (values) => ({ ...values, ...credentials }));
}

/**
 * Removes the credentials, and the profile or file if nothing else is in it. A base URL without a key stays, because
 * it is a setting like any other.
 *
 * @returns the values before
 */
export async function removeCredentials(target: ConfigTarget): Promise<PlainObject> {
  return await change(target, (values) => {
    const { baseUrl: _, apiKey, ...others } = values;
    return apiKey === undefined ? values : others;
  });
}

async function change(
  { path, uid, profile, dryRun = false }: ConfigTarget,
  edit: (values: PlainObject) => PlainObject,
): Promise<PlainObject> {
  const config = await readUserConfig(path, uid);
  const { profiles: _, ...outside } = config?.content ?? {};
  const profiles = new Map(Object.entries(config?.profiles ?? {}));
  const before = profile === undefined ? outside : (profiles.get(profile) ?? {});
  const after = edit(before);
  if (after === before || dryRun) return before;
  const values: Record<string, unknown> = { ...(profile === undefined ? after : outside) };
  if (profile !== undefined) profiles.set(profile, after);
  if (profile !== undefined && isEmpty(after)) {
    profiles.delete(profile);
    // A deleted profile must not stay selected.
    if (values.profile === profile) delete values.profile;
  }
  if (profiles.size > 0) values.profiles = Object.fromEntries(profiles);
  if (isEmpty(values)) {
    await rm(path, { force: true }).catch((cause: unknown) => {
      throw writeError(path, cause);
    });
    return before;
  }
  await writeFileAtomically(path, `${JSON.stringify(values, null, 2)}\n`, { mode: "private" });
  // The folder may have existed before with open permissions.
  await chmod(dirname(path), PRIVATE_FOLDER).catch(() => undefined);
  return before;
}

function isEmpty(values: PlainObject): boolean {
  return Object.keys(values).length === 0;
}
