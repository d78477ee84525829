/** Saves an API key with its base URL in the user config file, and removes both. */
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomically } from "../base/atomic-write.ts";
import { PRIVATE_FOLDER } from "../base/files.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { readConfig } from "./config-file.ts";

/** An API key, and the only base URL that the key is sent to. */
export interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Saves credentials for their owner only. Without credentials, it removes what is saved: the profile or, outside
 * profiles, the key with its base URL. A base URL without a key stays, because it is a setting like any other.
 *
 * @returns the values before; undefined if nothing was saved
 */
export async function saveCredentials(
  target: {
    /** The user config file. */
    readonly path: string;
    readonly uid?: number | undefined;
    /** Whether to write nothing. */
    readonly dryRun?: boolean;
    /** The profile; undefined for the settings outside profiles. */
    readonly profile?: string | undefined;
  },
  credentials: Credentials | undefined,
): Promise<PlainObject | undefined> {
  const { path, uid, profile, dryRun = false } = target;
  const content = (await readConfig(path, "user config", uid))?.content ?? {};
  const profiles = new Map(Object.entries(isObject(content.profiles) ? content.profiles : {}));
  const saved = profile === undefined ? content : profiles.get(profile);
  const isSaved = isObject(saved) && (profile ?? saved.apiKey) !== undefined;
  const before = isSaved ? saved : undefined;
  if (dryRun || (credentials ?? before) === undefined) return before;
  if (profile !== undefined) {
    if (credentials === undefined) profiles.delete(profile);
    else profiles.set(profile, { ...before, ...credentials });
  }
  const { baseUrl, apiKey, profiles: _, ...others } = content;
  const outside = profile === undefined ? credentials : { baseUrl, apiKey };
  const named = profiles.size > 0 ? { profiles: Object.fromEntries(profiles) } : {};
  const text = JSON.stringify({ ...outside, ...others, ...named }, null, 2);
  await writeFileAtomically({ name: path, path, root: undefined }, `${text}\n`, true);
  // The folder may have existed before with open permissions.
  await chmod(dirname(path), PRIVATE_FOLDER).catch(() => undefined);
  return before;
}
