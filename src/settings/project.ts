/** Finds and reads the project's config file: data formats only, nothing is executed. */
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Explorer } from "cosmiconfig/dist/Explorer.js";
import { CatalogError, systemCode } from "../base/errors.ts";
import { isObject } from "../base/values.ts";
import { type ConfigFile, configFile } from "./config-file.ts";
import { type Place, placeIn, placeOfFault } from "./fault-place.ts";

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
): Promise<ConfigFile | undefined> {
  const near = named === undefined ? folderWithConfig(folder) : undefined;
  if (named === undefined && near === undefined) return undefined;
  const explorer = await dataExplorer();
  const found = await (near === undefined
    ? explorer.load(resolve(folder, named ?? ""))
    : explorer.search(near)
  ).catch(async (cause: unknown) => {
    throw await unreadable(cause, named ?? near ?? folder);
  });
  if (found !== null && !found.isEmpty) return configFile(found.filepath, found.config);
  // A file that is empty, or a package.json that only mentions the word, is not the nearest config.
  const parent = near === undefined ? undefined : dirname(near);
  return parent === undefined || parent === near ? undefined : readProjectConfig(parent);
}

/** The nearest folder, from `start` upward, in which some config file stands. */
function folderWithConfig(start: string): string | undefined {
  for (let folder = resolve(start); ; folder = dirname(folder)) {
    if (CONFIG_FILES.some((name) => mayHoldConfig(join(folder, name)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Every command that connects asks this of many names that are not there: it must cost nothing. */
function mayHoldConfig(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    // Most folders of a project have a package.json, and most of these do not speak of us.
    return basename(path) !== "package.json" || readFileSync(path, "utf8").includes('"catalog"');
  } catch {
    return false;
  }
}

/**
 * cosmiconfig's explorer with loaders for data alone. Its public entry would first look for
 * settings of its own, in JavaScript too, which it would run.
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

async function unreadable(cause: unknown, where: string): Promise<CatalogError> {
  if (cause instanceof CatalogError) return cause;
  const file = isObject(cause) && typeof cause.filepath === "string" ? cause.filepath : where;
  const code = systemCode(cause);
  const place = code === undefined ? await placeOf(cause, file) : undefined;
  // In words of our own: a parser's may quote the key in the file.
  const why = code === undefined ? "it is not valid YAML or JSON" : (NO_FILE.get(code) ?? code);
  return new CatalogError("usage", `could not read the config file ${file}: ${why}`, {
    file,
    ...place,
    advice: "A config file is JSON or YAML, and is never executed.",
  });
}

const NO_FILE: ReadonlyMap<string, string> = new Map([["ENOENT", "there is no such file"]]);

async function placeOf(cause: unknown, file: string): Promise<Place | undefined> {
  return placeIn(cause) ?? (await placeOfFault(textOf(file)));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
