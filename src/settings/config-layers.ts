/** The settings in the config files, in order of precedence: profiles, the project's, the user's. */
import { isSameBaseUrl, looksLikeKey } from "../base/credentials.ts";
import { type CatalogError, usageError } from "../base/errors.ts";
import { suggest } from "../base/suggest.ts";
import type { PlainObject } from "../base/values.ts";
import type { ConfigFile } from "./config-file.ts";
import { SETTINGS } from "./table.ts";

/** The values of one config file, or of one profile in it. */
export interface Layer {
  readonly values: PlainObject;
  readonly source: "project config" | "user config";
  readonly file: string;
}

/** The config files that exist. */
export interface Configs {
  readonly project: ConfigFile | undefined;
  readonly user: ConfigFile | undefined;
}

/** The project's and the user's values, in this order, where `select` finds some. */
export function layersOf(
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

/** The names of the profiles in the config files. A name that may be a key is left out. */
export function profilesIn({ project, user }: Configs): string[] {
  const names = Object.keys({ ...project?.profiles, ...user?.profiles });
  return names.filter((name) => !looksLikeKey(name));
}

interface Selection {
  readonly name: string;
  /** The flag, variable or file that selects it. */
  readonly origin: string;
  /** Whether the project selects it: then only the project's own profiles count. */
  readonly isProjects: boolean;
}

/** The values of a profile; none if no file has it. */
export function profileLayers({ name, isProjects }: Selection, configs: Configs): Layer[] {
  // Otherwise a project could choose which of the user's accounts is changed.
  const available = isProjects ? { ...configs, user: undefined } : configs;
  return layersOf(available, ({ profiles }) =>
    Object.hasOwn(profiles, name) ? profiles[name] : undefined,
  );
}

/** The error of a profile that no file has, or that the project must not select. */
export function missingProfile(
  { name, origin, isProjects }: Selection,
  { project, user }: Configs,
): CatalogError {
  const isUsers = user !== undefined && Object.hasOwn(user.profiles, name);
  if (isProjects && isUsers) {
    return usageError(
      `the project selects the profile ${JSON.stringify(name)} (${origin}), which only your own config has`,
      `To use it, pass --profile ${name}.`,
    );
  }
  const shown = looksLikeKey(name) ? "" : ` ${JSON.stringify(name)}`;
  const names = profilesIn({ project, user: isProjects ? undefined : user });
  const absent = isProjects
    ? "Add it to the project config's own profiles, or remove the setting."
    : `No profiles exist; "catalog login --profile${shown === "" ? " <name>" : ` ${name}`}" creates one.`;
  const available = names.length === 0 ? absent : `Available profiles: ${names.join(", ")}.`;
  return usageError(`no profile${shown} (from ${origin})`, suggest(name, names, available));
}

/** A saved key that is not sent to the base URL in effect. */
export interface WithheldKey {
  readonly file: string;
  readonly baseUrl: string | undefined;
}

/** Whether the key in these values may be sent to a base URL: a saved one only to that saved with it. */
export function canUseKeyOf({ source, values }: Layer, baseUrl: string | undefined): boolean {
  if (source === "project config") return true;
  const saved = values[SETTINGS.baseUrl.configKey];
  return typeof saved === "string" && baseUrl !== undefined && isSameBaseUrl(saved, baseUrl);
}

/** The first saved key that must not be used; undefined if no file has one. */
export function findWithheldKey(layers: readonly Layer[]): WithheldKey | undefined {
  const { apiKey, baseUrl } = SETTINGS;
  const layer = layers.find(({ values }) => values[apiKey.configKey] !== undefined);
  if (layer === undefined) return undefined;
  const saved = layer.values[baseUrl.configKey];
  // Text before an @ may be a password.
  const isPrintable = typeof saved === "string" && !saved.includes("@");
  return { file: layer.file, baseUrl: isPrintable ? saved : undefined };
}
