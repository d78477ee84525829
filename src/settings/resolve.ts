/** Resolves every setting from, in this order: flag, environment, project config file, user config file, default. */
import { relative } from "node:path";
import { isSameBaseUrl } from "../base/credentials.ts";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { type Environment, isUnattended } from "../base/process.ts";
import { suggest } from "../base/suggest.ts";
import { quoteShell } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import type { RuleId } from "../course/problem.ts";
import { type ConfigFile, parseRuleLevels, type RuleLevel } from "./config-file.ts";
import { readProjectConfig } from "./project-config.ts";
import {
  CONFIG_CHOICE,
  type DefaultedSetting,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValue,
  type SettingValues,
  type Source,
} from "./table.ts";
import { readUserConfig, userConfigPath } from "./user-config.ts";

export interface Resolved<Value> {
  /** @throws CatalogError if its variable is set but empty, so that only commands that need the value fail */
  readonly value: Value;
  readonly source: Source;
  /** The source as messages name it: `--timeout`, `CATALOG_TIMEOUT`, `timeout in /project/.catalogrc`. */
  readonly origin: string;
}

export type Settings = {
  readonly [Name in SettingName]:
    | Resolved<SettingValues[Name]>
    | (Name extends DefaultedSetting ? never : undefined);
} & {
  /** The path of the project config file, and how it was chosen. */
  readonly project: Resolved<string> | undefined;
  /** The path of the user config file, which may not exist; undefined if there is no folder for it. */
  readonly userFile: string | undefined;
  /** The file and the base URL of a key that is not used, because it belongs to another base URL. */
  readonly withheld: { readonly file: string; readonly baseUrl: string | undefined } | undefined;
  /** The config file that sets the base URL, if the key of the environment is not sent there without a yes. */
  readonly unconfirmed: string | undefined;
  readonly profiles: readonly string[];
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
  const configs = await readConfigs(sources, purpose);
  const { project, userFile } = configs;
  const common = layersOf(configs, ({ values }) => values);
  const profile = resolve("profile", sources, common);
  // A profile was chosen explicitly, so it takes precedence over the settings outside profiles.
  const layers = [...profileLayers(profile, configs, purpose), ...common];
  const baseUrl = resolve("baseUrl", sources, layers);
  const choice = choiceOf(sources);
  const isFound = choice.source === "default";
  const apiKey = resolve("apiKey", sources, findKeys(layers, baseUrl, configs, isFound));
  const resolveOne = <Name extends DefaultedSetting>(name: Name): Resolved<SettingValues[Name]> => {
    const value = SETTINGS[name].default as SettingValues[Name];
    return resolve(name, sources, layers) ?? { value, source: "default", origin: "default" };
  };
  return {
    apiKey,
    baseUrl,
    profile,
    timeout: resolveOne("timeout"),
    retries: resolveOne("retries"),
    concurrency: resolveOne("concurrency"),
    vendor: resolveOne("vendor"),
    complete: resolveOne("complete"),
    project: project && { value: project.file, ...choice },
    userFile,
    withheld: apiKey === undefined ? findWithheldKey(layers) : undefined,
    unconfirmed:
      apiKey?.source === "environment"
        ? findUnconfirmed(baseUrl, layers, { ...sources, isFound })
        : undefined,
    profiles: profilesIn(configs),
  };
}

/** The levels that config files set for rules, with their sources. */
export type RuleLevels = ReadonlyMap<RuleId, Resolved<RuleLevel>>;

/** The levels of all config files; the project config file takes precedence. @throws CatalogError of kind `usage` */
export async function readRuleLevels(sources: SettingSources): Promise<RuleLevels> {
  const layers = layersOf(await readConfigs(sources), ({ values }) => values);
  const levels = new Map<RuleId, Resolved<RuleLevel>>();
  for (const { values, source, file } of layers.reverse()) {
    if (values.rules === undefined) continue;
    for (const [rule, value] of parseRuleLevels(values.rules, file)) {
      levels.set(rule, { value, source, origin: `rules.${rule} in ${file}` });
    }
  }
  return levels;
}

