/** Resolves every setting from, in this order: flag, environment, project config file, user config file, default. */
import { relative, resolve as resolvePath } from "node:path";
import { isSameBaseUrl } from "../base/credentials.ts";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import { type Environment, isUnattended } from "../base/process.ts";
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
import { lowerLimit } from "./deletion-limit.ts";
import { readUserConfig, userConfigPath } from "./saved-key.ts";
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
  const { environment, folder } = sources;
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
  const resolveOne = <Name extends DefaultedSetting>(
    name: Name,
    from: readonly Layer[] = layers,
  ): Resolved<SettingValues[Name]> => {
    const value = SETTINGS[name].default as SettingValues[Name];
    return resolve(name, sources, from) ?? { value, source: "default", origin: "default" };
  };
  // The key of the environment must not go unasked to a base URL of a file that was found, which may be anyone's, or of
  // the user config file in CI, where the home folder can be a part of the checkout.
  const isOwn = ({ source }: Layer): boolean =>
    source === "user config" ? !isUnattended(environment) : !isFound;
  const isConfirmed = layers.some((layer) => isOwn(layer) && isFor(layer.values.baseUrl, address));
  const chooser = layers.find(({ source }) => source === baseUrl?.source)?.file;
  return {
    apiKey,
    baseUrl,
    profile,
    timeout: resolveOne("timeout"),
    retries: resolveOne("retries"),
    concurrency: resolveOne("concurrency"),
    vendor: resolveOne("vendor"),
    complete: resolveOne("complete"),
    maxDeletes: boundLimit(resolveOne("maxDeletes", layers.filter(isUsers)), layers),
    project: project && { value: project.file, ...choice },
    userFile,
    withheld: apiKey === undefined ? findWithheldKey(layers) : undefined,
    unconfirmed:
      apiKey?.source === "environment" && chooser !== undefined && !isConfirmed
        ? displayPath(folder, chooser)
        : undefined,
    profiles: profilesIn(files),
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
  const named = configFile ?? environment[CONFIG_CHOICE.variable];
  if (named === undefined) return await findConfig(folder, uid);
  if (configFile === undefined && isEmpty(named)) throw emptyVariable(CONFIG_CHOICE, environment);
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
function boundLimit(own: Settings["maxDeletes"], layers: readonly Layer[]): Settings["maxDeletes"] {
  if (own.source === "environment") return own;
  const projects = layers.filter((layer) => !isUsers(layer));
  const limit = resolve("maxDeletes", { flags: {}, environment: {} }, projects);
  return limit === undefined ? own : { ...limit, value: lowerLimit(limit.value, own.value) };
}

/** The values of the selected profile. @throws CatalogError of kind `usage` if it must exist and does not */
function profileLayers(
  profile: Resolved<string> | undefined,
  files: readonly ConfigFile[],
  purpose: Purpose,
): Layer[] {
  if (profile === undefined) return [];
  const { value: name, source } = profile;
  // A project must not choose which of the user's accounts is changed.
  const available = source === "project config" ? files.filter((file) => !isUsers(file)) : files;
  const layers = available.flatMap(({ profiles, ...config }) => {
    const values = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    return values === undefined ? [] : [{ ...config, values }];
  });
  if (layers.length > 0 || purpose === "save") return layers;
  throw missingProfile(profile, profilesIn(available), profilesIn(files));
}

function profilesIn(files: readonly ConfigFile[]): string[] {
  return [...new Set(files.flatMap(({ profiles }) => Object.keys(profiles)))];
}

function missingProfile(
  { value: name, source, origin }: Resolved<string>,
  available: readonly string[],
  all: readonly string[],
): CatalogError {
  if (all.includes(name)) {
    return usageError(
      `${origin} selects the profile ${JSON.stringify(name)}, which is only in your user config file`,
      `To use the profile, pass --profile ${quoteShell(name)}.`,
    );
  }
  const absent =
    source === "project config"
      ? "Define the profile in the same file, or remove the line."
      : `Run "catalog login --profile ${quoteShell(name)}".`;
  const advice = available.length === 0 ? absent : `Available profiles: ${available.join(", ")}.`;
  const problem = `no profile ${JSON.stringify(name)} (from ${origin})`;
  return usageError(problem, suggest(name, available, advice));
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

/** Where the first key is that must not be used; undefined if no file has a key. */
function findWithheldKey(layers: readonly Layer[]): Settings["withheld"] {
  const layer = layers.find(({ values }) => values.apiKey !== undefined);
  if (layer === undefined) return undefined;
  const saved = layer.values.baseUrl;
  // Text before an @ may be a password.
  const isPrintable = typeof saved === "string" && !saved.includes("@");
  return { file: layer.file, baseUrl: isPrintable ? saved : undefined };
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
  const { variable, configKey } = setting;
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
  const layer = layers.find(({ values }) => values[configKey] !== undefined);
  if (layer === undefined) return undefined;
  const { values, source, file } = layer;
  return parse(String(values[configKey]), source, `${configKey} in ${file}`);
}

/** Whether a variable is set but empty, as in CI when its secret is missing: another source must not decide instead. */
function isEmpty(variable: string | undefined): boolean {
  return variable?.trim() === "";
}

function emptyVariable(
  { variable, flag, commandFlag = flag }: Omit<Partial<Setting<SettingValue>>, "parse">,
  environment: Environment,
): CatalogError {
  const ways = commandFlag === undefined ? " or unset it" : `, unset it, or pass --${commandFlag}`;
  const advice = isUnattended(environment) ? CI_CAUSES : `Give the variable a value${ways}.`;
  const kind = variable === SETTINGS.apiKey.variable ? "auth" : "usage";
  return new CatalogError(kind, `${variable} is set but empty`, { advice });
}

/** Why a variable is empty or missing in CI. */
export const CI_CAUSES =
  "In CI, the usual causes are a misspelled secret, a job without its environment, and a pull request from a fork, which gets no secrets.";
