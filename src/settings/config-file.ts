/** Finds, reads and checks config files. They are plain data: a project of others must not run code. */
import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { attempt, CatalogError, systemReason, usageError } from "../base/errors.ts";
import { describeForeign, type FolderSources, userFolder } from "../base/files.ts";
import { escapeLine, joinList, requireChoice, suggest, truncate } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { type RuleId, requireLowerable, requireRule } from "../course/problem.ts";
import {
  type Resolved,
  SETTINGS,
  type Setting,
  type SettingName,
  type SettingValues,
} from "./table.ts";

/** The names of project config files, in order of preference within a folder. */
export const CONFIG_FILES: readonly string[] = ["package.json", ".catalogrc"].concat(
  [".catalogrc", "catalog.config"].flatMap((stem) =>
    [".json", ".yaml", ".yml"].map((extension) => stem + extension),
  ),
);

/** Whether a problem with a rule is an error, a warning, or not reported. */
const LEVELS = ["off", "warning", "error"] as const;

/** The settings of a config file outside profiles, or of one profile. */
export interface Layer {
  readonly file: string;
  readonly source: Extract<Resolved["source"], `${string} config`>;
  readonly values: SettingValues;
}

export interface ConfigFile extends Layer {
  readonly profiles: ReadonlyMap<string, Layer>;
  readonly rules: readonly (readonly [RuleId, Resolved<(typeof LEVELS)[number]>])[];
  /** All of its content, for writing it again. */
  readonly content: PlainObject;
}

