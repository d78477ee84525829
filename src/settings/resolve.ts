/** Resolves every setting from, in this order: flag, environment, project config file, user config file, default. */
import { resolve as resolvePath } from "node:path";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { isSameBaseUrl } from "../base/secrets.ts";
import { suggest } from "../base/suggest.ts";
import { quoteShell } from "../base/text.ts";
import type { RuleId } from "../course/problem.ts";
import {
  type ConfigFile,
  findConfig,
  type Layer,
  type RuleLevel,
  readConfig,
} from "./config-file.ts";
import { readUserConfig, userConfigPath } from "./saved-key.ts";
import {
  type BySetting,
  CONFIG_CHOICE,
  lowerLimit,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
  type Source,
} from "./table.ts";

export interface Resolved<Value> {
  /** @throws CatalogError if its variable is set but empty, so that only commands that need the value fail */
  readonly value: Value;
  readonly source: Source;
  /** The source as messages name it: `--timeout`, `CATALOG_TIMEOUT`, `timeout in /project/.catalogrc`. */
  readonly origin: string;
}

export type Settings = BySetting<Resolved<unknown>> & {
  /** The path of the project config file, and how it was chosen. */
  readonly project: Resolved<string> | undefined;
  /** The path of the user config file, which may not exist; undefined if there is no folder for it. */
  readonly userFile: string | undefined;
  /** The file with a key that is not used, because it was not saved with the base URL. */
  readonly withheld: string | undefined;
  /** The config file that sets the base URL, if the key of the environment is not sent there without a yes. */
  readonly unconfirmed: string | undefined;
};

export interface SettingSources {
  readonly flags: Partial<Readonly<Record<SettingName, string>>>;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** The numeric id of the user; undefined on systems without one. */
  readonly uid?: number | undefined;
  readonly folder: string;
  readonly configFile: string | undefined;
}

/**
 * Why settings are resolved.
 *
 * - `use`: to run a command; the settings must be valid
 * - `save`: to change the user config file, so the profile may not exist yet. No project config file is read, because
 *   a project must not decide where a new key is sent or saved.
 */
type Purpose = "use" | "save";

/** Reads the config files and resolves all settings. @throws CatalogError of kind `usage` */
export async function resolveSettings(
  sources: SettingSources,
  purpose: Purpose = "use",
): Promise<Settings> {
  const { environment } = sources;
  const userFile = userConfigPath(sources);
  const choice = chooseConfig(sources);
  const files = await readConfigs(sources, purpose);
  const project = files.find((config) => !isUsers(config));
  const profile = resolve("profile", sources, files);
  // A profile was chosen explicitly, so it takes precedence over the settings outside profiles.
  const layers = [...profileLayers(profile, files, purpose), ...files];
  const baseUrl = resolve("baseUrl", sources, layers);
  const isFound = choice.source === "default";
  const address = attempt(() => baseUrl?.value);
  const apiKey = resolve("apiKey", sources, findKeys(layers, address, project, isFound));
  // The key of the environment must not go unasked to a base URL of a file that was found, which may be anyone's, or of
  // the user config file in CI, where the home folder can be a part of the checkout.
  const isOwn = ({ source }: Layer): boolean =>
    source === "user config" ? !isUnattended(environment) : !isFound;
  const isConfirmed = layers.some((layer) => isOwn(layer) && isFor(layer.values.baseUrl, address));
  const chooser = layers.find(({ source }) => source === baseUrl?.source);
  const withKey = layers.find(({ values }) => values.apiKey !== undefined);
  return {
    apiKey,
    baseUrl,
    profile,
    timeout: resolve("timeout", sources, layers),
    retries: resolve("retries", sources, layers),
    concurrency: resolve("concurrency", sources, layers),
    vendor: resolve("vendor", sources, layers),
    complete: resolve("complete", sources, layers),
    maxDeletes: resolveLimit(sources, layers),
    project: project && { value: project.file, ...choice },
    userFile,
    withheld: apiKey === undefined ? withKey?.file : undefined,
    unconfirmed: apiKey?.source === "environment" && !isConfirmed ? chooser?.file : undefined,
  };
}

/** The levels that config files set for rules, with their sources. */
export type RuleLevels = ReadonlyMap<RuleId, Resolved<RuleLevel>>;

/** The levels of all config files; the project config file takes precedence. @throws CatalogError of kind `usage` */
export async function readRuleLevels(sources: SettingSources): Promise<RuleLevels> {
  const files = await readConfigs(sources, "use");
  const levels = files.toReversed().flatMap(({ rules, source, file }) =>
    rules.map(([rule, value]) => {
      return [rule, { value, source, origin: `rules.${rule} in ${file}` }] as const;
    }),
  );
  return new Map(levels);
}

/** The project config file and the user config file, as far as they exist. */
async function readConfigs(sources: SettingSources, purpose: Purpose): Promise<ConfigFile[]> {
  const project = purpose === "use" ? await readProjectConfig(sources) : undefined;
  const user = await readUserConfig(userConfigPath(sources), sources.uid);
  return [project, user].filter((config) => config !== undefined);
}

