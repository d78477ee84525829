/** Settles every setting: flag, environment, project config, user config, default, in this order. */
import { realpathSync } from "node:fs";
import { CatalogError, usageError } from "../base/errors.ts";
import type { Environment } from "../base/process.ts";
import { closest } from "../base/suggest.ts";
import { joinList } from "../base/text.ts";
import type { PlainObject } from "../base/values.ts";
import { isSameAddress } from "./address.ts";
import type { ConfigFile } from "./config-file.ts";
import { readProjectConfig } from "./project.ts";
import {
  CONFIG_CHOICE,
  type Defaulted,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValues,
  type Source,
} from "./table.ts";
import { readUserConfig, userConfigPath } from "./user.ts";

/** A value with where it came from. */
export interface Resolved<Value> {
  readonly value: Value;
  readonly source: Source;
  /** The flag, variable or file, as a message names it. */
  readonly origin: string;
}

/** Every setting that has a value. */
export type SettledValues = {
  readonly [Name in Defaulted]: Resolved<SettingValues[Name]>;
} & {
  readonly [Name in Exclude<SettingName, Defaulted>]?: Resolved<SettingValues[Name]>;
};

/** Every setting that has a value, and what else the files came to. */
export type Settings = SettledValues & {
  /** The project config in use, if there is one: its path, and who named it. */
  readonly project?: Resolved<string>;
  /** Where the user's config file is, there or not; none where there is no place for it. */
  readonly userFile?: string;
  /** The saved key that is not used, as it belongs to another address. */
  readonly withheld?: WithheldKey;
  /** What is odd about the files, though they work. */
  readonly warnings: readonly string[];
};

/** A saved key that is kept from the address in effect (cli.md section 5). */
export interface WithheldKey {
  readonly file: string;
  /** The address that it was saved with, if the file says one. */
  readonly baseUrl?: string;
}

/** What the settings are made from. */
export interface SettingSources {
  /** The values of the flags, by setting. */
  readonly flags: Partial<Readonly<Record<SettingName, string>>>;
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** The folder from which a project config is looked for. */
  readonly folder: string;
  /** The config file that `--config` names. */
  readonly configFile?: string | undefined;
  /**
   * Whether the user's config is to be changed. Then the profile in effect may be one that no file
   * holds yet, and a fault of the project's config is only a warning.
   */
  readonly saving?: boolean;
}

/** One set of settings in a file. */
interface Layer {
  readonly values: PlainObject;
  readonly source: "project config" | "user config";
  readonly file: string;
}

/** Reads the config files and settles all settings. @throws CatalogError of kind `usage` */
export async function resolveSettings(given: SettingSources): Promise<Settings> {
  const { project, user, userFile, warnings } = await readConfigs(given);
  const common = [
    ...layer(project, project?.values, "project config"),
    ...layer(user, user?.values, "user config"),
  ];
  const profile = settle("profile", SETTINGS.profile, given, common);
  // Who names a set means it more than what stands outside of the sets.
  const layers = [...setsNamed(profile, project, user, given.saving === true), ...common];
  const { apiKey: keySetting, ...others } = SETTINGS;
  const settled = Object.entries(others).map(([name, setting]) => [
    name,
    settle(name as SettingName, setting as Setting<string | number>, given, layers),
  ]);
  const values: Omit<SettledValues, "apiKey"> = Object.fromEntries(
    settled.filter(([, value]) => value !== undefined),
  );
  const free = layers.filter((set) => mayUseKeyOf(set, values.baseUrl));
  const apiKey = settle("apiKey", keySetting, given, free);
  const withheld = apiKey === undefined ? withheldKey(layers) : undefined;
  return {
    ...values,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(withheld === undefined ? {} : { withheld }),
    ...(project === undefined ? {} : { project: { value: project.file, ...chosenBy(given) } }),
    ...(userFile === undefined ? {} : { userFile }),
    warnings,
  };
}

/** The names of all sets in the config files, for completion. @throws CatalogError of kind `usage` */
export async function profileNames(given: SettingSources): Promise<readonly string[]> {
  const { project, user } = await readConfigs(given);
  return namesOf(project, user);
}

