/** Finds and reads the project's config file: data formats only, nothing is executed. */
import type { Options } from "cosmiconfig";
import { CatalogError, systemCode, usageError } from "../base/errors.ts";
import { closest } from "../base/suggest.ts";
import { oneOf } from "../base/text.ts";
import { isMapping, type Mapping } from "../base/values.ts";
import { SETTINGS } from "./table.ts";

/** What a project config says. */
export interface ProjectConfig {
  readonly file: string;
  readonly values: Mapping;
  /** The named sets. */
  readonly profiles: Readonly<Record<string, Mapping>>;
}

/** The names under which a project config is found, nearest folder first (cli.md section 5). */
export const CONFIG_FILES = [
  "package.json",
  ".catalogrc",
  ".catalogrc.json",
  ".catalogrc.yaml",
  ".catalogrc.yml",
  "catalog.config.json",
  "catalog.config.yaml",
  "catalog.config.yml",
] as const;

/**
 * The project config: the file named, or the first one found from `folder` upward, or none.
 *
 * @throws CatalogError of kind `usage` for a file that cannot be read, is not data, or says
 * something that no setting is
 */
export async function readProjectConfig(
  folder: string,
  named?: string,
): Promise<ProjectConfig | undefined> {
  const { cosmiconfig } = await import("cosmiconfig");
  const explorer = cosmiconfig("catalog", await explorerOptions());
  const found = await (named === undefined ? explorer.search(folder) : explorer.load(named)).catch(
    (cause: unknown) => {
      throw unreadable(cause, named ?? folder);
    },
  );
  if (found === null || found.isEmpty) return undefined;
  return checkConfig(found.filepath, found.config);
}

async function explorerOptions(): Promise<Partial<Options>> {
  const { load, JSON_SCHEMA } = await import("js-yaml");
  const readYaml = (path: string, content: string): unknown =>
    content.trim() === "" ? undefined : load(content, { schema: JSON_SCHEMA, filename: path });
  const readJson = (_path: string, content: string): unknown => JSON.parse(content);
  return {
    searchPlaces: [...CONFIG_FILES],
    // Beside the standard data formats nothing is loaded: no code, no meta config.
    loaders: { ".json": readJson, ".yaml": readYaml, ".yml": readYaml, noExt: readYaml },
    searchStrategy: "global",
    mergeSearchPlaces: false,
  };
}

function unreadable(cause: unknown, where: string): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const file = isMapping(cause) && typeof cause.filepath === "string" ? cause.filepath : where;
  const reason = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
  const code = systemCode(cause);
  const why = code === "ENOENT" ? "there is no such file" : reason;
  return new CatalogError("usage", `could not read the config file ${file}: ${why}`, {
    file,
    cause,
    next: "A config file is JSON or YAML, and is never executed.",
  });
}

const KEYS = [
  ...Object.values(SETTINGS).flatMap((setting) => setting.configKey ?? []),
  "profiles",
];

function checkConfig(file: string, config: unknown): ProjectConfig {
  if (!isMapping(config)) throw usageError(`the config file ${file} is not a mapping of settings`);
  checkKeys(file, config, KEYS, "");
  const profiles: Record<string, Mapping> = {};
  const sets = config.profiles ?? {};
  if (!isMapping(sets)) throw usageError(`profiles in ${file} is not a mapping of named sets`);
  const inProfile = KEYS.filter((key) => key !== "profiles" && key !== "profile");
  for (const [name, set] of Object.entries(sets)) {
    if (!isMapping(set)) {
      throw usageError(`profiles.${name} in ${file} is not a mapping of settings`);
    }
    checkKeys(file, set, inProfile, `profiles.${name}.`);
    profiles[name] = set;
  }
  const values = Object.fromEntries(Object.entries(config).filter(([key]) => key !== "profiles"));
  return { file, values, profiles };
}

function checkKeys(file: string, values: Mapping, known: readonly string[], prefix: string): void {
  for (const [key, value] of Object.entries(values)) {
    if (!known.includes(key)) {
      const meant = closest(key, known);
      const next = meant === undefined ? `Known are ${oneOf(known, "and")}.` : `Did you mean ${meant}?`;
      throw new CatalogError("usage", `unknown setting ${prefix}${key} in ${file}`, { file, next });
    }
    if (key === "profiles" && prefix === "") continue;
    if (typeof value !== "string" && typeof value !== "number") {
      throw usageError(`the setting ${prefix}${key} in ${file} is neither a text nor a number`);
    }
  }
}
