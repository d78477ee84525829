/** Resolves every setting: flag, environment, project config, user config, default, in this order. */
import { realpathSync } from "node:fs";
import { CatalogError, usageError } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";
import { closest } from "../base/suggest.ts";
import type { PlainObject } from "../base/values.ts";
import { isSameBaseUrl } from "./base-url.ts";
import type { ConfigFile } from "./config-file.ts";
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
  /** What is unusual about the files, though they are valid. */
  readonly warnings: readonly string[];
};

/** A saved key that is not sent to the base URL in effect. */
export interface WithheldKey {
  readonly file: string;
  /** The base URL that it was saved with. */
  readonly baseUrl: string | undefined;
}

/** What settings are resolved from. */
export interface SettingSources {
  /** The values of the flags, by setting. */
  readonly flags: Partial<Readonly<Record<SettingName, string>>>;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** The folder in which the search for a project config starts. */
  readonly folder: string;
  /** The value of `--config`. */
  readonly configFile: string | undefined;
}

/**
 * - `use`: the settings must be valid
 * - `save`: the user's config is to be changed, so that its profile may not exist yet, and an invalid
 *   project config is only a warning
 */
type Purpose = "use" | "save";

interface Layer {
  readonly values: PlainObject;
  readonly source: "project config" | "user config";
  readonly file: string;
}

/** Reads the config files and resolves all settings. @throws CatalogError of kind `usage` */
export async function resolveSettings(
  sources: SettingSources,
  purpose: Purpose = "use",
): Promise<Settings> {
  const configs = await readConfigs(sources, purpose);
  const { project, userFile, warnings } = configs;
  const common = layersOf(configs, ({ values }) => values);
  const profile = resolve("profile", SETTINGS.profile, sources, common);
  // A profile was chosen explicitly, so it takes precedence over the settings outside profiles.
  const layers = [...profileLayers(profile, configs, purpose), ...common];
  const baseUrl = resolve("baseUrl", SETTINGS.baseUrl, sources, layers);
  const keyLayers = layers.filter((layer) => canUseKeyOf(layer, baseUrl));
  const apiKey = resolve("apiKey", SETTINGS.apiKey, sources, keyLayers);
  const { timeout, retries, concurrency, vendor, complete } = SETTINGS;
  return {
    apiKey,
    baseUrl,
    profile,
    timeout: resolveDefaulted("timeout", timeout, sources, layers),
    retries: resolveDefaulted("retries", retries, sources, layers),
    concurrency: resolveDefaulted("concurrency", concurrency, sources, layers),
    vendor: resolveDefaulted("vendor", vendor, sources, layers),
    complete: resolveDefaulted("complete", complete, sources, layers),
    project: project && { value: project.file, ...choiceOf(sources) },
    userFile,
    withheld: apiKey === undefined ? findWithheldKey(layers) : undefined,
    warnings,
  };
}

/** The names of all profiles, for completion. @throws CatalogError of kind `usage` */
export async function profileNames(sources: SettingSources): Promise<readonly string[]> {
  return namesIn(await readConfigs(sources, "use"));
}

interface Configs {
  readonly project: ConfigFile | undefined;
  readonly user: ConfigFile | undefined;
  readonly userFile: string | undefined;
  readonly warnings: readonly string[];
}

async function readConfigs(sources: SettingSources, purpose: Purpose): Promise<Configs> {
  const { environment, platform, folder } = sources;
  const named = sources.configFile ?? (environment[CONFIG_CHOICE.variable] || undefined);
  const userFile = userConfigPath(environment, platform);
  const problems: string[] = [];
  const [project, user] = await Promise.all([
    readProjectConfig(folder, named).catch((cause: unknown) => {
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
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

function namesIn({ project, user }: Configs): string[] {
  return Object.keys({ ...project?.profiles, ...user?.profiles });
}

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

function profileLayers(
  profile: Resolved<string> | undefined,
  configs: Configs,
  purpose: Purpose,
): Layer[] {
  if (profile === undefined) return [];
  const { value: name, origin } = profile;
  const layers = layersOf(configs, ({ profiles }) =>
    Object.hasOwn(profiles, name) ? profiles[name] : undefined,
  );
  if (layers.length > 0 || purpose === "save") return layers;
  const names = namesIn(configs);
  const similar = closest(name, names);
  const available =
    names.length === 0
      ? `No profiles exist; "catalog login --profile ${name}" creates one.`
      : `Available profiles: ${names.join(", ")}.`;
  throw usageError(
    `no profile ${JSON.stringify(name)} (from ${origin})`,
    similar === undefined ? available : `Did you mean ${similar}?`,
  );
}

function resolveDefaulted<Value extends SettingValue>(
  name: DefaultedSetting,
  setting: Setting<Value> & { readonly default: Value },
  sources: SettingSources,
  layers: readonly Layer[],
): Resolved<Value> {
  const usual = { value: setting.default, source: "default", origin: "default" } as const;
  return resolve(name, setting, sources, layers) ?? usual;
}

function resolve<Value extends SettingValue>(
  name: SettingName,
  setting: Setting<Value>,
  { flags, environment }: SettingSources,
  layers: readonly Layer[],
): Resolved<Value> | undefined {
  const parse = (text: string, source: Source, origin: string): Resolved<Value> => ({
    value: setting.parse(text, origin),
    source,
    origin,
  });
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

/** A user's saved key is only sent to the base URL saved with it. */
function canUseKeyOf({ source, values }: Layer, baseUrl: Resolved<string> | undefined): boolean {
  if (source === "project config") return true;
  const saved = values[SETTINGS.baseUrl.configKey];
  return typeof saved === "string" && baseUrl !== undefined && isSameBaseUrl(saved, baseUrl.value);
}

function findWithheldKey(layers: readonly Layer[]): WithheldKey | undefined {
  const { apiKey, baseUrl } = SETTINGS;
  const layer = layers.find(({ values }) => values[apiKey.configKey] !== undefined);
  if (layer === undefined) return undefined;
  const saved = layer.values[baseUrl.configKey];
  // Text before an @ may be a password.
  const isPrintable = typeof saved === "string" && !saved.includes("@");
  return { file: layer.file, baseUrl: isPrintable ? saved : undefined };
}
