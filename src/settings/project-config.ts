/** Finds and reads the project's config file: only data formats, nothing is executed. */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Explorer } from "cosmiconfig/dist/Explorer.js";
import { CatalogError, systemCode, systemReason } from "../base/errors.ts";
import { isObject } from "../base/values.ts";
import { type ConfigFile, parseConfig, positionOf } from "./config-file.ts";

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
  ).catch((cause: unknown) => {
    throw readError(cause, named ?? near ?? folder);
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
  // JSON is YAML, and only errors of the YAML parser have a position.
  const read = (path: string, content: string): unknown =>
    load(content, { schema: JSON_SCHEMA, filename: path });
  return new Explorer({
    moduleName: "catalog",
    searchPlaces: CONFIG_FILES,
    searchStrategy: "none",
    ignoreEmptySearchPlaces: true,
    cache: false,
    mergeImportArrays: false,
    mergeSearchPlaces: false,
    transform: (result) => result,
    loaders: { ".json": read, ".yaml": read, ".yml": read, noExt: read },
  });
}

function readError(cause: unknown, path: string): CatalogError {
  if (cause instanceof CatalogError) return cause;
  const file = isObject(cause) && typeof cause.filepath === "string" ? cause.filepath : path;
  // The parser's message may quote the key in the file.
  const isSyntax = systemCode(cause) === undefined;
  const reason = isSyntax ? "it is not valid YAML or JSON" : systemReason(cause);
  return new CatalogError("usage", `cannot read the config file ${file}: ${reason}`, {
    file,
    ...positionOf(cause),
    advice: "A config file must be JSON or YAML; it is never executed.",
  });
}
