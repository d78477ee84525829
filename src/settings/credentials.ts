/** Saves and forgets the key and the base URL that belong together (cli.md section 5). */

import { chmod, lstat, realpath, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { writeFileAtomically } from "../base/atomic-write.ts";
import { CatalogError, systemCode } from "../base/errors.ts";
import type { PlainObject } from "../base/values.ts";
import { isSameAddress } from "./address.ts";
import type { ConfigFile } from "./config-file.ts";
import { SETTINGS } from "./table.ts";
import { readUserConfig } from "./user.ts";

/** A key, and the one address that it may go to. */
export interface Credentials {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Where credentials are kept. */
export interface Place {
  /** The user's config file. */
  readonly path: string;
  readonly platform: NodeJS.Platform;
  /** The named set; the settings outside of the sets without it. */
  readonly profile?: string | undefined;
}

const PAIR = [SETTINGS.baseUrl.configKey, SETTINGS.apiKey.configKey];

/**
 * Saves the pair beside whatever else the file holds, in a file that only its owner may read.
 *
 * @returns the address whose key was replaced, if it was another one
 * @throws CatalogError of kind `usage` for a file of another form, `output` when it cannot be written
 */
export async function saveCredentials(
  place: Place,
  { baseUrl, apiKey }: Credentials,
): Promise<string | undefined> {
  const config = await readUserConfig(place.path, place.platform);
  const before = addressIn(config, place);
  const pair = { [SETTINGS.baseUrl.configKey]: baseUrl, [SETTINGS.apiKey.configKey]: apiKey };
  await write(place, config, (set) => ({ ...set, ...pair }));
  return before === undefined || isSameAddress(before, baseUrl) ? undefined : before;
}

/**
 * Takes the pair out of the file; a set or a file that is empty then goes. Where there is no key, an
 * address alone is a setting like any other, and stays.
 *
 * @returns the address of the key that is gone, where the file had one; undefined without a key
 * @throws like `saveCredentials`
 */
export async function forgetCredentials(
  place: Place,
): Promise<{ readonly baseUrl?: string } | undefined> {
  const config = await readUserConfig(place.path, place.platform);
  const set = setIn(config, place);
  if (!Object.hasOwn(set, SETTINGS.apiKey.configKey)) return undefined;
  await write(place, config, (all) =>
    Object.fromEntries(Object.entries(all).filter(([key]) => !PAIR.includes(key))),
  );
  const baseUrl = addressIn(config, place);
  return baseUrl === undefined ? {} : { baseUrl };
}

function setIn(config: ConfigFile | undefined, { profile }: Place): PlainObject {
  if (config === undefined) return {};
  if (profile === undefined) return config.values;
  return Object.hasOwn(config.profiles, profile) ? (config.profiles[profile] ?? {}) : {};
}

function addressIn(config: ConfigFile | undefined, place: Place): string | undefined {
  const address = setIn(config, place)[SETTINGS.baseUrl.configKey];
  return typeof address === "string" ? address : undefined;
}

/** What the file says with a change to one of its sets; empty sets are left out. */
function changedConfig(
  { profile }: Place,
  config: ConfigFile | undefined,
  set: PlainObject,
): PlainObject {
  const values = config?.values ?? {};
  const profiles = new Map(Object.entries(config?.profiles ?? {}));
  if (profile === undefined) return withProfiles(set, profiles);
  if (Object.keys(set).length > 0) return withProfiles(values, profiles.set(profile, set));
  profiles.delete(profile);
  const { [SETTINGS.profile.configKey]: usual, ...others } = values;
  // A set that is gone must not be the usual one any more.
  return withProfiles(usual === profile ? others : values, profiles);
}

function withProfiles(
  values: PlainObject,
  profiles: ReadonlyMap<string, PlainObject>,
): PlainObject {
  return profiles.size === 0 ? values : { ...values, profiles: Object.fromEntries(profiles) };
}

async function write(
  place: Place,
  config: ConfigFile | undefined,
  change: (set: PlainObject) => PlainObject,
): Promise<void> {
  const { path } = place;
  const content = changedConfig(place, config, change(setIn(config, place)));
  // A link leads to where somebody keeps such files; it is to go on doing so.
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
  if (Object.keys(content).length === 0 && !isLink) {
    await remove(path);
    return;
  }
  const target = await realpath(path).catch(() => path);
  await writeFileAtomically(target, `${JSON.stringify(content, null, 2)}\n`, { mode: "private" });
  // The folder may be older than its secret; where it is another's, the next run warns.
  await chmod(dirname(path), 0o700).catch(() => undefined);
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch (cause) {
    const code = systemCode(cause);
    const message = `could not remove ${path}: ${code ?? cause}`;
    throw new CatalogError("output", message, { file: path, code, cause });
  }
}
