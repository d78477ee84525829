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
const CONFIG_FILES = [
  "package.json",
  ".catalogrc",
  ".catalogrc.json",
  ".catalogrc.yaml",
  ".catalogrc.yml",
  "catalog.config.json",
  "catalog.config.yaml",
  "catalog.config.yml",
];

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
    // cosmiconfig would wait for a pipe. Most folders have none of these files, and then it is not loaded.
    const isFile = (name: string) => statSync(join(folder, name)).isFile();
    const places = CONFIG_FILES.filter((name) => attempt(() => isFile(name)));
    if (places.length > 0) {
      const explorer = await createExplorer("project config", uid, places);
      const found = await explorer.search(folder);
      if (found !== null) return found.config;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/**
 * Reads a config file. @returns undefined if it has no settings, or for a missing user config file
 *
 * @throws CatalogError of kind `usage`
 */
export async function readConfig(
  file: string,
  source: ConfigSource,
  uid: number | undefined,
): Promise<ConfigFile | undefined> {
  try {
    const entry = statSync(file, { throwIfNoEntry: false });
    if (entry === undefined && source === "user config") return undefined;
    if (entry?.isFile() === false) throw new Error("it is not a regular file");
    // A file of the kernel, empty here, might never end.
    if (entry?.size === 0) return undefined;
    return (await (await createExplorer(source, uid)).load(file))?.config;
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause;
    throw usageError(`cannot read the config file ${file}: ${systemReason(cause)}`).with({ file });
  }
}

/**
 * The reader of config files. It is cosmiconfig's class `Explorer`, because regardless of its options the public
 * function of cosmiconfig 9.0.2 runs `.config/config.js` in the current folder and lets package.json change the options
 * (`getUserDefinedOptionsFromMetaConfig`). The loader reads only data, and returns no `$import`, with which cosmiconfig
 * would include any file, even the user config file.
 */
async function createExplorer(
  source: ConfigSource,
  uid: number | undefined,
  searchPlaces: string[] = [],
): Promise<PublicExplorer> {
  const untyped: unknown = await import("cosmiconfig/dist/Explorer.js");
  const { Explorer } = untyped as Cosmiconfig;
  const read = async (file: string, text: string): Promise<ConfigFile | null> => {
    const content = await parseData(file, text);
    if (content === undefined || content === null) return null;
    const foreign = describeForeign(file, uid);
    if (foreign === undefined) return parseConfig(file, source, content);
    const advice = "Remove the file, or pass --config with a copy in a private folder.";
    throw usageError(`cannot use the config file ${file}: ${foreign}`, advice).with({ file });
  };
  return new Explorer({
    moduleName: "catalog",
    searchPlaces,
    searchStrategy: "none",
    ignoreEmptySearchPlaces: true,
    cache: false,
    transform: (result) => result,
    loaders: { default: read },
    // The loader selects the property of package.json.
    packageProp: [],
  });
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

/** @throws CatalogError of kind `usage` */
function parseConfig(file: string, source: ConfigSource, content: unknown): ConfigFile {
  if (!isObject(content)) throw usageError(`${file} must contain settings, such as timeout: 60`);
  const { profiles = {}, rules = {}, ...values } = content;
  if (!isObject(profiles)) throw usageError(`profiles in ${file} must be an object with profiles`);
  const named = Object.entries(profiles).map(([name, settings]) => {
    const path = `profiles.${name}`;
    if (!isObject(settings)) throw usageError(`${path} in ${file} must be an object with settings`);
    return [name, parseValues(file, settings, `${path}.`)] as const;
  });
  return {
    file,
    source,
    content,
    values: parseValues(file, values, ""),
    profiles: new Map(named),
    rules: parseRuleLevels(rules, file),
  };
}

function parseValues(file: string, values: PlainObject, prefix: string): ConfigValues {
  const known = FILE_KEYS.filter((key) => prefix === "" || !/^(profile|profiles|rules)$/.test(key));
  const parsed = Object.entries(values).map(([key, value]) => {
    const origin = `${prefix}${key} in ${file}`;
    if (!known.includes(key)) {
      // YAML reads `{apiKey:abc}` as one name, which must not be shown.
      const [word = "", afterColon] = key.split(":");
      const names = suggest(word, known, `Available settings: ${known.join(", ")}.`);
      const advice = afterColon === undefined ? names : "Add a space after the colon.";
      throw usageError(`unknown setting ${prefix}${word} in ${file}`, advice).with({ file });
    }
    // An API key of digits would lose some digits as a number.
    const types = key === "apiKey" ? ["string"] : ["string", "number", "boolean"];
    if (types.includes(typeof value)) {
      return [key, SETTINGS[key as SettingName].parse(String(value), origin)];
    }
    const expected = key === "apiKey" ? "a string in quotes" : "a string or a number";
    throw usageError(`${origin} must be ${expected}`);
  });
  return Object.fromEntries(parsed);
}

const LEVELS = ["off", "warning", "error"] as const;

/** Whether a problem with a rule is an error, a warning, or not reported. */
export type RuleLevel = (typeof LEVELS)[number];

/** The entries of `rules`: `{spaces: off}`. @throws CatalogError of kind `usage` */
function parseRuleLevels(value: unknown, file: string): ConfigFile["rules"] {
  const advice = "For example: rules: {spaces: off}";
  if (!isObject(value)) throw usageError(`rules in ${file} must be an object with rules`, advice);
  return Object.entries(value).map(([name, word]) => {
    const problem = `unknown rule ${JSON.stringify(truncate(name))} in ${file}`;
    const rule = requireChoice(name, RULES, problem, advice);
    const must = `rules.${rule} in ${file} must be ${joinList(LEVELS)}, not ${JSON.stringify(word)}`;
    return [rule, requireChoice(String(word), LEVELS, must, advice)];
  });
}
