/** Resolves every setting from, in this order: flag, environment, project config file, user config file, default. */
import { resolve as resolvePath } from "node:path";
import { CatalogError, usageError } from "../base/errors.ts";
import { type FolderSources, userFolder } from "../base/folders.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { isSameBaseUrl } from "../base/secrets.ts";
import { suggest } from "../base/suggest.ts";
import { quoteShell } from "../base/text.ts";
import type { RuleId } from "../course/problem.ts";
import { type ConfigFile, findConfig, type RuleLevel, readConfig } from "./config-file.ts";
import {
  lowerLimit,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
  type Source,
} from "./table.ts";

export interface Resolved<Value> {
  readonly value: Value;
  readonly source: Source;
  /** The source as messages name it: `--timeout`, `CATALOG_TIMEOUT`, `timeout in /project/.catalogrc`. */
  readonly origin: string;
}

/** A setting, undefined only if it is not set and has no default. */
type ResolvedSetting<Name extends SettingName> =
  | Resolved<ReturnType<(typeof SETTINGS)[Name]["parse"]>>
  | ((typeof SETTINGS)[Name] extends { readonly default: unknown } ? never : undefined);

export type Settings = { readonly [Name in SettingName]: ResolvedSetting<Name> } & {
  /** The path of the user config file, which may not exist; undefined if there is no folder for it. */
  readonly userFile: string | undefined;
  /** The config file that sets the base URL, if the key of the environment is not sent there without a yes. */
  readonly unconfirmed: string | undefined;
};

export interface SettingSources extends FolderSources {
  readonly flags: Partial<Readonly<Record<SettingName, string>>>;
  /** The numeric id of the user; undefined on systems without one. */
  readonly uid?: number | undefined;
  readonly folder: string;
}

/**
 * Why settings are resolved.
 *
 * - `use`: to run a command; the settings must be valid
 * - `save`: to change the user config file, so the profile may not exist yet. No project config file is read, because
 *   a project must not decide where a new key is sent or saved.
 */
type Purpose = "use" | "save";

/** Reads the config files and resolves all settings. @throws CatalogError of kind `usage`, or `auth` for an empty key */
export async function resolveSettings(
  sources: SettingSources,
  purpose: Purpose = "use",
): Promise<Settings> {
  const { files, config, userFile } = await readConfigs(sources, purpose);
  const isFound = config?.source === "default";
  const profile = resolve("profile", sources, files);
  // A profile was chosen explicitly, so it takes precedence over the settings outside profiles.
  const layers: Layer[] = [...profileLayers(profile, files, purpose), ...files];
  const baseUrl = resolve("baseUrl", sources, layers);
  const isHere = (url: unknown): boolean =>
    typeof url === "string" && baseUrl !== undefined && isSameBaseUrl(url, baseUrl.value);
  // A key is sent to the base URL that was saved with it or, in a project config file, is in the same file.
  const keys = layers.filter((layer) => isHere(layer.values.baseUrl ?? layer.projectUrl));
  // The key of a project config file that was found counts only without another one.
  if (isFound) keys.sort((one, other) => Number(isProjects(one)) - Number(isProjects(other)));
  const apiKey = purpose === "use" ? resolve("apiKey", sources, keys) : undefined;
  // The key of the environment must not go unasked to a base URL of a file that was found, which may be anyone's, or of
  // the user config file in CI, where the home folder can be a part of the checkout.
  const isOwn = (layer: Layer) =>
    isProjects(layer) ? !isFound : !isUnattended(sources.environment);
  const isSure =
    apiKey?.source !== "environment" ||
    layers.some((layer) => isOwn(layer) && isHere(layer.values.baseUrl));
  const setter = layers.find(({ source }) => source === baseUrl?.source);
  // The limit of a project must not be higher than the user's, unless a flag or variable decides.
  const limit = resolve("maxDeletes", sources, layers);
  const own = layers.filter((layer) => !isProjects(layer));
  const most = resolve("maxDeletes", sources, own).value;
  return {
    apiKey,
    baseUrl,
    config,
    profile,
    timeout: resolve("timeout", sources, layers),
    retries: resolve("retries", sources, layers),
    concurrency: resolve("concurrency", sources, layers),
    complete: resolve("complete", sources, layers),
    maxDeletes: isProjects(limit) ? { ...limit, value: lowerLimit(limit.value, most) } : limit,
    vendor: resolve("vendor", sources, layers),
    userFile,
    unconfirmed: isSure ? undefined : setter?.file,
  };
}

