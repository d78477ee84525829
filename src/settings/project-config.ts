/** Finds and reads the project config file, which is plain data: it cannot run code. */
import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { CosmiconfigResult, Options, PublicExplorer } from "cosmiconfig";
import { attempt, CatalogError, systemCode, systemReason, usageError } from "../base/errors.ts";
import { readRegular } from "../base/open-file.ts";
import { isObject } from "../base/values.ts";
import {
  type ConfigFile,
  hasSettings,
  MAX_CONFIG_SIZE,
  NOT_READ,
  parseConfig,
  positionOf,
  requireOwn,
  syntaxError,
} from "./config-file.ts";

/** The names of project config files, in order of preference within a folder. */
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

/** Where to look for the project config file. */
interface ProjectConfigSources {
  readonly folder: string;
  /** The numeric id of the user; undefined on systems without one. */
  readonly uid: number | undefined;
  /** The file that --config or CATALOG_CONFIG names; then there is no search. */
  readonly named: string | undefined;
}

/**
 * The settings of the named file, or of the first project config file from `folder` upward. Undefined without one.
 *
 * @throws CatalogError of kind `usage`
 */
export async function readProjectConfig({
  folder,
  named,
  uid,
}: ProjectConfigSources): Promise<ConfigFile | undefined> {
  if (named !== undefined) return await readConfig(resolve(folder, named), uid);
  for (const path of findCandidates(folder)) {
    const config = await readConfig(path, uid);
    if (config !== undefined) return config;
  }
  return undefined;
}

/** The files that may have settings, the nearest first. Most runs find none, and then do not load cosmiconfig. */
function* findCandidates(start: string): Generator<string> {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    yield* CONFIG_FILES.map((name) => join(folder, name)).filter(mayHaveConfig);
    if (folder === dirname(folder)) return;
  }
}

function mayHaveConfig(path: string): boolean {
  const file = attempt(() => statSync(path, { throwIfNoEntry: false }));
  if (file?.isFile() !== true) return false;
  if (!isPackage(path)) return true;
  const bytes = attempt(() => readRegular(path, MAX_CONFIG_SIZE)) ?? "";
  return typeof bytes !== "string" && bytes.includes('"catalog"');
}

function isPackage(path: string): boolean {
  return basename(path) === "package.json";
}

async function readConfig(path: string, uid: number | undefined): Promise<ConfigFile | undefined> {
  const found = await load(path).catch((cause: unknown) => {
    throw explainFailure(cause, path);
  });
  if (found === null || found.isEmpty) return undefined;
  // In a package.json, "catalog" may be Bun's list of package versions.
  if (isPackage(path) && !hasSettings(found.config)) return undefined;
  requireOwn(path, uid);
  return parseConfig(path, found.config);
}

/** The field with which cosmiconfig would include any other file, even the user config file. */
const IMPORT = "$import";

/**
 * Reads a file with cosmiconfig and loaders that parse only data. This uses the class `Explorer`, because the public
 * function of cosmiconfig 9.0.2 is not safe in the folders of others: regardless of its options, it runs
 * `.config/config.js` in the current folder and lets package.json change the options
 * (`getUserDefinedOptionsFromMetaConfig`).
 */
async function load(path: string): Promise<CosmiconfigResult> {
  const bytes = readRegular(path, MAX_CONFIG_SIZE);
  if (typeof bytes === "string") throw readError(path, NOT_READ[bytes]);
  // cosmiconfig would read the file again, and the kernel's log in /proc, empty here, might never end there.
  if (bytes.length === 0) return null;
  const untyped: unknown = await import("cosmiconfig/dist/Explorer.js");
  const { Explorer } = untyped as Cosmiconfig;
  const { load: parse, JSON_SCHEMA } = await import("js-yaml");
  // JSON is YAML, and only errors of the YAML parser have a position.
  const read = (filename: string): unknown => {
    const config = parse(bytes.toString(), { schema: JSON_SCHEMA, filename });
    if (hasImport(config) || (isObject(config) && hasImport(config.catalog))) {
      const advice =
        "Copy the settings of the other file: a config file cannot import another one.";
      throw usageError(`unknown setting ${IMPORT} in ${path}`, advice);
    }
    return config;
  };
  return await new Explorer({
    moduleName: "catalog",
    searchPlaces: [...CONFIG_FILES],
    searchStrategy: "none",
    cache: false,
    transform: (result) => result,
    loaders: { ".json": read, ".yaml": read, ".yml": read, noExt: read },
  }).load(path);
}

/** The part of `cosmiconfig/dist/Explorer.js` that is used here; its own types are empty. */
interface Cosmiconfig {
  readonly Explorer: new (options: Partial<Options> & { moduleName: string }) => PublicExplorer;
}

function hasImport(config: unknown): boolean {
  return isObject(config) && Object.hasOwn(config, IMPORT);
}

function explainFailure(cause: unknown, path: string): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const code = systemCode(cause);
  if (code === "ENOENT") {
    const facts = { file: path, advice: "Check the path." };
    return new CatalogError("usage", `no such config file: ${path}`, facts);
  }
  if (code !== undefined) return readError(path, systemReason(cause));
  return syntaxError(path, "YAML or JSON", positionOf(cause), "Fix the syntax of the file.");
}

function readError(file: string, reason: string): CatalogError {
  return new CatalogError("usage", `cannot read the config file ${file}: ${reason}`, { file });
}