interface Configs {
  readonly project: ConfigFile | undefined;
  readonly user: ConfigFile | undefined;
}

/** The values of one config file, or of one profile in it. */
interface Layer {
  readonly values: PlainObject;
  readonly source: "project config" | "user config";
  readonly file: string;
}

async function readConfigs(sources: SettingSources, purpose: Purpose = "use") {
  const { environment, folder, uid, configFile } = sources;
  const userFile = userConfigPath(sources);
  const readProject = async () => {
    const named = configFile ?? environment[CONFIG_CHOICE.variable];
    if (configFile === undefined && isEmpty(named)) throw emptyVariable(CONFIG_CHOICE, environment);
    return await readProjectConfig({ folder, named, uid });
  };
  const [project, user] = await Promise.all([
    purpose === "use" ? readProject() : undefined,
    userFile === undefined ? undefined : readUserConfig(userFile, uid),
  ]);
  return { project, user, userFile };
}

function choiceOf({ configFile, environment }: SettingSources): Omit<Resolved<string>, "value"> {
  const { flag, variable } = CONFIG_CHOICE;
  if (configFile !== undefined) return { source: "flag", origin: `--${flag}` };
  if (environment[variable]) return { source: "environment", origin: variable };
  return { source: "default", origin: "found from this folder upward" };
}

/** The values that `select` finds in the project config file and the user config file, in this order. */
function layersOf(
  { project, user }: Configs,
  select: (config: ConfigFile) => PlainObject | undefined,
): Layer[] {
  const files = [
    { config: project, source: "project config" as const },
    { config: user, source: "user config" as const },
  ];
  return files.flatMap(({ config, source }) => {
    const values = config && select(config);
    return config && values ? [{ values, source, file: config.file }] : [];
  });
}

function profilesIn({ project, user }: Configs): string[] {
  return Object.keys({ ...project?.profiles, ...user?.profiles });
}

/** The values of the selected profile. @throws CatalogError of kind `usage` if it must exist and does not */
function profileLayers(
  profile: Resolved<string> | undefined,
  configs: Configs,
  purpose: Purpose,
): Layer[] {
  if (profile === undefined) return [];
  const { value: name } = profile;
  // A project must not choose which of the user's accounts is changed.
  const available = isProjects(profile) ? { ...configs, user: undefined } : configs;
  const layers = layersOf(available, ({ profiles }) =>
    Object.hasOwn(profiles, name) ? profiles[name] : undefined,
  );
  if (layers.length === 0 && purpose === "use") throw missingProfile(profile, configs);
  return layers;
}

function missingProfile(profile: Resolved<string>, { project, user }: Configs): CatalogError {
  const { value: name, origin } = profile;
  const isChosenByProject = isProjects(profile);
  const isUsers = user !== undefined && Object.hasOwn(user.profiles, name);
  if (isChosenByProject && isUsers) {
    return usageError(
      `${origin} selects the profile ${JSON.stringify(name)}, which is only in your user config file`,
      `To use the profile, pass --profile ${quoteShell(name)}.`,
    );
  }
  const names = profilesIn({ project, user: isChosenByProject ? undefined : user });
  const absent = isChosenByProject
    ? "Define the profile in the same file, or remove the line."
    : `Run "catalog login --profile ${quoteShell(name)}".`;
  const available = names.length === 0 ? absent : `Available profiles: ${names.join(", ")}.`;
  const problem = `no profile ${JSON.stringify(name)} (from ${origin})`;
  return usageError(problem, suggest(name, names, available));
}

/**
 * The layers whose keys may be sent to the base URL: those that were saved with it or, in a project config file, are in
 * the file of the base URL. The key of a project config file that was found counts only without another one.
 */
function findKeys(
  layers: readonly Layer[],
  baseUrl: Resolved<string> | undefined,
  { project }: Configs,
  isFound: boolean,
): Layer[] {
  const address = attempt(() => baseUrl?.value);
  const usable = layers.filter(({ source, values }) => {
    const inFile = source === "project config" ? project?.values.baseUrl : undefined;
    return hasBaseUrl(values.baseUrl ?? inFile, address);
  });
  if (!isFound) return usable;
  const isUsers = ({ source }: Layer): boolean => source === "user config";
  return [...usable.filter(isUsers), ...usable.filter((layer) => !isUsers(layer))];
}

