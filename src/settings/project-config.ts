/** Finds and reads the project's config file: only data formats, nothing is executed. */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Explorer } from "cosmiconfig/dist/Explorer.js";
import { CatalogError, systemCode, systemReason } from "../base/errors.ts";
import { isObject } from "../base/values.ts";
import { type ConfigFile, locateSyntaxError, parseConfig, positionOf } from "./config-file.ts";

/** The names of a project config, in order of preference within a folder. */
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
 * The project config: the named file, or the first one found from `folder` upward, or none.
 *
 * @throws CatalogError of kind `usage` for a file that cannot be read or has no valid settings
 */
export async function readProjectConfig(
  folder: string,
  named?: string,
): Promise<ConfigFile | undefined> {
  const near = named === undefined ? folderWithConfig(folder) : undefined;
  if (named === undefined && near === undefined) return undefined;
  const explorer = await dataExplorer();
  const found = await (near === undefined
    ? explorer.load(resolve(folder, named ?? ""))
    : explorer.search(near)
  ).catch(async (cause: unknown) => {
    throw await readError(cause, named ?? near ?? folder);
  });
  if (found !== null && !found.isEmpty) return parseConfig(found.filepath, found.config);
  // Empty files, and a package.json without settings, do not count.
  const parent = near === undefined ? undefined : dirname(near);
  return parent === undefined || parent === near ? undefined : readProjectConfig(parent);
}

/** The nearest folder, from `start` upward, that may have a config file. */
function folderWithConfig(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (CONFIG_FILES.some((name) => mayHaveConfig(join(folder, name)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Checked without cosmiconfig, which most runs then do not need to load. */
function mayHaveConfig(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    return basename(path) !== "package.json" || readFileSync(path, "utf8").includes('"catalog"');
  } catch {
    return false;
  }
}

/**
 * cosmiconfig's explorer with loaders for data only. Its public entry point cannot be used safely:
 * with any options, it first looks for its own configuration in the current folder, and executes
 * `.config/config.js` there (`getUserDefinedOptionsFromMetaConfig`, cosmiconfig 9.0.2).
 */
async function dataExplorer(): Promise<Explorer> {
  const { Explorer } = await import("cosmiconfig/dist/Explorer.js");
  const { load, JSON_SCHEMA } = await import("js-yaml");
  const readYaml = (path: string, content: string): unknown =>
    load(content, { schema: JSON_SCHEMA, filename: path });
  const readJson = (_path: string, content: string): unknown => JSON.parse(content);
  return new Explorer({
    moduleName: "catalog",
    searchPlaces: CONFIG_FILES,
    searchStrategy: "none",
    ignoreEmptySearchPlaces: true,
    cache: false,
    mergeImportArrays: false,
    mergeSearchPlaces: false,
    transform: (result) => result,
    loaders: { ".json": readJson, ".yaml": readYaml, ".yml": readYaml, noExt: readYaml },
  });
}

async function readError(cause: unknown, path: string): Promise<CatalogError> {
  if (cause instanceof CatalogError) return cause;
  const file = isObject(cause) && typeof cause.filepath === "string" ? cause.filepath : path;
  const isSyntax = systemCode(cause) === undefined;
  // The parser's message may quote the key in the file.
  const reason = isSyntax ? "it is not valid YAML or JSON" : systemReason(cause);
  const position = positionOf(cause) ?? (isSyntax ? await locateIn(file) : undefined);
  return new CatalogError("usage", `cannot read the config file ${file}: ${reason}`, {
    file,
    ...position,
    advice: "A config file must be JSON or YAML; it is never executed.",
  });
}

async function locateIn(file: string) {
  try {
    return await locateSyntaxError(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
