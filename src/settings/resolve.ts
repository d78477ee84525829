/** Resolves every setting: flag, environment, project config, user config, default, in this order. */
import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { attempt, CatalogError } from "../base/errors.ts";
import type { Environment, User } from "../base/process.ts";
import {
  type Configs,
  canUseKeyOf,
  findWithheldKey,
  type Layer,
  layersOf,
  missingProfile,
  profileLayers,
  profilesIn,
  type WithheldKey,
} from "./config-layers.ts";
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

/** A value and where it came from. */
export interface Resolved<Value> {
  readonly value: Value;
  readonly source: Source;
  /** The flag, variable or file, as messages name it. */
  readonly origin: string;
}

/** Every setting, and what else the config files determine. */
export type Settings = {
  readonly [Name in DefaultedSetting]: Resolved<SettingValues[Name]>;
} & {
  readonly [Name in Exclude<SettingName, DefaultedSetting>]:
    | Resolved<SettingValues[Name]>
    | undefined;
} & {
  /** The path of the project config, and how it was chosen. */
  readonly project: Resolved<string> | undefined;
  /** The path of the user's config file, which may not exist; undefined if there is no folder for it. */
  readonly userFile: string | undefined;
  /** The saved key that is not used because it belongs to another base URL. */
  readonly withheld: WithheldKey | undefined;
  /** The base URL in the project config, if the purpose is `save`: it is shown, and never used. */
  readonly suggested: Resolved<string> | undefined;
  /** The project file that the base URL comes from, if the key comes from elsewhere. */
  readonly addressFile: string | undefined;
  readonly profiles: readonly string[];
  /** What is unusual about the files, though they are valid. */
  readonly warnings: readonly string[];
};

export interface SettingSources {
  readonly flags: Partial<Readonly<Record<SettingName, string>>>;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly user?: User | undefined;
  /** The folder in which the search for a project config starts. */
  readonly folder: string;
  readonly configFile: string | undefined;
}

/**
 * - `use`: the settings must be valid
 * - `save`: the user's config is to be changed, so that its profile may not exist yet. A project must not
 *   decide where a new key is sent or saved, so its base URL and profile are not used, and an invalid
 *   project config is only a warning.
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
  const layers = [...layersOfProfile(profile, configs, purpose), ...common];
  const baseUrl = resolve("baseUrl", sources, layers.filter(mayDecide));
  const keyLayers = layers.filter((layer) => canUseKeyOf(layer, baseUrl?.value));
  const apiKey = resolve("apiKey", sources, keyLayers);
  const resolveOne = <Name extends DefaultedSetting>(name: Name) =>
    resolveDefaulted(name, sources, layers);
  return {
    apiKey,
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
    suggested: layers.every(mayDecide) ? undefined : suggestedBy(layers),
    addressFile:
      isProjects(baseUrl) && !isProjects(apiKey) && project
        ? displayPath(sources.folder, project.file)
        : undefined,
    profiles: profilesIn(configs),
    warnings,
  };
}

/** The names of all profiles, for completion. @throws CatalogError of kind `usage` */
export async function profileNames(sources: SettingSources): Promise<readonly string[]> {
  return profilesIn(await readConfigs(sources, "use"));
}

interface ReadConfigs extends Configs {
  readonly userFile: string | undefined;
  readonly warnings: readonly string[];
}

/** Reads the config files. @throws CatalogError of kind `usage` */
export async function readConfigs(sources: SettingSources, purpose: Purpose): Promise<ReadConfigs> {
  const { environment, folder, platform, user: owner } = sources;
  const named = sources.configFile ?? (environment[CONFIG_CHOICE.variable] || undefined);
  const userFile = userConfigPath(sources);
  const problems: string[] = [];
  const [project, user] = await Promise.all([
    readProjectConfig({ folder, named, environment, user: owner }).catch((cause: unknown) => {
      if (purpose === "use" || !(cause instanceof CatalogError)) throw cause;
      problems.push(cause.message);
      return undefined;
    }),
    userFile === undefined ? undefined : readUserConfig(userFile, platform),
  ]);
  // The user's own file, named as the project config or linked to, stays the user's: its keys are
  // only sent to their own base URLs.
  const isUsers = project && user && realPathOf(project.file) === realPathOf(user.file);
  const warnings = [...problems, ...(user?.warnings ?? [])];
  return { project: isUsers ? undefined : project, user, userFile, warnings };
}

function choiceOf({ configFile, environment }: SettingSources): Omit<Resolved<string>, "value"> {
  const { flag, variable } = CONFIG_CHOICE;
  if (configFile !== undefined) return { source: "flag", origin: `--${flag}` };
  if (environment[variable]) return { source: "environment", origin: variable };
  return { source: "default", origin: "found from this folder upward" };
}

function realPathOf(file: string): string {
  return attempt(() => realpathSync.native(file)) ?? file;
}

function layersOfProfile(
  profile: Resolved<string> | undefined,
  configs: Configs,
  purpose: Purpose,
): Layer[] {
  if (profile === undefined) return [];
  const selection = {
    name: profile.value,
    origin: profile.origin,
    isProjects: isProjects(profile),
  };
  const layers = profileLayers(selection, configs);
  if (layers.length === 0 && purpose === "use") throw missingProfile(selection, configs);
  return layers;
}

function isProjects(setting: Resolved<string> | undefined): boolean {
  return setting?.source === "project config";
}

/** The base URL in the project's config; undefined without a valid one. */
function suggestedBy(layers: readonly Layer[]): Resolved<string> | undefined {
  const nothing = { flags: {}, environment: {} };
  const projects = layers.filter(({ source }) => source === "project config");
  return attempt(() => resolve("baseUrl", nothing, projects));
}

/** A file as a path from the current folder, such as `./.catalogrc`. */
function displayPath(folder: string, file: string): string {
  const path = relative(folder, file);
  return path.startsWith("..") ? path : `./${path}`;
}

function resolveDefaulted<Name extends DefaultedSetting>(
  name: Name,
  sources: SettingSources,
  layers: readonly Layer[],
): Resolved<SettingValues[Name]> {
  const value = SETTINGS[name].default as SettingValues[Name];
  return resolve(name, sources, layers) ?? { value, source: "default", origin: "default" };
}

function resolve<Name extends SettingName>(
  name: Name,
  { flags, environment }: Pick<SettingSources, "flags" | "environment">,
  layers: readonly Layer[],
): Resolved<SettingValues[Name]> | undefined {
  const setting: Setting<SettingValue> = SETTINGS[name];
  const parse = (text: string, source: Source, origin: string) => {
    return { value: setting.parse(text, origin) as SettingValues[Name], source, origin };
  };
  const flag = flags[name];
  if (flag !== undefined) return parse(flag, "flag", `--${setting.flag}`);
  const variable = environment[setting.variable];
  // Scripts and CI services leave variables without a value empty.
  if (variable !== undefined && variable.trim() !== "") {
    return parse(variable, "environment", setting.variable);
  }
  for (const { values, source, file } of layers) {
    const value = values[setting.configKey];
    if (value !== undefined) return parse(String(value), source, `${setting.configKey} in ${file}`);
  }
  return undefined;
}
