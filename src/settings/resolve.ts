/** Resolves every setting from, in this order: flag, environment, project config file, user config file, default. */

import { isSameBaseUrl } from "../base/credentials.ts";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import type { FolderSources } from "../base/files.ts";
import { isUnattended } from "../base/io.ts";
import { listSome, quoteShell, suggest, truncateJson } from "../base/text.ts";
import type { RuleId } from "../course/problem.ts";
import {
  type ConfigFile,
  findConfig,
  findUserConfig,
  type Layer,
  readConfig,
} from "./config-file.ts";
import {
  type Resolved,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValues,
} from "./table.ts";

export interface Settings {
  /**
   * A setting, undefined only if it is not set and has no default. Only when it is needed, an invalid or empty variable is an
   * error.
   *
   * @throws CatalogError of kind `usage`, or `auth` for an empty key
   */
  readonly get: <Name extends SettingName>(
    name: Name,
  ) =>
    | Resolved<ReturnType<(typeof SETTINGS)[Name]["parse"]>>
    | ((typeof SETTINGS)[Name] extends { readonly default: unknown } ? never : undefined);
  /** The levels that config files set for rules. */
  readonly rules: ReadonlyMap<RuleId, ConfigFile["rules"][number][1]>;
  /** The path of the user config file, which may not exist; undefined if there is no folder for it. */
  readonly userFile: string | undefined;
  /** The config file that sets the base URL, if the key of the environment is not sent there without a yes. */
  readonly unconfirmed: () => string | undefined;
  /** The project config file with a key for the base URL, if that key is not used because the user has one. */
  readonly unusedKey: () => string | undefined;
}

export interface SettingSources extends FolderSources {
  readonly flags: SettingValues;
  /** The numeric id of the user; undefined on systems without one. */
  readonly uid?: number | undefined;
  /** The current folder. Only a login does not need one. */
  readonly folder: string;
}

/**
 * Reads the config files.
 *
 * @param isLogin whether a key is saved or removed: the profile may not exist yet, and no project config file is read,
 *   because a project must not decide where a new key is sent or saved
 * @throws CatalogError of kind `usage`
 */