/**
 * The config file that sets the base URL if the key of the environment must not go there unasked: a file that was found
 * may be anyone's, and so may the user config file in CI, where the home folder can be a part of the checkout.
 */
function findUnconfirmed(
  baseUrl: Resolved<string> | undefined,
  layers: readonly Layer[],
  {
    environment,
    folder,
    isFound,
  }: Pick<SettingSources, "environment" | "folder"> & {
    readonly isFound: boolean;
  },
): string | undefined {
  const address = attempt(() => baseUrl?.value);
  const own = layers.filter(({ source, values }) => {
    const isOwn = source === "user config" ? !isUnattended(environment) : !isFound;
    return isOwn && hasBaseUrl(values.baseUrl, address);
  });
  const file = layers.find(({ source }) => source === baseUrl?.source)?.file;
  return own.length > 0 || file === undefined ? undefined : displayPath(folder, file);
}

function hasBaseUrl(value: unknown, baseUrl: string | undefined): boolean {
  return typeof value === "string" && baseUrl !== undefined && isSameBaseUrl(value, baseUrl);
}

/** Where the first key is that must not be used; undefined if no file has a key. */
function findWithheldKey(layers: readonly Layer[]): Settings["withheld"] {
  const layer = layers.find(({ values }) => values.apiKey !== undefined);
  if (layer === undefined) return undefined;
  const saved = layer.values.baseUrl;
  // Text before an @ may be a password.
  const isPrintable = typeof saved === "string" && !saved.includes("@");
  return { file: layer.file, baseUrl: isPrintable ? saved : undefined };
}

function isProjects(setting: Resolved<string> | undefined): boolean {
  return setting?.source === "project config";
}

/** A file in the current folder or below as a path from there: `./.catalogrc`. */
function displayPath(folder: string, file: string): string {
  const path = relative(folder, file);
  return path.startsWith("..") ? file : `./${path}`;
}

function resolve<Name extends SettingName>(
  name: Name,
  { flags, environment }: Pick<SettingSources, "flags" | "environment">,
  layers: readonly Layer[],
): Resolved<SettingValues[Name]> | undefined {
  const setting: Setting<SettingValue> = SETTINGS[name];
  const { variable } = setting;
  const parse = (text: string, source: Source, origin: string) => {
    return { value: setting.parse(text, origin) as SettingValues[Name], source, origin };
  };
  const flag = flags[name];
  if (flag !== undefined) return parse(flag, "flag", `--${setting.flag}`);
  const text = environment[variable];
  if (isEmpty(text)) {
    return {
      source: "environment",
      origin: variable,
      get value(): never {
        throw emptyVariable(setting, environment);
      },
    };
  }
  if (text !== undefined) return parse(text, "environment", variable);
  for (const { values, source, file } of layers) {
    const value = values[setting.configKey];
    if (value !== undefined) return parse(String(value), source, `${setting.configKey} in ${file}`);
  }
  return undefined;
}

/** Whether a variable is set but empty, as in CI when its secret is missing: another source must not decide instead. */
function isEmpty(variable: string | undefined): boolean {
  return variable?.trim() === "";
}

function emptyVariable(
  { variable, flag }: Pick<Setting<SettingValue>, "variable" | "flag">,
  environment: Environment,
): CatalogError {
  const others = flag === undefined ? "" : `, or pass --${flag}`;
  const advice = isUnattended(environment)
    ? "In CI, the usual causes are a misspelled secret, a job without its environment, and a pull request from a fork, which gets no secrets."
    : `Give the variable a value${others === "" ? " or" : ","} unset it${others}.`;
  const kind = variable === SETTINGS.apiKey.variable ? "auth" : "usage";
  return new CatalogError(kind, `${variable} is set but empty`, { advice });
}