/** The named project config file or, from a folder upward, the first with settings. @throws CatalogError of kind `usage` */
export async function findConfig(
  start: string,
  uid: number | undefined,
  named: string | undefined,
): Promise<ConfigFile | undefined> {
  if (named !== undefined)
    return await readConfig(resolve(start, named), "project config", uid, true);
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    for (const name of CONFIG_FILES) {
      const found = await readConfig(join(folder, name), "project config", uid);
      if (found !== undefined) return found;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** The path of the user config file, which may not exist; undefined if there is no folder for it. */
export function findUserConfig(sources: FolderSources): string | undefined {
  return userFolder("config", sources, "config.json");
}

/** The largest config file in bytes. */
const MAX_CONFIG_SIZE = 1_000_000;

/**
 * Reads a config file. @returns undefined for a file without settings, and for a missing one, unless `isNamed`
 *
 * The reader is cosmiconfig's class `Explorer`, because regardless of its options the public function of cosmiconfig
 * 9.0.2 runs `.config/config.js` in the current folder and lets package.json change the options
 * (`getUserDefinedOptionsFromMetaConfig`). The loader reads only data, and returns no `$import`, with which cosmiconfig
 * would include any file, even the user config file. The `Explorer` loads and does not search: it would wait for a
 * pipe, skip a file that may not be read, and end its search in the folder of the user config file.
 *
 * @throws CatalogError of kind `usage`
 */
export async function readConfig(
  file: string,
  source: Layer["source"],
  uid: number | undefined,
  isNamed = false,
): Promise<ConfigFile | undefined> {
  const entry = attempt(() => statSync(file));
  // A file of the kernel, which might never end, seems to be empty.
  if (!isNamed && !(entry?.isFile() && entry.size > 0)) return undefined;
  try {
    if (entry?.isFile() === false) throw new Error("it is not a regular file");
    if (entry && entry.size > MAX_CONFIG_SIZE) throw new Error("it is larger than 1 MB");
    const { Explorer } = await import("cosmiconfig/dist/Explorer.js");
    const explorer = new Explorer({
      moduleName: "catalog",
      searchPlaces: [],
      transform: (result) => result,
      loaders: { default: async (_, text) => await parseConfig(file, source, uid, text) },
      // The loader selects the property of package.json.
      packageProp: [],
    });
    return (await explorer.load(file))?.config;
  } catch (cause) {
    if (cause instanceof CatalogError) throw cause.with({ file });
    throw usageError(`cannot read the config file ${file}: ${systemReason(cause)}`).with({ file });
  }
}

/** The data in a JSON or YAML file; of package.json, only the settings. @throws CatalogError of kind `usage` */
async function parseData(file: string, text: string): Promise<unknown> {
  const json = attempt((): unknown => JSON.parse(text));
  const data = json ?? (await parseYaml(text));
  if (basename(file) !== "package.json") return data;
  // Under the same name, Bun has a list of package versions.
  const settings = isObject(data) ? data.catalog : undefined;
  return isObject(settings) && KEYS.some((key) => key in settings) ? settings : undefined;
}

async function parseYaml(text: string): Promise<unknown> {
  const { load, JSON_SCHEMA } = await import("js-yaml");
  try {
    // A few aliases of aliases can mean billions of values.
    return load(text, { schema: JSON_SCHEMA, maxAliases: 0 });
  } catch (cause) {
    // The parser's own message may quote the API key.
    const { line, column } = isObject(cause) && isObject(cause.mark) ? cause.mark : {};
    const place = { line: Number(line ?? 0) + 1, column: Number(column ?? 0) + 1 };
    const advice = "Fix the syntax of the file, and write values instead of aliases such as *name.";
    throw usageError("not valid YAML or JSON", advice).with(place);
  }
}

/** The keys of a profile, and of a config file. */
const PROFILE_KEYS = Object.entries<Setting>(SETTINGS).flatMap(([key, { checkout }]) =>
  checkout === "nothing" || key === "profile" ? [] : key,
);
const KEYS = [...PROFILE_KEYS, "profile", "profiles", "rules"];

/** @returns null for a file without settings @throws CatalogError of kind `usage` */
async function parseConfig(
  file: string,
  source: Layer["source"],
  uid: number | undefined,
  text: string,
): Promise<ConfigFile | null> {
  const data = (await parseData(file, text)) ?? null;
  if (data === null) return null;
  const foreign = describeForeign(file, uid, source === "user config");
  if (foreign !== undefined) {
    const advice =
      source === "user config"
        ? "Set XDG_CONFIG_HOME or HOME to a folder of your own."
        : "Remove the file, or pass --config with a copy in a private folder.";
    throw usageError(`cannot use the config file ${file}: ${foreign}`, advice);
  }
  const content = requireObject(data, file);
  const { profiles = {}, rules = {}, ...outside } = content;
  const layer = parseLayer(outside, "", { file, source });
  const named = Object.entries(requireObject(profiles, `profiles in ${file}`)).map(
    ([name, settings]) => {
      const path = `profiles.${escapeLine(truncate(name))}`;
      return [name, parseLayer(settings, path, layer)] as const;
    },
  );
  return { ...layer, content, profiles: new Map(named), rules: parseRuleLevels(rules, layer) };
}

/** The characters of the longest value. */
const LONGEST_VALUE = 10_000;

/** Parses settings. @param path of a profile, within the `outer` settings: `profiles.test` */
function parseLayer(settings: unknown, path: string, outer: Omit<Layer, "values">): Layer {
  const { file } = outer;
  const [known, prefix] = path === "" ? [KEYS, ""] : [PROFILE_KEYS, `${path}.`];
  const parsed = Object.entries(requireObject(settings, `${path} in ${file}`)).map(
    ([key, value]) => {
      // YAML reads `{apiKey:abc}` as one name, which must not be shown.
      const name = escapeLine(truncate(prefix + key.split(":")[0]));
      if (!known.some((each) => each === key)) {
        const advice = suggest(key, known, `Available settings: ${known.join(", ")}.`);
        throw usageError(`unknown setting ${name} in ${file}`, advice);
      }
      const origin = `${prefix}${key} in ${file}`;
      // An API key of digits would lose some digits as a number.
      const types = key === "apiKey" ? ["string"] : ["string", "number", "boolean"];
      if (!types.includes(typeof value)) {
        throw usageError(`${origin} must be a ${types.join(" or ")}`);
      }
      const text = String(value);
      // Longer ones are not settings, and some regular expressions would need hours for them.
      if (text.length > LONGEST_VALUE) throw usageError(`${origin} is too long`);
      return [key, SETTINGS[key as SettingName].parse(text, origin)];
    },
  );
  return { ...outer, values: Object.fromEntries(parsed) };
}

/** The entries of `rules`: `{spaces: off}`. @throws CatalogError of kind `usage` */
function parseRuleLevels(levels: unknown, { file, source }: Layer): ConfigFile["rules"] {
  const advice = "For example: rules: {spaces: off}";
  return Object.entries(requireObject(levels, `rules in ${file}`)).map(([name, word]) => {
    const rule = requireRule(name, ` in ${file}`, advice);
    const origin = `rules.${rule} in ${file}`;
    if (typeof word !== "string") {
      throw usageError(`${origin} must be ${joinList(LEVELS)}`, advice);
    }
    const value = requireChoice(word, LEVELS, origin, advice);
    if (value !== "error") requireLowerable(rule, origin);
    return [rule, { value, source, origin }];
  });
}

function requireObject(value: unknown, name: string): PlainObject {
  if (isObject(value)) return value;
  throw usageError(`${name} must contain settings, such as timeout: 60`);
}
