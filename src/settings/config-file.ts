/** Finds, reads and checks config files. They are plain data: a project of others must not run code. */
import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Options, PublicExplorer } from "cosmiconfig";
import { attempt, CatalogError, systemCode, systemReason, usageError } from "../base/errors.ts";
import { describeForeign } from "../base/folders.ts";
import { readRegular } from "../base/open-file.ts";
import { requireChoice, suggest } from "../base/suggest.ts";
import { joinList, truncate } from "../base/text.ts";
import { isObject, type PlainObject } from "../base/values.ts";
import { RULES, type RuleId } from "../course/problem.ts";
import { SETTINGS, type Source } from "./table.ts";

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
] as const;

/** The values of a config file, or of one profile in it. */
export interface Layer {
  readonly file: string;
  readonly source: Extract<Source, `${string} config`>;
  readonly values: PlainObject;
}

/** A config file. Its own values are those outside profiles. */
export interface ConfigFile extends Layer {
  readonly profiles: Readonly<Record<string, PlainObject>>;
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
    // Most folders have none of them, and then cosmiconfig is not loaded.
    for (const path of CONFIG_FILES.map((name) => join(folder, name)).filter(mayHaveSettings)) {
      const config = await readConfig(path, "project config", uid);
      if (config !== undefined) return config;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

function mayHaveSettings(path: string): boolean {
  if (attempt(() => statSync(path).isFile()) !== true) return false;
  if (!isPackage(path)) return true;
  return String(attempt(() => readRegular(path, Number.POSITIVE_INFINITY))).includes('"catalog"');
}

function isPackage(path: string): boolean {
  return basename(path) === "package.json";
}

/** Reads a config file. @returns undefined if it has no settings @throws CatalogError of kind `usage` */
export async function readConfig(
  file: string,
  source: Layer["source"],
  uid: number | undefined,
): Promise<ConfigFile | undefined> {
  const data = await readData(file).catch((cause: unknown) => {
    throw readingError(file, cause);
  });
  const content = isPackage(file) && isObject(data) ? data.catalog : data;
  // In a package.json, "catalog" may be Bun's list of package versions.
  if (content === undefined || content === null || (isPackage(file) && !hasSettings(content))) {
    return undefined;
  }
  const foreign = describeForeign(file, uid);
  if (foreign !== undefined) {
    const advice = "Remove the file, or pass --config with a copy in a private folder.";
    throw usageError(`cannot use the config file ${file}: ${foreign}`, advice).with({ file });
  }
  return parseConfig(file, source, content);
}

/**
 * The data in a JSON or YAML file; undefined if the file is empty. Uses cosmiconfig's class `Explorer`, because
 * regardless of its options the public function of cosmiconfig 9.0.2 runs `.config/config.js` in the current folder and
 * lets package.json change the options (`getUserDefinedOptionsFromMetaConfig`).
 */
async function readData(path: string): Promise<unknown> {
  const entry = statSync(path);
  if (!entry.isFile()) throw readError(path, "it is not a regular file");
  // A file of the kernel, empty here, might never end.
  if (entry.size === 0) return undefined;
  const untyped: unknown = await import("cosmiconfig/dist/Explorer.js");
  const { Explorer } = untyped as Cosmiconfig;
  const read = async (filename: string, text: string): Promise<{ readonly data: unknown }> => {
    const json: unknown = attempt(() => JSON.parse(text));
    if (json !== undefined) return { data: json };
    const { load, JSON_SCHEMA } = await import("js-yaml");
    return { data: load(text, { schema: JSON_SCHEMA, filename }) };
  };
  const explorer = new Explorer({
    moduleName: "catalog",
    searchPlaces: [],
    cache: false,
    transform: (result) => result,
    loaders: { default: read },
    // So cosmiconfig sees only `{data}`: it would include any file that `$import` names, even the user config file.
    packageProp: [],
  });
  return (await explorer.load(path))?.config?.data;
}

/** The part of `cosmiconfig/dist/Explorer.js` that is used here; its own types are empty. */
interface Cosmiconfig {
  readonly Explorer: new (options: Partial<Options> & { moduleName: string }) => PublicExplorer;
}

function readingError(file: string, cause: unknown): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const code = systemCode(cause);
  if (code === "ENOENT") return usageError(`no such config file: ${file}`, "Check the path.");
  if (code !== undefined) return readError(file, systemReason(cause));
  // The parser's own message may quote the API key.
  const { line, column } = isObject(cause) && isObject(cause.mark) ? cause.mark : {};
  const isPlaced = typeof line === "number" && typeof column === "number";
  const place = isPlaced ? { line: line + 1, column: column + 1 } : {};
  const problem = `${isPlaced ? "" : `${file} is `}not valid YAML or JSON`;
  return usageError(problem, "Fix the syntax of the file.").with({ file, ...place });
}

function readError(file: string, reason: string): CatalogError {
  return usageError(`cannot read the config file ${file}: ${reason}`).with({ file });
}

const KEYS = Object.keys(SETTINGS);
const PROFILE_KEYS = KEYS.filter((key) => key !== "profile");
const FILE_KEYS = [...KEYS, "profiles", "rules"];

function hasSettings(content: unknown): boolean {
  return isObject(content) && FILE_KEYS.some((key) => Object.hasOwn(content, key));
}

/** @throws CatalogError of kind `usage` */
function parseConfig(file: string, source: Layer["source"], content: unknown): ConfigFile {
  if (!isObject(content)) throw usageError(`${file} must contain settings, such as timeout: 60`);
  const { profiles = {}, rules = {}, ...values } = content;
  checkValues(file, values, FILE_KEYS, "");
  if (!isObject(profiles)) throw usageError(`profiles in ${file} must be an object with profiles`);
  for (const [name, settings] of Object.entries(profiles)) {
    const path = `profiles.${name}`;
    if (!isObject(settings)) throw usageError(`${path} in ${file} must be an object with settings`);
    checkValues(file, settings, PROFILE_KEYS, `${path}.`);
  }
  return {
    file,
    source,
    content,
    values,
    profiles: profiles as ConfigFile["profiles"],
    rules: parseRuleLevels(rules, file),
  };
}

function checkValues(
  file: string,
  values: PlainObject,
  known: readonly string[],
  prefix: string,
): void {
  for (const [key, value] of Object.entries(values)) {
    if (!known.includes(key)) throw unknownSetting(file, key, known, prefix);
    // An API key of digits would lose some digits as a number.
    const types = key === "apiKey" ? ["string"] : ["string", "number", "boolean"];
    if (types.includes(typeof value)) continue;
    const expected = key === "apiKey" ? "a string in quotes" : "a string or a number";
    throw usageError(`${prefix}${key} in ${file} must be ${expected}`);
  }
}

function unknownSetting(file: string, key: string, known: readonly string[], prefix: string) {
  // YAML reads `{apiKey:abc}` as one name, which must not be shown.
  const [word = "", afterColon] = key.split(":");
  const names = suggest(word, known, `Available settings: ${known.join(", ")}.`);
  const advice = afterColon === undefined ? names : "Add a space after the colon.";
  return usageError(`unknown setting ${prefix}${word} in ${file}`, advice).with({ file });
}

const LEVELS = ["off", "warning", "error"] as const;

/** Whether a problem with a rule is an error, a warning, or not reported. */
export type RuleLevel = (typeof LEVELS)[number];

/** The entries of `rules`: `{markup: off}`. @throws CatalogError of kind `usage` */
function parseRuleLevels(value: unknown, file: string): [RuleId, RuleLevel][] {
  const advice = "For example: rules: {markup: off}";
  if (!isObject(value)) throw usageError(`rules in ${file} must be an object with rules`, advice);
  return Object.entries(value).map(([name, word]) => {
    const problem = `unknown rule ${JSON.stringify(truncate(name))} in ${file}`;
    const rule = requireChoice(name, RULES, problem, advice);
    const level = LEVELS.find((each) => each === word);
    if (level !== undefined) return [rule, level];
    const must = `must be ${joinList(LEVELS)}, not ${JSON.stringify(word)}`;
    throw usageError(`rules.${rule} in ${file} ${must}`, advice);
  });
}