export async function readSettings(sources: SettingSources, isLogin = false): Promise<Settings> {
  const { uid, environment } = sources;
  const named = isLogin ? undefined : resolve("config", sources, []);
  const project = isLogin
    ? undefined
    : await findConfig(sources.folder, uid, named && `${named.value}`);
  const userFile = findUserConfig(sources);
  const user = userFile ? await readConfig(userFile, "user config", uid) : undefined;
  const files = [project, user].filter((file) => file !== undefined);
  const isUsers = (layer: Layer): boolean => !isProjects(layer);

  /** The profile that is selected: its layer, or none for a login that creates it. */
  const findProfile = (): readonly Layer[] | undefined => {
    const profile = resolve("profile", sources, files);
    if (profile === undefined) return undefined;
    const name = `${profile.value}`;
    // A project must not choose which of the user's accounts is changed, and a name that the user chose means theirs.
    const available = isProjects(profile) ? files.filter(isProjects) : files.toReversed();
    const found = available.flatMap(({ profiles }) => profiles.get(name) ?? []);
    if (found.length > 0 || isLogin) return found.slice(0, 1);
    const names = available.flatMap(({ profiles }) => [...profiles.keys()]);
    const where = isProjects(profile) ? " in the same file" : "";
    const own = isProjects(profile)
      ? `Pass --profile ${quoteShell(name)} for your own, which "catalog login" saves.`
      : `To save it: catalog login --profile ${quoteShell(name)}`;
    const advice = names.length > 0 ? `Available profiles: ${listSome(names)}.` : own;
    const problem = `no profile ${truncateJson(name)}${where} (from ${profile.origin})`;
    throw usageError(problem, suggest(name, names, advice));
  };

  /** Where a setting is looked up: in the selected profile, and outside profiles unless it selects the account. */
  const findLayers = (name: SettingName): readonly Layer[] => {
    const { isAccount }: Setting = SETTINGS[name];
    const profile = findProfile();
    return profile === undefined ? files : isAccount ? profile : [...profile, ...files];
  };

  /** The layers with the base URL in effect, which is the only one that their keys are sent to. */
  const findHere = (): readonly Layer[] => {
    const layers = findLayers("apiKey");
    const baseUrl = attempt(() => resolve("baseUrl", sources, layers)?.value);
    return layers.filter(({ values }) => isSameBaseUrl(`${values.baseUrl}`, `${baseUrl}`));
  };

  /** Whether the user has a key for any base URL: then a project's key is not used, unless its file is named. */
  const hasKey =
    user !== undefined &&
    [user, ...user.profiles.values()].some(({ values }) => values.apiKey !== undefined);

  const get = (name: SettingName): Resolved | undefined => {
    if (name === "config") {
      const { source = "default", origin = "found from this folder upward" } = named ?? {};
      return project && { value: project.file, source, origin };
    }
    if (name === "apiKey") {
      const here = findHere();
      return resolve(name, sources, hasKey && named === undefined ? here.filter(isUsers) : here);
    }
    const found = resolve(name, sources, findLayers(name));
    if (SETTINGS[name].checkout !== "lower" || found === undefined || !isProjects(found))
      return found;
    // The limit of a project must not be higher than the user's, unless a flag or variable decides.
    const most = resolve(name, sources, findLayers(name).filter(isUsers));
    return { ...found, value: `${found.value}, at most ${most?.value}` };
  };

  /**
   * The key of the environment must not go unasked to a base URL of a file that was found, which may be anyone's, or
   * of the user config file in CI, where the home folder can be a part of the checkout.
   */
  const unconfirmed = (): string | undefined => {
    const isTrusted = (layer: Layer): boolean =>
      isProjects(layer) ? named !== undefined : !isUnattended(environment);
    if (get("apiKey")?.source !== "environment" || findHere().some(isTrusted)) return undefined;
    return files.find(({ source }) => source === get("baseUrl")?.source)?.file;
  };

  const unusedKey = (): string | undefined =>
    findHere().find((layer) => isProjects(layer) && layer.values.apiKey !== undefined)?.file;

  const rules = new Map(files.toReversed().flatMap((file) => file.rules));
  return { get: get as Settings["get"], rules, userFile, unconfirmed, unusedKey };
}

function isProjects({ source }: Pick<Resolved, "source">): boolean {
  return source === "project config";
}

function resolve(
  name: SettingName,
  { flags, environment }: SettingSources,
  layers: readonly Layer[],
): Resolved | undefined {
  const { variable, flag, default: usual, parse }: Setting = SETTINGS[name];
  const [typed, text] = [flags[name], environment[variable]];
  const origin = `--${flag?.[0]}`;
  if (typed !== undefined) return { value: typed, source: "flag", origin };
  if (text?.trim() === "") {
    // As in CI when a secret is missing: no other source decides instead.
    const isSecret = ["apiKey", "baseUrl"].includes(name) && isUnattended(environment);
    const advice = isSecret ? CI_ADVICE : `Set or unset ${variable}.`;
    const kind = name === "apiKey" ? "auth" : "usage";
    throw new CatalogError(kind, `${variable} is set but empty`, { advice });
  }
  if (text !== undefined)
    return { value: parse(text, variable), source: "environment", origin: variable };
  for (const { values, source, file } of layers) {
    const value = values[name];
    if (value !== undefined) return { value, source, origin: `${name} in ${file}` };
  }
  return usual === undefined ? undefined : { value: usual, source: "default", origin: "default" };
}

/** Why a variable is empty or missing in CI. */
export const CI_ADVICE =
  "Set CATALOG_BASE_URL and CATALOG_API_KEY. In CI, the usual causes are a misspelled secret, a job without its " +
  "environment, and a pull request from a fork, which gets no secrets.";
