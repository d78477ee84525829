/** Finds, reads and checks config files. They are plain data: a project of others must not run code. */
import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Options, PublicExplorer } from "cosmiconfig";
import { attempt, CatalogError, systemReason, usageError } from "../base/errors.ts";
import { describeForeign } from "../base/folders.ts";
import { requireChoice, suggest } from "../base/suggest.ts";
import { joinList, truncate } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import { SETTINGS, type SettingName, type SettingValue, type Source } from "./table.ts";

/** The names of project config files, in order of preference within a folder. */
const CONFIG_FILES = ["package.json", ".catalogrc"].concat(
  [".catalogrc", "catalog.config"].flatMap((stem) =>
    [".json", ".yaml", ".yml"].map((extension) => stem + extension),
  ),
);

export type ConfigSource = Extract<Source, `${string} config`>;

/** The settings of a config file outside profiles, or of one profile. */
export type ConfigValues = Partial<Readonly<Record<SettingName, SettingValue>>>;

export interface ConfigFile {
  readonly file: string;
  readonly source: ConfigSource;
  readonly values: ConfigValues;
  readonly profiles: ReadonlyMap<string, ConfigValues>;
  readonly rules: readonly (readonly [RuleId, RuleLevel])[];
  /** All of its content, for writing it again. */
  readonly content: PlainObject;
}

