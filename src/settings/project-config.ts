/** Finds and reads the project's config file: only data formats, nothing is executed. */
import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { CosmiconfigResult, Options, PublicExplorer } from "cosmiconfig";
import { looksLikeKey } from "../base/credentials.ts";
import { attempt, CatalogError, systemCode, systemReason, usageError } from "../base/errors.ts";
import { readRegular } from "../base/open-file.ts";
import { distrust, type TrustSources } from "../base/trust.ts";
import { isObject } from "../base/values.ts";
import {
  type ConfigFile,
  hasSettings,
  MAX_CONFIG_SIZE,
  NOT_READ,
  type Position,
  parseConfig,
  positionOf,
} from "./config-file.ts";

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

/** Where the project config is, and who may have written it. */
interface ProjectConfigSources extends TrustSources {
  /** The folder in which the search starts. */
  readonly folder: string;
  /** The file to use instead of one that is found. */
  readonly named: string | undefined;
}

/** The project config: the named file, or the first one found from `folder` upward, or none. */
export async function readProjectConfig(
  sources: ProjectConfigSources,
): Promise<ConfigFile | undefined> {
  const { folder, named } = sources;
  if (named !== undefined) return await readConfig(resolve(folder, named));
  for (const path of findCandidates(folder)) {
    const config = await readConfig(path, () => requireTrusted(path, sources));
    if (config !== undefined) return config;
  }
  return undefined;
}

/** The files that may have settings, the nearest first; most runs find none, and do not load cosmiconfig. */
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

/** @param requireTrust throws if the file must not be used */
async function readConfig(
  path: string,
  requireTrust?: () => void,
): Promise<ConfigFile | undefined> {
  // Nothing of another user's file is parsed, except to see whether a package.json has settings.
  if (!isPackage(path)) requireTrust?.();
  const found = await load(path).catch((cause: unknown) => {
    throw explainFailure(cause, path);
  });
  // Empty files, and a package.json without settings, do not count.
  if (found === null || found.isEmpty) return undefined;
  // Bun keeps the versions of packages under the same key.
  if (isPackage(path) && !hasSettings(found.config)) return undefined;
  requireTrust?.();
  return parseConfig(path, found.config);
}

/** The key with which cosmiconfig would add the content of any file, also that of the user's own config. */
const IMPORT = "$import";

/**
 * Reads a file with cosmiconfig and a loader that reads data. This uses cosmiconfig's own `Explorer`,
 * because the public function cannot be used for folders of strangers: whatever its options are, it first
 * looks for its own configuration in the current folder, executes `.config/config.js` there, and lets
 * package.json change the options (`getUserDefinedOptionsFromMetaConfig`, cosmiconfig 9.0.2).
 */
async function load(path: string): Promise<CosmiconfigResult> {
  const bytes = readRegular(path, MAX_CONFIG_SIZE);
  if (typeof bytes === "string") throw readError(path, NOT_READ[bytes]);
  // What is empty for us may never end for cosmiconfig, as the kernel's log in /proc.
  if (bytes.length === 0) return null;
  const untyped: unknown = await import("cosmiconfig/dist/Explorer.js");
  const { Explorer } = untyped as Cosmiconfig;
  const { load: parse, JSON_SCHEMA } = await import("js-yaml");
  // JSON is YAML, and only errors of the YAML parser have a position.
  const read = (filename: string): unknown => {
    const config = parse(bytes.toString(), { schema: JSON_SCHEMA, filename });
    if (hasImport(config) || (isObject(config) && hasImport(config.catalog))) {
      const advice = "A config file cannot import another one.";
      throw new CatalogError("usage", `unknown setting ${IMPORT} in ${path}`, {
        file: path,
        advice,
      });
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

/** What is used of `cosmiconfig/dist/Explorer.js`, whose own types are empty. */
interface Cosmiconfig {
  readonly Explorer: new (options: Partial<Options> & { moduleName: string }) => PublicExplorer;
}

function hasImport(config: unknown): boolean {
  return isObject(config) && Object.hasOwn(config, IMPORT);
}

function explainFailure(cause: unknown, path: string): CatalogError {
  if (cause instanceof CatalogError) return cause;
  // The name of no file may be a key in the wrong place.
  if (systemCode(cause) === "ENOENT" && looksLikeKey(basename(path))) {
    return usageError("the named config file does not exist");
  }
  // The parser's message may quote the key in the file.
  const isSyntax = systemCode(cause) === undefined;
  const reason = isSyntax ? "it is not valid YAML or JSON" : systemReason(cause);
  return readError(path, reason, positionOf(cause));
}

function readError(file: string, reason: string, position?: Position): CatalogError {
  return new CatalogError("usage", `cannot read the config file ${file}: ${reason}`, {
    file,
    ...position,
    advice: "A config file must be JSON or YAML; it is never executed.",
  });
}

/** Refuses a config file that another user may have placed there: it would decide where the key is sent. */
function requireTrusted(path: string, sources: TrustSources): void {
  const reason = distrust(path, sources);
  if (reason === undefined) return;
  throw usageError(
    `the config file ${path} ${reason}, so it is not used`,
    `If you trust it, pass --config ${path}; otherwise name a config file of your own.`,
  );
}