async function readConfigs(given: SettingSources) {
  const { environment, platform, folder } = given;
  const named = given.configFile ?? (environment[CONFIG_CHOICE.variable] || undefined);
  const userFile = userConfigPath(environment, platform);
  const faults: string[] = [];
  const [project, user] = await Promise.all([
    readProjectConfig(folder, named).catch((cause: unknown) => {
      if (given.saving !== true || !(cause instanceof CatalogError)) throw cause;
      faults.push(cause.message);
      return undefined;
    }),
    userFile === undefined ? undefined : readUserConfig(userFile, platform),
  ]);
  const warnings = [...faults, ...(user?.warnings ?? [])];
  // Named as the project's, or linked to, the user's own file is no other: its keys stay bound.
  const isSame = project !== undefined && user !== undefined && areOne(project, user);
  return { project: isSame ? undefined : project, user, userFile, warnings };
}

/** Who says which file the project config is. */
function chosenBy({ configFile, environment }: SettingSources): Omit<Resolved<string>, "value"> {
  const { flag, variable } = CONFIG_CHOICE;
  if (configFile !== undefined) return { source: "flag", origin: `--${flag}` };
  if (environment[variable]) return { source: "environment", origin: variable };
  return { source: "default", origin: "found from this folder upward" };
}

function areOne(...files: readonly ConfigFile[]): boolean {
  return new Set(files.map(({ file }) => realPathOf(file))).size === 1;
}

function realPathOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

function namesOf(...files: readonly (ConfigFile | undefined)[]): string[] {
  return [...new Set(files.flatMap((file) => Object.keys(file?.profiles ?? {})))];
}

function layer(
  config: ConfigFile | undefined,
  values: PlainObject | undefined,
  source: Layer["source"],
): Layer[] {
  return config === undefined || values === undefined
    ? []
    : [{ values, source, file: config.file }];
}

function setsNamed(
  profile: Resolved<string> | undefined,
  project: ConfigFile | undefined,
  user: ConfigFile | undefined,
  saving: boolean,
): Layer[] {
  if (profile === undefined) return [];
  const name = profile.value;
  const setOf = (config: ConfigFile | undefined): PlainObject | undefined =>
    config !== undefined && Object.hasOwn(config.profiles, name)
      ? config.profiles[name]
      : undefined;
  const layers = [
    ...layer(project, setOf(project), "project config"),
    ...layer(user, setOf(user), "user config"),
  ];
  if (layers.length > 0 || saving) return layers;
  const names = namesOf(project, user);
  const meant = closest(name, names);
  const known =
    names.length === 0
      ? `No profile is set up; "catalog login --profile ${name}" makes one.`
      : `There is ${joinList(names, "and")}.`;
  throw usageError(
    `there is no profile ${JSON.stringify(name)}, which ${profile.origin} names`,
    meant === undefined ? known : `Did you mean ${meant}?`,
  );
}

function settle<Value extends string | number>(
  name: SettingName,
  setting: Setting<Value>,
  given: SettingSources,
  layers: readonly Layer[],
): Resolved<Value> | undefined {
  const flag = given.flags[name];
  if (flag !== undefined) return parsed(setting, flag, "flag", `--${setting.flag}`);
  const variable = given.environment[setting.variable];
  // An empty variable is how scripts and CI services say that they have none.
  if (variable !== undefined && variable.trim() !== "") {
    return parsed(setting, variable, "environment", setting.variable);
  }
  for (const { values, source, file } of layers) {
    const value = setting.configKey === undefined ? undefined : values[setting.configKey];
    if (value !== undefined) {
      return parsed(setting, String(value), source, `${setting.configKey} in ${file}`);
    }
  }
  if (setting.default === undefined) return undefined;
  return { value: setting.default, source: "default", origin: "default" };
}

/** Whether a set's key may go to the address in effect: a saved one goes to its own alone. */
function mayUseKeyOf({ source, values }: Layer, baseUrl: Resolved<string> | undefined): boolean {
  if (source === "project config") return true;
  const own = values[SETTINGS.baseUrl.configKey];
  return typeof own === "string" && baseUrl !== undefined && isSameAddress(own, baseUrl.value);
}

/** The saved key that somebody may wonder about when there is none to use. */
function withheldKey(layers: readonly Layer[]): WithheldKey | undefined {
  const { apiKey, baseUrl } = SETTINGS;
  const set = layers.find(({ values }) => values[apiKey.configKey] !== undefined);
  if (set === undefined) return undefined;
  const own = set.values[baseUrl.configKey];
  // Whatever stands before an @ may be a password.
  const isShown = typeof own === "string" && !own.includes("@");
  return { file: set.file, ...(isShown ? { baseUrl: own } : {}) };
}

function parsed<Value extends string | number>(
  setting: Setting<Value>,
  text: string,
  source: Source,
  origin: string,
): Resolved<Value> {
  return { value: setting.parse(text, origin), source, origin };
}