/** The first project config file with settings, from a folder upward. @throws CatalogError of kind `usage` */
export async function findConfig(
  start: string,
  uid: number | undefined,
): Promise<ConfigFile | undefined> {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    for (const name of CONFIG_FILES) {
      const found = await readConfig(join(folder, name), "project config", uid);
      if (found !== undefined) return found;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Reads a config file. @returns undefined for a file without settings, and for a missing one, unless `isNamed`
 *
 * The reader is cosmiconfig's class `Explorer`, because regardless of its options the public function of cosmiconfig
 * 9.0.2 runs `.config/config.js` in the current folder and lets package.json change the options
 * (`getUserDefinedOptionsFromMetaConfig`). The loader reads only data, and returns no `$import`, with which cosmiconfig
 * would include any file, even the user config file.
 *
 * @throws CatalogError of kind `usage`
 */
export async function readConfig(
  file: string,
  source: ConfigSource,
  uid: number | undefined,
  isNamed = false,
): Promise<ConfigFile | undefined> {
  const entry = attempt(() => statSync(file));
  if (!isNamed && entry?.isFile() !== true) return undefined;
  try {
    // cosmiconfig would wait for a pipe, and a file of the kernel, empty here, might never end.
    if (entry?.isFile() === false) throw new Error("it is not a regular file");
    if (entry?.size === 0) return undefined;
    const untyped: unknown = await import("cosmiconfig/dist/Explorer.js");
    const { Explorer } = untyped as Cosmiconfig;
    const explorer = new Explorer({
      moduleName: "catalog",
      searchPlaces: [],
      cache: false,
      transform: (result) => result,
      loaders: { default: async (_, text) => await parseConfig(file, source, uid, text) },
      // The loader selects the property of package.json.
      packageProp: [],
    });
    return (await explorer.load(file))?.config;
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    throw usageError(`cannot read the config file ${file}: ${systemReason(cause)}`).with({ file });
  }
}

/** The part of `cosmiconfig/dist/Explorer.js` that is used here; its own types are empty. */
interface Cosmiconfig {
  readonly Explorer: new (options: Partial<Options> & { moduleName: string }) => PublicExplorer;
}

/** The data in a JSON or YAML file; of package.json, only the settings. @throws CatalogError of kind `usage` */
async function parseData(file: string, text: string): Promise<unknown> {
  const json = attempt((): unknown => JSON.parse(text));
  const data = json ?? (await parseYaml(file, text));
  if (basename(file) !== "package.json") return data;
  // Under the same name, Bun has a list of package versions.
  const settings = isObject(data) ? data.catalog : undefined;
  const isOurs = isObject(settings) && FILE_KEYS.some((key) => Object.hasOwn(settings, key));
  return isOurs ? settings : undefined;
}

async function parseYaml(file: string, text: string): Promise<unknown> {
  const { load, JSON_SCHEMA } = await import("js-yaml");
  try {
    return load(text, { schema: JSON_SCHEMA });
  } catch (cause) {
    // The parser's own message may quote the API key.
    const { line, column } = isObject(cause) && isObject(cause.mark) ? cause.mark : {};
    const place = { file, line: Number(line ?? 0) + 1, column: Number(column ?? 0) + 1 };
    throw usageError("not valid YAML or JSON", "Fix the syntax of the file.").with(place);
  }
}

const FILE_KEYS = [...Object.keys(SETTINGS), "profiles", "rules"].filter((key) => key !== "config");

/** @returns null for a file without settings @throws CatalogError of kind `usage` */
async function parseConfig(
  file: string,
  source: ConfigSource,
  uid: number | undefined,
  text: string,
): Promise<ConfigFile | null> {
  const content = (await parseData(file, text)) ?? null;
  if (content === null) return null;
  const foreign = describeForeign(file, uid);
  if (foreign !== undefined) {
    const advice = "Remove the file, or pass --config with a copy in a private folder.";
    throw usageError(`cannot use the config file ${file}: ${foreign}`, advice).with({ file });
  }
  const object = (value: unknown, name: string): PlainObject => {
    if (isObject(value)) return value;
    throw usageError(`${name} must contain settings, such as timeout: 60`);
  };
  const { profiles = {}, rules = {}, ...values } = object(content, file);
  const named = Object.entries(object(profiles, `profiles in ${file}`)).map(([name, settings]) => {
    const path = `profiles.${name}`;
    return [name, parseValues(file, object(settings, `${path} in ${file}`), `${path}.`)] as const;
  });
  return {
    file,
    source,
    content: object(content, file),
    values: parseValues(file, values, ""),
    profiles: new Map(named),
    rules: parseRuleLevels(object(rules, `rules in ${file}`), file),
  };
}

function parseValues(file: string, values: PlainObject, prefix: string): ConfigValues {
  const known = FILE_KEYS.filter((key) => prefix === "" || !/^(profile|profiles|rules)$/.test(key));
  const parsed = Object.entries(values).map(([key, value]) => {
    const origin = `${prefix}${key} in ${file}`;
    if (!known.includes(key)) {
      // YAML reads `{apiKey:abc}` as one name, which must not be shown.
      const [word = ""] = key.split(":");
      const advice = suggest(word, known, `Available settings: ${known.join(", ")}.`);
      throw usageError(`unknown setting ${prefix}${word} in ${file}`, advice).with({ file });
    }
    // An API key of digits would lose some digits as a number.
    const types = key === "apiKey" ? ["string"] : ["string", "number", "boolean"];
    if (!types.includes(typeof value))
      throw usageError(`${origin} must be a ${types.join(" or ")}`);
    return [key, SETTINGS[key as SettingName].parse(String(value), origin)];
  });
  return Object.fromEntries(parsed);
}

const LEVELS = ["off", "warning", "error"] as const;

/** Whether a problem with a rule is an error, a warning, or not reported. */
export type RuleLevel = (typeof LEVELS)[number];

/** The entries of `rules`: `{spaces: off}`. @throws CatalogError of kind `usage` */
function parseRuleLevels(levels: PlainObject, file: string): ConfigFile["rules"] {
  const advice = "For example: rules: {spaces: off}";
  return Object.entries(levels).map(([name, word]) => {
    const problem = `unknown rule ${JSON.stringify(truncate(name))} in ${file}`;
    const rule = requireChoice(name, RULES, problem, advice);
    const must = `rules.${rule} in ${file} must be ${joinList(LEVELS)}, not ${JSON.stringify(word)}`;
    return [rule, requireChoice(String(word), LEVELS, must, advice)];
  });
}