/** The levels that config files set for rules, with their sources. */
export type RuleLevels = ReadonlyMap<RuleId, Resolved<RuleLevel>>;

/** The levels of all config files; the project config file takes precedence. @throws CatalogError of kind `usage` */
export async function readRuleLevels(sources: SettingSources): Promise<RuleLevels> {
  const { files } = await readConfigs(sources, "use");
  const levels = files.toReversed().flatMap(({ rules, source, file }) =>
    rules.map(([rule, value]) => {
      return [rule, { value, source, origin: `rules.${rule} in ${file}` }] as const;
    }),
  );
  return new Map(levels);
}

/** Reads the project config file and the user config file, as far as they exist. */
async function readConfigs(sources: SettingSources, purpose: Purpose) {
  const { folder, uid } = sources;
  const named = purpose === "use" ? resolve("config", sources, []) : undefined;
  const find = async () =>
    named === undefined
      ? await findConfig(folder, uid)
      : await readConfig(resolvePath(folder, named.value), "project config", uid, true);
  const project = purpose === "use" ? await find() : undefined;
  const { source = "default", origin = "found from this folder upward" } = named ?? {};
  const userFile = userFolder("config", sources, "config.json");
  const user = userFile ? await readConfig(userFile, "user config", uid) : undefined;
  return {
    files: [project, user].filter((file) => file !== undefined),
    config: project && { value: project.file, source, origin },
    userFile,
  };
}

/** The values of a config file or of one profile in it. */
type Layer = Pick<ConfigFile, "file" | "source" | "values"> & {
  /** The base URL of a project config file outside its profiles. */
  readonly projectUrl?: SettingValue | undefined;
};

function isProjects({ source }: { readonly source: Source }): boolean {
  return source === "project config";
}

/** The values of the selected profile. @throws CatalogError of kind `usage` if it must exist and does not */
function profileLayers(
  profile: Resolved<string> | undefined,
  files: readonly ConfigFile[],
  purpose: Purpose,
): Layer[] {
  if (profile === undefined) return [];
  const { value: name, origin } = profile;
  // A project must not choose which of the user's accounts is changed.
  const available = files.filter((file) => !isProjects(profile) || isProjects(file));
  const layers = available.flatMap((file) => {
    const values = file.profiles.get(name);
    const projectUrl = isProjects(file) ? file.values.baseUrl : undefined;
    return values === undefined ? [] : [{ ...file, values, projectUrl }];
  });
  if (layers.length > 0 || purpose === "save") return layers;
  const names = available.flatMap(({ profiles }) => [...profiles.keys()]);
  const where = isProjects(profile) ? " in the same file" : "";
  const own = `Pass --profile ${quoteShell(name)} for your own, which "catalog login" saves.`;
  const advice = names.length > 0 ? `Available profiles: ${names.join(", ")}.` : own;
  const problem = `no profile ${JSON.stringify(name)}${where} (from ${origin})`;
  throw usageError(problem, suggest(name, names, advice));
}

function resolve<Name extends SettingName>(
  name: Name,
  { flags, environment }: SettingSources,
  layers: readonly Layer[],
): Settings[Name] {
  const { variable, flag, default: usual, parse }: Setting<SettingValue> = SETTINGS[name];
  const found = (): Resolved<SettingValue> | undefined => {
    const [typed, text] = [flags[name], environment[variable]];
    const origin = `--${flag?.[0]}`;
    if (typed !== undefined) return { value: parse(typed, origin), source: "flag", origin };
    if (text?.trim() === "") throw emptyVariable(variable, environment);
    if (text !== undefined)
      return { value: parse(text, variable), source: "environment", origin: variable };
    for (const { values, source, file } of layers) {
      const value = values[name];
      if (value !== undefined) return { value, source, origin: `${name} in ${file}` };
    }
    return usual === undefined ? undefined : { value: usual, source: "default", origin: "default" };
  };
  return found() as Settings[Name];
}

/** The error of an empty variable, as in CI when its secret is missing: no other source decides instead. */
function emptyVariable(variable: string, environment: Environment): CatalogError {
  const advice = isUnattended(environment) ? CI_ADVICE : `Set or unset ${variable}.`;
  const kind = variable === SETTINGS.apiKey.variable ? "auth" : "usage";
  return new CatalogError(kind, `${variable} is set but empty`, { advice });
}

/** Why a variable is empty or missing in CI. */
export const CI_ADVICE =
  "Set CATALOG_BASE_URL and CATALOG_API_KEY. In CI, the usual causes are a misspelled secret, a job without its " +
  "environment, and a pull request from a fork, which gets no secrets.";
