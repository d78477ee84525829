/** Resolves every setting from, in this order: flag, environment, project config file, user config file, default. */
import { statSync } from "node:fs";
import { relative } from "node:path";
import { isKeyVariable, isSameBaseUrl, looksLikeKey } from "../base/credentials.ts";
import { attempt, CatalogError, usageError } from "../base/errors.ts";
import type { Environment, User } from "../base/process.ts";
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
  /** The variable of the API key: the variable that is set or, without one, the variable that advice names. */
  readonly keyVariable: string;
  /** The path of the user config file, which may not exist; undefined if there is no folder for it. */
  readonly userFile: string | undefined;
  /** The file and the base URL of a saved key that is not used, because it was saved with another base URL. */
  readonly withheld: { readonly file: string; readonly baseUrl: string | undefined } | undefined;
  /** The base URL in the project config file, if the purpose is `save`: it is shown, and never used. */
  readonly suggested: Resolved<string> | undefined;
  /** The project config file that sets the base URL in effect; undefined if another source does. */
  readonly addressFile: string | undefined;
  readonly profiles: readonly string[];
  /** What is unusual about the config files, although they are valid. */
  readonly warnings: readonly string[];
};

export interface SettingSources {
  readonly flags: Partial<Readonly<Record<SettingName, string>>>;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly user?: User | undefined;
  readonly folder: string;
  readonly configFile: string | undefined;
}

/**
 * Why settings are resolved.
 *
 * - `use`: to run a command; the settings must be valid
 * - `save`: to change the user config file, so the profile may not exist yet. A project must not decide where a new
 *   key is sent or saved: its base URL and profile are ignored, and an invalid project config file is a warning.
 */
type Purpose = "use" | "save";

/** Reads the config files and resolves all settings. @throws CatalogError of kind `usage` */
export async function resolveSettings(
  sources: SettingSources,
  purpose: Purpose = "use",
): Promise<Settings> {
  const configs = await readConfigs(sources, purpose);
  const { project, userFile, warnings } = configs;
  const mayDecide = ({ source }: Layer): boolean =>
    purpose === "use" || source !== "project config";
  const common = layersOf(configs, ({ values }) => values);
  const profile = resolve("profile", sources, common.filter(mayDecide));
  // A profile was chosen explicitly, so it takes precedence over the settings outside profiles.
  const layers = [...profileLayers(profile, configs, sources, purpose), ...common];
  const baseUrl = resolve("baseUrl", sources, layers.filter(mayDecide));
  const address = attempt(() => baseUrl?.value);
  const keyLayers = layers.filter((layer) => canUseKeyOf(layer, address));
  const keyVariable = chooseKeyVariable(profile, sources);
  const apiKey = resolve("apiKey", sources, keyLayers, keyVariable);
  const resolveOne = <Name extends DefaultedSetting>(name: Name): Resolved<SettingValues[Name]> => {
    const value = SETTINGS[name].default as SettingValues[Name];
    return resolve(name, sources, layers) ?? { value, source: "default", origin: "default" };
  };
  const nothing = { flags: {}, environment: {} };
  const projects = layers.filter((layer) => !mayDecide(layer));
  return {
    apiKey,
    keyVariable,
    baseUrl,
    profile,
    timeout: resolveOne("timeout"),
    retries: resolveOne("retries"),
    concurrency: resolveOne("concurrency"),
    vendor: resolveOne("vendor"),
    complete: resolveOne("complete"),
    project: project && { value: project.file, ...choiceOf(sources) },
    userFile,
    withheld: apiKey === undefined ? findWithheldKey(layers) : undefined,
    suggested: attempt(() => resolve("baseUrl", nothing, projects)),
    addressFile:
      isProjects(baseUrl) && project ? displayPath(sources.folder, project.file) : undefined,
    profiles: profilesIn(configs),
    warnings,
  };
}

/** The levels that config files set for rules, with their sources. */
export type RuleLevels = ReadonlyMap<RuleId, Resolved<RuleLevel>>;

