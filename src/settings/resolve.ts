/** Settles every setting: flag, environment, project config, default, in this order. */

import type { Environment } from "../base/environment.ts";
import { CatalogError, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { oneOf } from "../base/text.ts";
import type { Mapping } from "../base/values.ts";
import { type ProjectConfig, readProjectConfig } from "./project.ts";
import {
  type Defaulted,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValues,
  type Source,
} from "./table.ts";

/** A value with where it came from. */
interface Resolved<Value> {
  readonly value: Value;
  readonly source: Source;
  /** The flag, variable or file, as a message names it. */
  readonly origin: string;
}

/** Every setting that has a value. */
export type Settings = {
  readonly [Name in Defaulted]: Resolved<SettingValues[Name]>;
} & {
  readonly [Name in Exclude<SettingName, Defaulted>]?: Resolved<SettingValues[Name]>;
};

/** What the settings are made from. */
export interface Given {
  /** The values of the flags, by setting. */
  readonly flags: Partial<Readonly<Record<SettingName, string>>>;
  readonly environment: Environment;
  /** The folder from which a project config is looked for. */
  readonly folder: string;
  /** The config file that `--config` names. */
  readonly configFile?: string | undefined;
}

/** Reads the config file and settles all settings. @throws CatalogError of kind `usage` */
export async function resolveSettings(given: Given): Promise<Settings> {
  const named = given.configFile ?? (given.environment.CATALOG_CONFIG || undefined);
  const config = await readProjectConfig(given.folder, named);
  const profile = settle("profile", SETTINGS.profile, given, config, undefined);
  const set = profileSet(profile, config);
  const settled = Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    settle(name as SettingName, setting as Setting<string | number>, given, config, set),
  ]);
  return Object.fromEntries(settled.filter(([, value]) => value !== undefined)) as Settings;
}

function profileSet(
  profile: Resolved<string | number> | undefined,
  config: ProjectConfig | undefined,
): Mapping | undefined {
  if (profile === undefined) return undefined;
  const name = String(profile.value);
  const profiles = config?.profiles ?? {};
  if (Object.hasOwn(profiles, name)) return profiles[name];
  const names = Object.keys(profiles);
  const meant = closest(name, names);
  const known = names.length === 0 ? "No profile is set up." : `There is ${oneOf(names, "and")}.`;
  throw usageError(
    `there is no profile ${JSON.stringify(name)}`,
    meant === undefined ? known : `Did you mean ${meant}?`,
  );
}

function settle(
  name: SettingName,
  setting: Setting<string | number>,
  given: Given,
  config: ProjectConfig | undefined,
  profile: Mapping | undefined,
): Resolved<string | number> | undefined {
  const flag = given.flags[name];
  if (flag !== undefined) return parsed(setting, flag, "flag", `--${setting.flag}`);
  const variable = given.environment[setting.variable];
  // An empty variable is how scripts and CI services say that they have none.
  if (variable !== undefined && variable.trim() !== "") {
    return parsed(setting, variable, "environment", setting.variable);
  }
  for (const values of [profile, config?.values]) {
    const value = setting.configKey === undefined ? undefined : values?.[setting.configKey];
    if (value !== undefined && config !== undefined) {
      const origin = `${setting.configKey} in ${config.file}`;
      return parsed(setting, String(value), "project config", origin);
    }
  }
  if (setting.default === undefined) return undefined;
  return { value: setting.default, source: "default", origin: "default" };
}

function parsed(
  setting: Setting<string | number>,
  text: string,
  source: Source,
  origin: string,
): Resolved<string | number> {
  return { value: setting.parse(text, origin), source, origin };
}

/** The address and key of the service, checked for the mistakes that cost a key or a course. */
export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What is odd about them, though they work. */
  readonly warnings: readonly string[];
}

/**
 * The connection that the settings describe (cli.md section 5).
 *
 * @throws CatalogError of kind `usage` without a usable base URL, `auth` without a key
 */
export function connectionOf(settings: Settings, allowInsecureHttp: boolean): Connection {
  const { baseUrl, apiKey } = settings;
  if (baseUrl === undefined) {
    throw usageError(
      "no base URL is set",
      'Set CATALOG_BASE_URL, pass --base-url, or put baseUrl into .catalogrc; "catalog sandbox" serves one to try.',
    );
  }
  if (!allowInsecureHttp && isPlainHttp(baseUrl.value)) {
    throw usageError(
      `the base URL ${baseUrl.value} sends the key unencrypted`,
      "Use https, or pass --insecure-http if you mean it.",
    );
  }
  if (apiKey === undefined) {
    throw new CatalogError("auth", "no API key is set", {
      next: "Set CATALOG_API_KEY; your key comes from the developer dashboard.",
    });
  }
  const warnings: string[] = [];
  if (apiKey.source === "project config") {
    warnings.push(
      `the API key stands in a project file (${apiKey.origin}), where others may read it; CATALOG_API_KEY keeps it out`,
    );
  }
  if (!/^[^.]+\.[^.]+$/.test(apiKey.value)) {
    warnings.push("the API key does not have the usual form, two parts joined by one dot");
  }
  return { baseUrl: baseUrl.value, apiKey: apiKey.value, warnings };
}

function isPlainHttp(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