async function readProjectConfig({ environment, folder, uid, configFile }: SettingSources) {
  const { variable } = CONFIG_CHOICE;
  const named = configFile ?? environment[variable];
  if (named === undefined) return await findConfig(folder, uid);
  if (configFile === undefined && isEmpty(named)) throw emptyVariable(variable, environment);
  return await readConfig(resolvePath(folder, named), "project config", uid);
}

function chooseConfig({
  configFile,
  environment,
}: SettingSources): Omit<Resolved<string>, "value"> {
  const { flag, variable } = CONFIG_CHOICE;
  if (configFile !== undefined) return { source: "flag", origin: `--${flag}` };
  if (environment[variable]) return { source: "environment", origin: variable };
  return { source: "default", origin: "found from this folder upward" };
}

function isUsers({ source }: Pick<Layer, "source">): boolean {
  return source === "user config";
}

/** The limit of a project must not be higher than the user's, unless a flag or variable decides. */
function resolveLimit(sources: SettingSources, layers: readonly Layer[]): Settings["maxDeletes"] {
  const projects = layers.filter((layer) => !isUsers(layer));
  const own = resolve("maxDeletes", sources, layers.filter(isUsers));
  const limit = resolve("maxDeletes", sources, projects);
  if (limit.source !== "project config") return own;
  return { ...limit, value: lowerLimit(limit.value, own.value) };
}

/** The values of the selected profile. @throws CatalogError of kind `usage` if it must exist and does not */
function profileLayers(
  profile: Resolved<string> | undefined,
  files: readonly ConfigFile[],
  purpose: Purpose,
): Layer[] {
  if (profile === undefined) return [];
  const { value: name, source, origin } = profile;
  // A project must not choose which of the user's accounts is changed.
  const isProjects = source === "project config";
  const available = isProjects ? files.filter((file) => !isUsers(file)) : files;
  const layers = available.flatMap(({ profiles, ...config }) => {
    const values = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    return values === undefined ? [] : [{ ...config, values }];
  });
  if (layers.length > 0 || purpose === "save") return layers;
  const names = available.flatMap((file) => Object.keys(file.profiles));
  const quoted = JSON.stringify(name);
  const inFile = `${origin} must select a profile of the same file, not ${quoted}`;
  const problem = isProjects ? inFile : `no profile ${quoted} (from ${origin})`;
  const own = quoteShell(name);
  const way = isProjects
    ? `To use your own profile, pass --profile ${own}.`
    : `Run "catalog login --profile ${own}".`;
  const advice = names.length > 0 ? `Available profiles: ${names.join(", ")}.` : way;
  throw usageError(problem, suggest(name, names, advice));
}

/**
 * The layers whose keys may be sent to the base URL: those that were saved with it or, in a project config file, are in
 * the file of the base URL. The key of a project config file that was found counts only without another one.
 */
function findKeys(
  layers: readonly Layer[],
  address: string | undefined,
  project: ConfigFile | undefined,
  isFound: boolean,
): Layer[] {
  const usable = layers.filter((layer) => {
    const inFile = isUsers(layer) ? undefined : project?.values.baseUrl;
    return isFor(layer.values.baseUrl ?? inFile, address);
  });
  if (!isFound) return usable;
  return [...usable.filter(isUsers), ...usable.filter((layer) => !isUsers(layer))];
}

function isFor(value: unknown, baseUrl: string | undefined): boolean {
  return typeof value === "string" && baseUrl !== undefined && isSameBaseUrl(value, baseUrl);
}

function resolve<Name extends SettingName>(
  name: Name,
  { flags, environment }: SettingSources,
  layers: readonly Layer[],
): Settings[Name] {
  const { variable, flag, default: value, parse }: Setting<SettingValue> = SETTINGS[name];
  const found = (text: string, source: Source, origin: string) =>
    ({ value: parse(text, origin), source, origin }) as Settings[Name];
  const typed = flags[name];
  if (typed !== undefined) return found(typed, "flag", `--${flag}`);
  const text = environment[variable];
  if (isEmpty(text)) {
    const empty: Resolved<SettingValue> = {
      source: "environment",
      origin: variable,
      get value(): never {
        throw emptyVariable(variable, environment);
      },
    };
    return empty as Settings[Name];
  }
  if (text !== undefined) return found(text, "environment", variable);
  const layer = layers.find(({ values }) => values[name] !== undefined);
  if (layer !== undefined) {
    return found(String(layer.values[name]), layer.source, `${name} in ${layer.file}`);
  }
  const usual = value === undefined ? undefined : { value, source: "default", origin: "default" };
  return usual as Settings[Name];
}

/** Whether a variable is set but empty, as in CI when its secret is missing: another source must not decide instead. */
function isEmpty(variable: string | undefined): boolean {
  return variable?.trim() === "";
}

function emptyVariable(variable: string, environment: Environment): CatalogError {
  const advice = isUnattended(environment) ? CI_CAUSES : `Set or unset ${variable}.`;
  const kind = variable === SETTINGS.apiKey.variable ? "auth" : "usage";
  return new CatalogError(kind, `${variable} is set but empty`, { advice });
}

/** Why a variable is empty or missing in CI. */
export const CI_CAUSES =
  "In CI, the usual causes are a misspelled secret, a job without its environment, and a pull request from a fork, which gets no secrets.";