/** The levels of all config files; the project config file takes precedence. @throws CatalogError of kind `usage` */
export async function readRuleLevels(sources: SettingSources): Promise<RuleLevels> {
  const layers = layersOf(await readConfigs(sources, "use"), ({ values }) => values);
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

async function readConfigs(sources: SettingSources, purpose: Purpose) {
  const { environment, folder, platform, user: owner, configFile } = sources;
  const userFile = userConfigPath(sources);
  const problems: string[] = [];
  const readProject = async () => {
    const named = configFile ?? environment[CONFIG_CHOICE.variable];
    if (configFile === undefined && isEmpty(named)) throw emptyVariable(CONFIG_CHOICE);
    return await readProjectConfig({ folder, named, environment, user: owner });
  };
  const [project, user] = await Promise.all([
    readProject().catch((cause: unknown) => {
      if (purpose === "use" || !(cause instanceof CatalogError)) throw cause;
      const { file, line, column } = cause.facts;
      problems.push(
        line === undefined ? cause.message : `${file}:${line}:${column}: ${cause.message}`,
      );
      return undefined;
    }),
    userFile === undefined ? undefined : readUserConfig(userFile, platform),
  ]);
  // The user config file is not a project config file, even if --config or a link leads to it.
  const isUsers = project && user && isSameFile(project.file, user.file);
  const warnings = [...problems, ...(user?.warnings ?? [])];
  return { project: isUsers ? undefined : project, user, userFile, warnings };
}

function choiceOf({ configFile, environment }: SettingSources): Omit<Resolved<string>, "value"> {
  const { flag, variable } = CONFIG_CHOICE;
  if (configFile !== undefined) return { source: "flag", origin: `--${flag}` };
  if (environment[variable]) return { source: "environment", origin: variable };
  return { source: "default", origin: "found from this folder upward" };
}

/** Whether both paths lead to one file, even by a symbolic or hard link. */
function isSameFile(one: string, other: string): boolean {
  const first = attempt(() => statSync(one, { bigint: true }));
  const second = attempt(() => statSync(other, { bigint: true }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
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

/** The names of the profiles in the config files, without names that may be an API key. */
function profilesIn({ project, user }: Configs): string[] {
  const names = Object.keys({ ...project?.profiles, ...user?.profiles });
  return names.filter((name) => !looksLikeKey(name));
}

/**
 * The variable of a profile's API key: `CATALOG_API_KEY_TEAM_07` for `team-07`. Undefined unless a flag or a variable
 * selects the profile, so that a project cannot choose which of the user's keys is used.
 */
function profileKeyVariable(profile: Resolved<string> | undefined): string | undefined {
  if (profile === undefined || !["flag", "environment"].includes(profile.source)) return undefined;
  const name = profile.value.replace(/[^A-Za-z\d]/gu, "_").toUpperCase();
  return `${SETTINGS.apiKey.variable}_${name}`;
}

/** The variable of the API key: the profile's variable if it is set or if no variable is set, else CATALOG_API_KEY. */
function chooseKeyVariable(
  profile: Resolved<string> | undefined,
  { environment }: SettingSources,
): string {
  const { variable } = SETTINGS.apiKey;
  const own = profileKeyVariable(profile);
  if (own === undefined || environment[own] !== undefined) return own ?? variable;
  // In uppercase, an API key that was typed as the name of a profile would not be masked.
  return environment[variable] === undefined && !looksLikeKey(profile?.value ?? "")
    ? own
    : variable;
}

/** The values of the selected profile. @throws CatalogError of kind `usage` if it must exist and does not */
function profileLayers(
  profile: Resolved<string> | undefined,
  configs: Configs,
  { environment }: SettingSources,
  purpose: Purpose,
): Layer[] {
  if (profile === undefined) return [];
  const { value: name } = profile;
  // A project must not choose which of the user's accounts is changed.
  const available = isProjects(profile) ? { ...configs, user: undefined } : configs;
  const layers = layersOf(available, ({ profiles }) =>
    Object.hasOwn(profiles, name) ? profiles[name] : undefined,
  );
  const hasKey = environment[profileKeyVariable(profile) ?? ""] !== undefined;
  if (layers.length === 0 && purpose === "use" && !hasKey) throw missingProfile(profile, configs);
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
  const isKey = looksLikeKey(name);
  const shown = isKey ? "" : ` ${JSON.stringify(name)}`;
  const login = `Run "catalog login --profile ${isKey ? "<name>" : quoteShell(name)}"`;
  const variable = profileKeyVariable(profile);
  const names = profilesIn({ project, user: isChosenByProject ? undefined : user });
  const absent = isChosenByProject
    ? "Define the profile in the same file, or remove the line."
    : variable === undefined
      ? `${login}.`
      : `${login}, or set ${isKey ? "CATALOG_API_KEY_<NAME>" : variable}.`;
  const available = names.length === 0 ? absent : `Available profiles: ${names.join(", ")}.`;
  return usageError(`no profile${shown} (from ${origin})`, suggest(name, names, available));
}

/**
 * Whether the API key in these values may be sent to a base URL. A key with a base URL is only sent to that one: even
 * in a project config file, which may be a link to a user config file. A project's key without one goes anywhere.
 */
function canUseKeyOf({ source, values }: Layer, baseUrl: string | undefined): boolean {
  const saved = values.baseUrl;
  if (source === "project config" && saved === undefined) return true;
  return typeof saved === "string" && baseUrl !== undefined && isSameBaseUrl(saved, baseUrl);
}

/** Where the first saved API key is, which must not be used; undefined if no file has a key. */
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

/** A file as a path from the current folder, such as `./.catalogrc`. */
function displayPath(folder: string, file: string): string {
  const path = relative(folder, file);
  return path.startsWith("..") ? path : `./${path}`;
}

function resolve<Name extends SettingName>(
  name: Name,
  { flags, environment }: Pick<SettingSources, "flags" | "environment">,
  layers: readonly Layer[],
  variable: string = SETTINGS[name].variable,
): Resolved<SettingValues[Name]> | undefined {
  const setting: Setting<SettingValue> = SETTINGS[name];
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
        throw emptyVariable({ ...setting, variable });
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

function emptyVariable({ variable, flag }: Pick<Setting<SettingValue>, "variable" | "flag">) {
  const kind = isKeyVariable(variable) ? "auth" : "usage";
  const others = flag === undefined ? "" : `, or pass --${flag}`;
  return new CatalogError(kind, `${variable} is set but empty`, {
    advice: `Give the variable a value${others === "" ? " or" : ","} unset it${others}.`,
  });
}
