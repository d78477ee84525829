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

/** The place of credentials: the user config file, or a profile in it. */
interface ConfigTarget {
  readonly path: string;
  readonly uid?: number | undefined;
  /** Whether to write nothing. */
  readonly dryRun?: boolean;
  /** The profile; undefined for the settings outside profiles. */
  readonly profile?: string | undefined;
}

/**
 * Saves credentials for their owner only. Without credentials, it removes those that are saved. A base URL without a
 * key stays, because it is a setting like any other.
 *
 * @returns the values before
 */
export async function saveCredentials(
  { path, uid, profile, dryRun = false }: ConfigTarget,
  credentials: Credentials | undefined,
): Promise<PlainObject> {
  const content = (await readConfig(path, "user config", uid))?.content ?? {};
  const profiles = isObject(content.profiles) ? content.profiles : {};
  const saved = profile === undefined ? content : profiles[profile];
  const before = isObject(saved) ? saved : {};
  if (dryRun || (credentials ?? before.apiKey) === undefined) return before;
  const { baseUrl, apiKey, ...others } = before;
  const after = { ...others, ...credentials };
  const values =
    profile === undefined ? after : { ...content, profiles: { ...profiles, [profile]: after } };
  await writeFileAtomically(path, `${JSON.stringify(values, null, 2)}\n`, { isPrivate: true });
  // The folder may have existed before with open permissions.
  await chmod(dirname(path), PRIVATE_FOLDER).catch(() => undefined);
  return before;
}
